"""The tables of the database, the same on SQLite and PostgreSQL.

The first migration makes them until the first release. After it each change needs a migration of its own, as one
that keeps what players have does before. A test compares the two.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

metadata = MetaData()

match = Table(
    "match",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("game", String(60), nullable=False),
    Column("version", Integer, nullable=False),
    Column("options", Text, nullable=False),  # JSON: those that differ from their defaults
    Column("secret", LargeBinary, nullable=False),  # secret until the end
    Column("seal", String(64), nullable=False),
    Column("status", String(10), nullable=False),
    Column("open", Boolean, nullable=False),
    Column("code", String(40), nullable=False, unique=True),
    Column("created", BigInteger, nullable=False),  # milliseconds since 1970
    Column("parent", String(40)),
    Column("fork_length", Integer, nullable=False),
    Column("proven", Boolean, nullable=False),
    Column("day", Integer),  # whose deal it plays
    Column("rematch", String(40)),  # its id
    Column("record", Text),  # once it has ended, as everybody may see it: it outlives a change of the rules
    Column("control", String(20)),  # the time control, as `table/model/clock.py` spells it; NULL for none
    Column("rated", Boolean, nullable=False),
    Column("sealed_until", BigInteger),  # of a deal that others play too, except that of a day
    Column("in_tournament", Boolean, nullable=False, server_default=false()),
    Column("difficulty", String(10), nullable=False),  # by which its deal was chosen
    Index("match_open", "status", "open", "created"),
    Index("match_day", "day", "game"),
)

seat = Table(
    "seat",
    metadata,
    Column("match_id", String(40), ForeignKey("match.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(10), nullable=False),
    Column("name", String(80), nullable=False),
    Column("bot", String(40), nullable=False),
    Column("holder", String(64), nullable=False),  # SHA-256 of the cookie token
    Column("words", String(200), nullable=False),
    Column("points", Integer),  # of an ended match that counts (`table/model/outcome.py`)
    Column("score", Integer),  # of the same by the rules, if it was played to its end
    Index("seat_holder", "holder", "match_id"),
)

# Inserting event `ply` of a match is the lock: the second process finds the row there.
event = Table(
    "event",
    metadata,
    Column("match_id", String(40), ForeignKey("match.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("kind", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("action", Integer, nullable=False),
    Column("command_id", String(40)),
    Column("at", BigInteger, nullable=False),
    Column("lag", Integer, nullable=False),  # milliseconds that a clock is not charged with
    Index("event_command", "match_id", "command_id", unique=True),
    sqlite_with_rowid=False,
)

# The deal of a day. `secret` is told to nobody before the day has closed.
daily = Table(
    "daily",
    metadata,
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("game", String(60), primary_key=True),
    Column("options", Text, nullable=False),  # JSON: those that differ from their defaults
    Column("secret", LargeBinary, nullable=False),
    Column("seal", String(64), nullable=False),
)

# The deadline of the clock that runs at a table. It commits with the event that sets it, and follows from the
# events alone. A table has one clock that runs, so it has one row: its turn is the one that the events say.
deadlines = Table(
    "deadlines",
    metadata,
    Column("match_id", String(40), ForeignKey("match.id"), primary_key=True),
    Column("at", BigInteger, nullable=False),  # milliseconds since 1970: a time-out is not written before
    Column("since", BigInteger, nullable=False),  # the time of the last event
    Column(
        "warn_at", BigInteger
    ),  # when the player on turn is warned; NULL once that is done, and in live games
    Index("deadlines_at", "at"),
    Index("deadlines_warn", "warn_at"),
)

# The process that plays a role, until it renews its lease or another takes it over.
lease = Table(
    "lease",
    metadata,
    Column("role", String(20), primary_key=True),
    Column("holder", String(40), nullable=False),
    Column("until", BigInteger, nullable=False),
)

# When each process that serves people was last there, and whether it has stopped.
server = Table(
    "server",
    metadata,
    Column("holder", String(40), primary_key=True),
    Column("seen", BigInteger, nullable=False),
    Column("stopped", Boolean, nullable=False),
)

# The times in which no process was there.
outage = Table(
    "outage",
    metadata,
    Column("until", BigInteger, primary_key=True, autoincrement=False),
    Column("began", BigInteger, nullable=False),
)

# Rated matches that have ended and wait to be rated. A row commits with the event that ends its match.
unrated_match = Table(
    "unrated_match",
    metadata,
    Column("match_id", String(40), ForeignKey("match.id"), primary_key=True),
    Column("at", BigInteger, nullable=False),  # when the match ended
)

# What the review of a match found of a seat, in odds of winning.
reviewed_seat = Table(
    "reviewed_seat",
    metadata,
    Column("match_id", String(40), ForeignKey("match.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("luck", Float(53), nullable=False),
    Column("given_away", Float(53), nullable=False),
    Column("choices", Integer, nullable=False),
    Column("first_odds", Float(53), nullable=False),  # before the first choice
)

# A puzzle that a holder has tried, or a mistake of their own; `due` is when it comes back.
training_card = Table(
    "training_card",
    metadata,
    Column("holder", String(64), primary_key=True),
    Column("game", String(60), primary_key=True),
    Column("puzzle", String(20), primary_key=True),
    Column("content", Text, nullable=False),  # JSON of a puzzle that is in no set
    Column("stability", Float, nullable=False),  # in days: how well it is remembered, by FSRS
    Column("difficulty", Float, nullable=False),  # to remember it, from 1 to 10
    Column("due", BigInteger),
    Column("tries", Integer, nullable=False),
    Column("solved", Boolean, nullable=False),
    Index("training_card_due", "holder", "due"),
)

# The training of a holder in a game: a rating, and how many puzzles were tried and solved.
training_standing = Table(
    "training_standing",
    metadata,
    Column("holder", String(64), primary_key=True),
    Column("game", String(60), primary_key=True),
    Column("points", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("tried", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
)

# The rating of a seat's account after a rated match. `number` is the order in which matches were rated.
rating_change = Table(
    "rating_change",
    metadata,
    Column("match_id", String(40), ForeignKey("match.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("number", BigInteger, nullable=False),
    Column("account_id", String(40), ForeignKey("account.id"), nullable=False),
    Column("game", String(60), nullable=False),
    Column("speed", String(20), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("points", Float(53), nullable=False),
    Column("deviation", Float(53), nullable=False),
    Column("volatility", Float(53), nullable=False),
    Column("gain", Float(53), nullable=False),  # in points, by this match
    Index("rating_change_number", "number", "seat", unique=True),
    Index("rating_change_account", "account_id", "game", "speed", "number"),
)

# The newest rating of an account in a game at a speed: it follows from `rating_change`.
rating = Table(
    "rating",
    metadata,
    Column("account_id", String(40), ForeignKey("account.id"), primary_key=True),
    Column("game", String(60), primary_key=True),
    Column("speed", String(20), primary_key=True),
    Column("points", Float(53), nullable=False),
    Column("deviation", Float(53), nullable=False),
    Column("volatility", Float(53), nullable=False),
    Column("at", BigInteger, nullable=False),  # when its last match ended
    Column("matches", Integer, nullable=False),
    Index("rating_listed", "game", "speed", "points"),
)

# Somebody looks for a game. There is one row for an account; once paired, it names the match.
seek = Table(
    "seek",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("account_id", String(40), ForeignKey("account.id"), nullable=False, unique=True),
    Column("wishes", Text, nullable=False),  # JSON: [[game, time control], ..]
    Column("rated", Boolean, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),  # when the page that waits was last there
    Column("match_id", String(40)),
    Index("seek_waiting", "match_id", "since"),
)

# Somebody challenges another account to a match, until it is answered.
challenge = Table(
    "challenge",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("challenger_id", String(40), ForeignKey("account.id"), nullable=False),
    Column("challenged_id", String(40), ForeignKey("account.id"), nullable=False),
    Column("game", String(60), nullable=False),
    Column("control", String(20), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("declined", Boolean, nullable=False),
    Column("match_id", String(40)),  # of the match, once it is accepted
    Index("challenge_to", "challenged_id", "until"),
    Index("challenge_from", "challenger_id", "until"),
)

# A tournament with its rules (`tournaments/model.py`).
tournament = Table(
    "tournament",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("game", String(60), nullable=False),
    Column("options", Text, nullable=False),  # JSON: those that differ from their defaults
    Column("control", String(20), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("rounds", Integer, nullable=False),  # of a Swiss
    Column("minutes", Integer, nullable=False),  # of an arena and a duel
    Column("begins_at", BigInteger, nullable=False),
    Column("phase", String(10), nullable=False),
    Column("opener_id", String(40), ForeignKey("account.id"), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("ended", BigInteger),
    Index("tournament_phase", "phase", "begins_at"),
    Index("tournament_opener", "opener_id", "created"),
)

# A participant of a tournament: an account, or a bot.
tournament_entry = Table(
    "tournament_entry",
    metadata,
    Column("tournament_id", String(40), ForeignKey("tournament.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("account_id", String(40), ForeignKey("account.id")),  # NULL for a bot
    Column("bot", String(40), nullable=False),
    Column("rating", Float(53), nullable=False),  # when it entered
    Column("withdrawn", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("tournament_id", "account_id"),
    Index("tournament_entry_account", "account_id"),
)

# A round, or a wave of an arena. It commits with all its pairings and their matches, or with what is told of it.
tournament_round = Table(
    "tournament_round",
    metadata,
    Column("tournament_id", String(40), ForeignKey("tournament.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("reminded", Boolean, nullable=False, default=False),  # of a duel: its end was told
)

# A side of a pairing: the key lets an entry be paired once in a round.
tournament_side = Table(
    "tournament_side",
    metadata,
    Column("tournament_id", String(40), ForeignKey("tournament.id"), primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("opponent", Integer),  # NULL for a bye
    Column("seat", Integer, nullable=False),
    Column("match_id", String(40)),  # NULL for a bye and a walkover
    Column("points", Integer),  # in half points; NULL while the match goes on
    Column("walkover", Boolean, nullable=False),
    Column("came", Boolean, nullable=False),  # its player was at the table
    UniqueConstraint("match_id", "seat"),
    Index("tournament_side_open", "points", "tournament_id"),
)

# The deal of a duel. `secret` is told to nobody before it has closed.
duel_deal = Table(
    "duel_deal",
    metadata,
    Column("tournament_id", String(40), ForeignKey("tournament.id"), primary_key=True),
    Column("secret", LargeBinary, nullable=False),
)

# The table of an entry in a duel: the key lets it play the deal once, a pair once from each seat.
duel_game = Table(
    "duel_game",
    metadata,
    Column("tournament_id", String(40), ForeignKey("tournament.id"), primary_key=True),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("match_id", String(40), nullable=False, unique=True),
)

# An account that does not play against another.
block = Table(
    "block",
    metadata,
    Column("account_id", String(40), ForeignKey("account.id"), primary_key=True),
    Column("other_id", String(40), ForeignKey("account.id"), primary_key=True),
)

# An account that has another in its list of people.
follow = Table(
    "follow",
    metadata,
    Column("account_id", String(40), ForeignKey("account.id"), primary_key=True),
    Column("other_id", String(40), ForeignKey("account.id"), primary_key=True),
)

# A set phrase that a player said at a table, when it had so many events.
remark = Table(
    "remark",
    metadata,
    Column("match_id", String(40), ForeignKey("match.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("phrase", String(20), nullable=False),
    Column("ply", Integer, nullable=False),
)

# A seat that does not hear what others say at its table.
mute = Table(
    "mute",
    metadata,
    Column("match_id", String(40), ForeignKey("match.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
)

# The moves that a seat is to play by itself, as lines of steps from when its table had `ply` events.
planned_moves = Table(
    "planned_moves",
    metadata,
    Column("match_id", String(40), ForeignKey("match.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("ply", Integer, nullable=False),
    Column("lines", Text, nullable=False),  # JSON, as `table/model/plans.py` spells them
)

# Days off of a holder, which count against a yearly stock.
day_off = Table(
    "day_off",
    metadata,
    Column("holder", String(64), primary_key=True),
    Column("began", BigInteger, primary_key=True, autoincrement=False),
    Column("until", BigInteger, nullable=False),
)

# Changes of which a player is notified. They commit with the event that they tell of.
notification = Table(
    "notification",
    metadata,
    Column("holder", String(64), primary_key=True),
    Column("match_id", String(40), primary_key=True),
    Column("kind", String(10), primary_key=True),  # of `notifications/model.py`
    Column("ply", Integer, primary_key=True, autoincrement=False),  # the number of events after the change
    Column("at", BigInteger, nullable=False),
    Column("read_at", BigInteger),
    Column("taken_at", BigInteger),  # when it was taken to be sent to other places than our pages
    Index("notification_match", "match_id"),
    Index("notification_taken", "taken_at", "at"),
)

account = Table(
    "account",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("folded", String(160), nullable=False, unique=True),  # the name, whatever its case and width
    Column("skeleton", String(160), nullable=False, unique=True),  # the name by its look (UTS 39)
    Column("holder", String(64), nullable=False, unique=True),  # of its seats
    Column("created", BigInteger, nullable=False),
    Column("role", String(10), nullable=False),  # person, keeper, bot, house
    Column("state", String(10), nullable=False),  # open, banned, erased
    Column("settings", Text, nullable=False),  # JSON
    Column("owner_id", String(40)),  # of a bot: the account of a person
    Column("seen", BigInteger, nullable=False, server_default="0"),  # in any session, also one that has ended
    Index("account_owner", "owner_id"),
)

credential = Table(
    "credential",
    metadata,
    Column("id", String(400), primary_key=True),  # of a passkey: its own, as base64url
    Column("account_id", String(40), ForeignKey("account.id"), nullable=False),
    Column("kind", String(10), nullable=False),  # passkey, password, recovery
    Column("verifier", Text, nullable=False),  # a public key, or a hash
    Column("uses", Integer, nullable=False),  # the sign count of a passkey
    Column("created", BigInteger, nullable=False),
    Index("credential_account", "account_id", "kind"),
)

# A browser that is signed in, or a token of a bot.
session = Table(
    "session",
    metadata,
    Column("hash", String(64), primary_key=True),  # SHA-256 of the token
    Column("account_id", String(40), ForeignKey("account.id"), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("agent", String(200), nullable=False),  # of a bot's token: its label
    Column("authenticated", BigInteger, nullable=False),  # when it last was, by a credential
    Index("session_account", "account_id"),
)

# Where an account is notified besides our pages.
contact = Table(
    "contact",
    metadata,
    Column("account_id", String(40), ForeignKey("account.id"), primary_key=True),
    Column("mail", String(254), nullable=False),
    Column("confirmed", Boolean, nullable=False),
    Column("mail_key", String(64), nullable=False),  # of the links in mails
    Column("lang", String(5), nullable=False),
    Column("mailed_at", BigInteger, nullable=False),  # the last mail
    Column("unseen_mails", Integer, nullable=False),  # sent since the last visit
    Index("contact_key", "mail_key"),
)

# A browser of an account that takes messages by web push. It ends with its session.
push_subscription = Table(
    "push_subscription",
    metadata,
    Column("id", String(64), primary_key=True),  # SHA-256 of the endpoint
    Column("account_id", String(40), ForeignKey("account.id"), nullable=False),
    Column(  # SHA-256 of the cookie token
        "session",
        String(64),
        ForeignKey("session.hash", onupdate="CASCADE", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("endpoint", String(500), nullable=False),
    Column("browser_key", String(100), nullable=False),  # of the browser, to encrypt with
    Column("auth", String(40), nullable=False),
    Column("lang", String(5), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("visible_at", BigInteger, nullable=False),  # when the account last had a page of ours in view
    Index("push_subscription_account", "account_id"),
    Index("push_subscription_session", "session"),
)

# The outbox: messages by web push and mails that wait. Each is removed before it is sent.
outgoing_message = Table(
    "outgoing_message",
    metadata,
    Column(
        "target", String(64), primary_key=True
    ),  # the id of a push subscription; of a mail that of an account
    Column("match_id", String(40), primary_key=True),  # with the next two: of a notification; empty of a mail
    Column("kind", String(10), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("place", String(100), nullable=False),  # the host of a push service, or "mail"
    Column("due_at", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Index("outgoing_message_due", "due_at"),
)

# Secrets of the server itself, such as the private key of web push.
server_secret = Table(
    "server_secret",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("value", String(100), nullable=False),
)

# Reports of players by others: one of each by each at a table.
report = Table(
    "report",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("reporter", String(64), nullable=False),  # holders
    Column("reported", String(64), nullable=False),
    Column("match_id", String(40), nullable=False),
    Column("reason", String(20), nullable=False),
    Column("text", String(500), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),
    UniqueConstraint("reporter", "reported", "match_id"),
    Index("report_closed", "closed_at", "at"),
)

# Log of the keepers. Triggers of the migration refuse to change or remove a row.
keeper_action = Table(
    "keeper_action",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("keeper", String(40), nullable=False),  # the id of an account; empty for the command line
    Column("action", String(20), nullable=False),
    Column("subject", String(64), nullable=False),  # a holder
    Column("note", String(200), nullable=False),
)

# One challenge at a time for each visitor, removed when it is answered.
one_time_code = Table(
    "one_time_code",
    metadata,
    Column("holder", String(64), primary_key=True),
    Column("value", String(120), nullable=False),
    Column("at", BigInteger, nullable=False),
)

# Bytes that mean nothing, written to see whether there is room for a write that was refused.
probe = Table(
    "probe",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("filling", Text, nullable=False),
)

# Presses of forms and calls that create something: when, and where the answer led.
press = Table(
    "press",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("location", Text),
)

# Attempts counted for limits that all processes share.
attempt = Table(
    "attempt",
    metadata,
    Column("key", String(120), primary_key=True),
    Column("period", BigInteger, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
)

# What keepers have set for the whole site (`database/site_state.py`).
site_setting = Table(
    "site_setting",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("value", String(100), nullable=False),
)

# A network whose requests are all refused.
blocked_network = Table(
    "blocked_network",
    metadata,
    Column("network", String(50), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("note", String(200), nullable=False),
)
