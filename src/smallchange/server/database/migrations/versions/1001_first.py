"""Create all tables, and the triggers by which the log of keepers only grows.

Until the first release these are the tables of `schema.py` as they are; at the release they are frozen here as text.
"""

from alembic import op

from smallchange.server.database.schema import metadata

revision = "1001"
down_revision = None

REFUSAL = "the log of keepers only grows"
POSTGRESQL = (
    "CREATE OR REPLACE FUNCTION refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$",
    "CREATE TRIGGER keeper_action_stays BEFORE UPDATE OR DELETE ON keeper_action "
    "FOR EACH ROW EXECUTE FUNCTION refuse_log_change()",
)
SQLITE = tuple(
    f"CREATE TRIGGER keeper_action_no_{change.lower()} BEFORE {change} ON keeper_action "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    for change in ("UPDATE", "DELETE")
)


def upgrade() -> None:
    metadata.create_all(op.get_bind())
    for statement in POSTGRESQL if op.get_bind().dialect.name == "postgresql" else SQLITE:
        op.execute(statement)
