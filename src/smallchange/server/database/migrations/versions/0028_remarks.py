"""Set phrases that players say to each other, and seats that do not hear them."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.create_table(
        "remark",
        sa.Column("match_id", sa.String(40), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("phrase", sa.String(20), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
    )
    op.create_table(
        "mute",
        sa.Column("match_id", sa.String(40), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    )


def downgrade() -> None:
    for table in ("mute", "remark"):
        op.drop_table(table)
