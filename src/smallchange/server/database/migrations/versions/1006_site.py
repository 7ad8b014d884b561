"""Store the state of the site, and the networks that are shut out."""

import sqlalchemy as sa
from alembic import op

revision = "1006"
down_revision = "1005"


def upgrade() -> None:
    op.create_table(
        "site_setting",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("value", sa.String(100), nullable=False),
    )
    op.create_table(
        "blocked_network",
        sa.Column("network", sa.String(50), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("note", sa.String(200), nullable=False),
    )
