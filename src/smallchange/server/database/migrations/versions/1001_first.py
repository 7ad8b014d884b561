"""Create all tables, and the triggers by which the log of keepers only grows."""

import sqlalchemy as sa
from alembic import op

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
    op.create_table(
        "account",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("folded", sa.String(160), nullable=False),
        sa.Column("skeleton", sa.String(160), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("owner_id", sa.String(40)),
        sa.Column("seen", sa.BigInteger, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("folded"),
        sa.UniqueConstraint("holder"),
        sa.UniqueConstraint("skeleton"),
    )
    op.create_index("account_owner", "account", ["owner_id"])
    op.create_table(
        "attempt",
        sa.Column("key", sa.String(120), nullable=False),
        sa.Column("period", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("key", "period"),
    )
    op.create_table(
        "daily",
        sa.Column("day", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("day", "game"),
    )
    op.create_table(
        "day_off",
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("began", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("holder", "began"),
    )
    op.create_table(
        "keeper_action",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("keeper", sa.String(40), nullable=False),
        sa.Column("action", sa.String(20), nullable=False),
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("note", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "lease",
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("holder", sa.String(40), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("role"),
    )
    op.create_table(
        "match",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sa.Column("code", sa.String(40), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("parent", sa.String(40)),
        sa.Column("fork_length", sa.Integer, nullable=False),
        sa.Column("proven", sa.Boolean, nullable=False),
        sa.Column("day", sa.Integer),
        sa.Column("rematch", sa.String(40)),
        sa.Column("record", sa.Text),
        sa.Column("control", sa.String(20)),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("sealed_until", sa.BigInteger),
        sa.Column("delay", sa.Integer, nullable=False),
        sa.Column("difficulty", sa.String(10), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("code"),
    )
    op.create_index("match_day", "match", ["day", "game"])
    op.create_index("match_open", "match", ["status", "open", "created"])
    op.create_table(
        "notification",
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("match_id", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("ply", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("read_at", sa.BigInteger),
        sa.Column("taken_at", sa.BigInteger),
        sa.Column("mailed_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("holder", "match_id", "kind", "ply"),
    )
    op.create_index("notification_match", "notification", ["match_id"])
    op.create_index("notification_taken", "notification", ["taken_at", "at"])
    op.create_table(
        "one_time_code",
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("value", sa.String(120), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("holder"),
    )
    op.create_table(
        "probe",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("filling", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "outgoing_message",
        sa.Column("target", sa.String(64), nullable=False),
        sa.Column("match_id", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("ply", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("due_at", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("target", "match_id", "kind", "ply"),
    )
    op.create_index("outgoing_message_due", "outgoing_message", ["due_at"])
    op.create_table(
        "report",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("reporter", sa.String(64), nullable=False),
        sa.Column("reported", sa.String(64), nullable=False),
        sa.Column("match_id", sa.String(40), nullable=False),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("text", sa.String(500), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("closed_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("reporter", "reported", "match_id"),
    )
    op.create_index("report_closed", "report", ["closed_at", "at"])
    op.create_table(
        "server_secret",
        sa.Column("name", sa.String(20), nullable=False),
        sa.Column("value", sa.String(100), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "variant",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("variant_holder", "variant", ["holder", "created"])
    op.create_table(
        "block",
        sa.Column("account_id", sa.String(40), nullable=False),
        sa.Column("other_id", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.ForeignKeyConstraint(["other_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("account_id", "other_id"),
    )
    op.create_table(
        "challenge",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("challenger_id", sa.String(40), nullable=False),
        sa.Column("challenged_id", sa.String(40), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("control", sa.String(20), nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("declined", sa.Boolean, nullable=False),
        sa.Column("match_id", sa.String(40)),
        sa.ForeignKeyConstraint(["challenged_id"], ["account.id"]),
        sa.ForeignKeyConstraint(["challenger_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("challenge_from", "challenge", ["challenger_id", "until"])
    op.create_index("challenge_to", "challenge", ["challenged_id", "until"])
    op.create_table(
        "contact",
        sa.Column("account_id", sa.String(40), nullable=False),
        sa.Column("webhook", sa.String(500), nullable=False),
        sa.Column("mail", sa.String(254), nullable=False),
        sa.Column("confirmed", sa.Boolean, nullable=False),
        sa.Column("mail_key", sa.String(64), nullable=False),
        sa.Column("hour", sa.Integer, nullable=False),
        sa.Column("zone", sa.String(60), nullable=False),
        sa.Column("lang", sa.String(5), nullable=False),
        sa.Column("next_at", sa.BigInteger),
        sa.Column("webhook_failures", sa.Integer, nullable=False, server_default="0"),
        sa.Column("mail_failures", sa.Integer, nullable=False, server_default="0"),
        sa.Column("unseen_mails", sa.Integer, nullable=False, server_default="0"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("account_id"),
    )
    op.create_index("contact_key", "contact", ["mail_key"])
    op.create_index("contact_next", "contact", ["next_at"])
    op.create_table(
        "credential",
        sa.Column("id", sa.String(400), nullable=False),
        sa.Column("account_id", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("verifier", sa.Text, nullable=False),
        sa.Column("uses", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("credential_account", "credential", ["account_id", "kind"])
    op.create_table(
        "deadlines",
        sa.Column("match_id", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("warn_at", sa.BigInteger),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("match_id"),
    )
    op.create_index("deadlines_at", "deadlines", ["at"])
    op.create_index("deadlines_warn", "deadlines", ["warn_at"])
    op.create_table(
        "event",
        sa.Column("match_id", sa.String(40), nullable=False),
        sa.Column("ply", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("kind", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("action", sa.Integer, nullable=False),
        sa.Column("command_id", sa.String(40)),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("lag", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("match_id", "ply"),
        sqlite_with_rowid=False,
    )
    op.create_index("event_command", "event", ["match_id", "command_id"], unique=True)
    op.create_table(
        "follow",
        sa.Column("account_id", sa.String(40), nullable=False),
        sa.Column("other_id", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.ForeignKeyConstraint(["other_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("account_id", "other_id"),
    )
    op.create_table(
        "mute",
        sa.Column("match_id", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("match_id", "seat"),
    )
    op.create_table(
        "session",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("account_id", sa.String(40), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("agent", sa.String(200), nullable=False),
        sa.Column("authenticated", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index("session_account", "session", ["account_id"])
    op.create_table(
        "push_subscription",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("account_id", sa.String(40), nullable=False),
        sa.Column("session", sa.String(64), nullable=False),
        sa.Column("endpoint", sa.String(500), nullable=False),
        sa.Column("browser_key", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("lang", sa.String(5), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("visible_at", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.ForeignKeyConstraint(["session"], ["session.hash"], onupdate="CASCADE", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("push_subscription_account", "push_subscription", ["account_id"])
    op.create_index("push_subscription_session", "push_subscription", ["session"])
    op.create_table(
        "rating",
        sa.Column("account_id", sa.String(40), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("speed", sa.String(20), nullable=False),
        sa.Column("points", sa.Float(precision=53), nullable=False),
        sa.Column("deviation", sa.Float(precision=53), nullable=False),
        sa.Column("volatility", sa.Float(precision=53), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("account_id", "game", "speed"),
    )
    op.create_index("rating_listed", "rating", ["game", "speed", "points"])
    op.create_table(
        "rating_change",
        sa.Column("match_id", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("account_id", sa.String(40), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("speed", sa.String(20), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("points", sa.Float(precision=53), nullable=False),
        sa.Column("deviation", sa.Float(precision=53), nullable=False),
        sa.Column("volatility", sa.Float(precision=53), nullable=False),
        sa.Column("gain", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("match_id", "seat"),
    )
    op.create_index("rating_change_account", "rating_change", ["account_id", "game", "speed", "number"])
    op.create_index("rating_change_number", "rating_change", ["number", "seat"], unique=True)
    op.create_table(
        "remark",
        sa.Column("match_id", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("phrase", sa.String(20), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("match_id", "number"),
    )
    op.create_table(
        "reviewed_seat",
        sa.Column("match_id", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("luck", sa.Float(precision=53), nullable=False),
        sa.Column("given_away", sa.Float(precision=53), nullable=False),
        sa.Column("choices", sa.Integer, nullable=False),
        sa.Column("first_odds", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("match_id", "seat"),
    )
    op.create_table(
        "seat",
        sa.Column("match_id", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("bot", sa.String(40), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("words", sa.String(200), nullable=False),
        sa.Column("points", sa.Integer),
        sa.Column("score", sa.Integer),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("match_id", "number"),
    )
    op.create_index("seat_holder", "seat", ["holder", "match_id"])
    op.create_table(
        "seek",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("account_id", sa.String(40), nullable=False),
        sa.Column("wishes", sa.Text, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("match_id", sa.String(40)),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("account_id"),
    )
    op.create_index("seek_waiting", "seek", ["match_id", "since"])
    op.create_table(
        "tournament",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("control", sa.String(20), nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("minutes", sa.Integer, nullable=False),
        sa.Column("begins_at", sa.BigInteger, nullable=False),
        sa.Column("phase", sa.String(10), nullable=False),
        sa.Column("opener_id", sa.String(40), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
        sa.Column("delay", sa.Integer, nullable=False),
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("previous_id", sa.String(40)),
        sa.ForeignKeyConstraint(["opener_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("tournament_opener", "tournament", ["opener_id", "created"])
    op.create_index("tournament_phase", "tournament", ["phase", "begins_at"])
    op.create_index("tournament_previous", "tournament", ["previous_id"], unique=True)
    op.create_table(
        "unrated_match",
        sa.Column("match_id", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("match_id"),
    )
    op.create_table(
        "league_deal",
        sa.Column("tournament_id", sa.String(40), nullable=False),
        sa.Column("round", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"]),
        sa.PrimaryKeyConstraint("tournament_id", "round"),
    )
    op.create_table(
        "league_play",
        sa.Column("tournament_id", sa.String(40), nullable=False),
        sa.Column("round", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("entry", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("match_id", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"]),
        sa.PrimaryKeyConstraint("tournament_id", "round", "entry", "seat"),
        sa.UniqueConstraint("match_id"),
    )
    op.create_table(
        "tournament_entry",
        sa.Column("tournament_id", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("account_id", sa.String(40)),
        sa.Column("bot", sa.String(40), nullable=False),
        sa.Column("rating", sa.Float(precision=53), nullable=False),
        sa.Column("withdrawn", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("division", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"]),
        sa.PrimaryKeyConstraint("tournament_id", "number"),
        sa.UniqueConstraint("tournament_id", "account_id"),
    )
    op.create_index("tournament_entry_account", "tournament_entry", ["account_id"])
    op.create_table(
        "tournament_round",
        sa.Column("tournament_id", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("reminded", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"]),
        sa.PrimaryKeyConstraint("tournament_id", "number"),
    )
    op.create_table(
        "tournament_side",
        sa.Column("tournament_id", sa.String(40), nullable=False),
        sa.Column("round", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("entry", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("opponent", sa.Integer),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("match_id", sa.String(40)),
        sa.Column("points", sa.Integer),
        sa.Column("walkover", sa.Boolean, nullable=False),
        sa.Column("came", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"]),
        sa.PrimaryKeyConstraint("tournament_id", "round", "entry"),
        sa.UniqueConstraint("match_id", "seat"),
    )
    op.create_index("tournament_side_open", "tournament_side", ["points", "tournament_id"])
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
    op.create_table(
        "training_card",
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("puzzle", sa.String(20), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("box", sa.Integer, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("holder", "game", "puzzle"),
    )
    op.create_index("training_card_due", "training_card", ["holder", "due"])
    op.create_table(
        "training_standing",
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("points", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("tried", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("holder", "game"),
    )
    for statement in POSTGRESQL if op.get_bind().dialect.name == "postgresql" else SQLITE:
        op.execute(statement)
