"""Reports of players, and the log of what keepers did, which only grows."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

REFUSAL = "the log of keepers only grows"
POSTGRESQL = (
    "CREATE OR REPLACE FUNCTION refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$",
    "CREATE TRIGGER keeper_action_stays BEFORE UPDATE OR DELETE ON keeper_action "
    "FOR EACH ROW EXECUTE FUNCTION refuse_log_change()",
)
SQLITE = tuple(
    f"CREATE TRIGGER keeper_action_no_{what.lower()} BEFORE {what} ON keeper_action "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    for what in ("UPDATE", "DELETE")
)


def upgrade() -> None:
    op.create_table(
        "report",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("reporter", sa.String(64), nullable=False),
        sa.Column("reported", sa.String(64), nullable=False),
        sa.Column("match_id", sa.String(40), nullable=False),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("text", sa.String(500), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("closed_at", sa.BigInteger),
        sa.UniqueConstraint("reporter", "reported", "match_id"),
    )
    op.create_index("report_closed", "report", ["closed_at", "at"])
    op.create_table(
        "keeper_action",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("keeper", sa.String(40), nullable=False),
        sa.Column("action", sa.String(20), nullable=False),
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("note", sa.String(200), nullable=False),
    )
    for statement in POSTGRESQL if op.get_bind().dialect.name == "postgresql" else SQLITE:
        op.execute(statement)


def downgrade() -> None:
    op.drop_table("keeper_action")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION refuse_log_change()")
    op.drop_table("report")
