"""Note from which networks players came, who joined a guest's browser, and rating points that were given back."""

import sqlalchemy as sa
from alembic import op

revision = "1004"
down_revision = "1003"


def upgrade() -> None:
    op.create_table(
        "sighting",
        sa.Column("network", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(64), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("sighting_holder", "sighting", ["holder"])
    op.create_index("sighting_at", "sighting", ["at"])
    op.create_table(
        "joined_browser",
        sa.Column("holder", sa.String(64), primary_key=True),
        sa.Column("at", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("agent", sa.String(200), nullable=False),
    )
    op.create_table(
        "rating_refund",
        sa.Column("match_id", sa.String(40), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("account_id", sa.String(40), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("speed", sa.String(20), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("points", sa.Float(53), nullable=False),
    )
    op.create_index("rating_refund_number", "rating_refund", ["number"], unique=True)
