"""Room for a probe of a write as large as one that was refused."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "probe",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("filling", sa.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("probe")
