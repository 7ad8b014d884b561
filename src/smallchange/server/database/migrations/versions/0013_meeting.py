"""Seeks, challenges, and accounts that do not play against each other."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "seek",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("account_id", sa.String(40), sa.ForeignKey("account.id"), nullable=False, unique=True),
        sa.Column("wishes", sa.Text, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("match_id", sa.String(40)),
    )
    op.create_index("seek_waiting", "seek", ["match_id", "since"])
    op.create_table(
        "match_challenge",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("challenger_id", sa.String(40), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("challenged_id", sa.String(40), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("control", sa.String(20), nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("declined", sa.Boolean, nullable=False),
        sa.Column("match_id", sa.String(40)),
    )
    op.create_index("match_challenge_to", "match_challenge", ["challenged_id", "until"])
    op.create_index("match_challenge_from", "match_challenge", ["challenger_id", "until"])
    op.create_table(
        "block",
        sa.Column("account_id", sa.String(40), sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("other_id", sa.String(40), sa.ForeignKey("account.id"), primary_key=True),
    )


def downgrade() -> None:
    for table in ("block", "match_challenge", "seek"):
        op.drop_table(table)
