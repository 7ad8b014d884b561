"""Refusals: the code of every refusal with its HTTP status and its sentence, and the exception that carries it.

Programs read the codes: they are part of the protocol.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from smallchange.i18n.text import Plural, Text, join_texts, plain
from smallchange.server.web.phrases import NO_HELP_WHEN_RATED

CHOOSE_A_SEAT = Text("choose “me” for one of the seats")
NONE_OF = Text("{what} is not one of {names}")
MAX_QUOTED = 80  # characters of a value that was not accepted
UNAVAILABLE = 503
UNAVAILABLE_WAIT_S = 5  # after which it is worth trying again


class ErrorCode(StrEnum):
    """The code of a refusal, its HTTP status and its sentence.

    A refusal has changed nothing. Only after OUTCOME_UNKNOWN and SHUTTING_DOWN is this not known yet.

    >>> [code for code in ErrorCode if code != code.name.lower().replace("_", "-")]
    []
    """

    status: int
    text: Text

    def __new__(cls, code: str, status: int, text: Text) -> Self:
        """Return the member of a row."""
        row = str.__new__(cls, code)
        row._value_, row.status, row.text = code, status, text
        return row

    # fmt: off
    # the table and its rules
    NO_TABLE = "no-table", 404, Text("Table not found.")
    SEALED = "sealed", 403, Text("Others are playing this deal too, so it stays sealed until it closes.")
    RULES_CHANGED = "rules-changed", 410, Text(
        "This table follows version {was} of its rules, which this server does not play.")
    SPECTATOR = "spectator", 403, Text("You are watching. Only players can do this.")
    NOT_STARTED = "not-started", 400, Text("The game begins when everyone has sat down.")
    NOT_YOUR_TURN = "not-your-turn", 400, Text("It is {who}’s turn.")
    UNKNOWN_TOKEN = "unknown-token", 400, Text("“{token}” is not a move in this game.")
    ILLEGAL = "illegal", 400, Text("“{token}” is not possible now. Possible: {legal}.")
    MARKS = "marks", 400, Text("These pieces cannot be used together. Mark what to use, then press the button.")
    OVER = "over", 400, Text("The game is over.")
    WITHDRAWN = "withdrawn", 400, Text("This table was withdrawn, so there is no game.")
    CONFLICT = "conflict", 409, Text("The table has moved on, so nothing was done. Here is how it stands now.")
    COMMAND_ID_USED = "command-id-used", 409, Text("This move id was used for something else.")
    NOTHING_TO_UNDO = "nothing-to-undo", 400, Text(
        "There is no decision of yours to take back, or chance has decided something since.")
    TOO_MANY_EVENTS = "too-many-events", 400, Text("This game is too long for anything more to be taken back.")
    TABLE_FULL = "table-full", 400, Text(
        "This table has reached its greatest length of {most} steps. Resign to end it; it does not count.")
    MUST_ASK_TO_UNDO = "must-ask-to-undo", 400, Text("Against a person, ask to take a move back.")
    CANNOT_OFFER = "cannot-offer", 400, Text("This cannot be offered now.")
    CANNOT_PLAN = "cannot-plan", 400, Text("Moves are planned where somebody else plays, once everyone has sat down.")
    NO_OFFER = "no-offer", 400, Text("There is no offer for you to answer.")
    REMARK_LIMIT = "remark-limit", 400, Text("You have sent all {most} remarks that this table allows.")
    SEAT_TAKEN = "seat-taken", 409, Text("This seat is taken. You can watch.")
    BAD_SEATS = "bad-seats", 400, Text("The seats cannot be set like that: {why}")
    BAD_NAME = "bad-name", 400, Text("“{name}” is no name for you: {why}. Choose another.")
    BAD_OPTIONS = "bad-options", 400, Text("These options do not work: {why}")
    NO_REMATCH = "no-rematch", 400, Text("A rematch is possible once the game is over.")
    CANNOT_FORK = "cannot-fork", 400, Text("Practice can branch off when a game is over, or from a game of your own.")
    BY_MEMORY = "by-memory", 403, Text(
        "This game is played by memory: what has happened is out of sight until it is over.")
    BAD_TIME = "bad-time", 400, Text("This time does not work: {why}")
    CANNOT_RATE = "cannot-rate", 400, Text("This game cannot be rated: {why}")
    OUT_OF_TIME = "out-of-time", 400, Text("Your time is up.")
    CANNOT_ABORT = "cannot-abort", 400, Text("The game can only be ended like this before each side has moved.")
    CANNOT_CLAIM = "cannot-claim", 400, Text(
        "The game can be claimed once the other player of a live game has been away for a minute.")
    NO_DAYS_OFF = "no-days-off", 400, Plural(
        "You have {n} day off left this year, and can take it while you are not off.",
        "You have {n} days off left this year, and can take them while you are not off.")
    BAD_STEP = "bad-step", 400, Text("Practice can start after any step from 0 to {last}, not after step {at}.")
    # bots
    NO_HINT = "no-hint", 400, Text("Hints are only available on your turn, and not against another person.")
    RATED_AGAINST_BOT = "rated-against-bot", 409, NO_HELP_WHEN_RATED
    NO_REVIEW = "no-review", 400, Text("A review is available once the game is over, if it took at most {most} steps.")
    BOTS_BUSY = "bots-busy", 503, Text("The bots are busy at the moment. Ask again in a few seconds.")
    BOT_FAILED = "bot-failed", 503, Text("The bot could not work this out; nothing else has changed. Ask again.")
    # accounts
    SHORT_NAME = "short-name", 400, Text("A name has {least} to {most} characters.")
    NAME_TAKEN = "name-taken", 409, Text("The name {name} is taken, or looks like another. Choose another one.")
    BAD_PASSWORD = "bad-password", 400, Text("A password has {least} to {most} characters.")
    EASY_PASSWORD = "easy-password", 400, Text(
        "This password is easily guessed. Choose a longer one: three or four words will do.")
    CREDENTIAL_NEEDED = "credential-needed", 403, Text("First confirm that it is you.")
    WRONG_PASSWORD = "wrong-password", 403, Text("That is not your current password. A recovery code works too.")
    SIGN_IN_FAILED = "sign-in-failed", 403, Text("The name and the password do not go together.")
    BAD_PASSKEY = "bad-passkey", 403, Text("The passkey was not accepted. Try again, or use your password.")
    LAST_CREDENTIAL = "last-credential", 409, Text("Set a password first; otherwise you could not sign in any more.")
    ATTEMPT_LIMIT = "attempt-limit", 429, Text("Too many attempts; wait a few minutes.")
    NO_ACCOUNT = "no-account", 403, Text("Sign in first.")
    UNKNOWN_ACCOUNT = "unknown-account", 404, Text("There is no account with the name {name}.")
    BANNED = "banned", 403, Text("The moderators of this site have closed this account.")
    BAD_REPORT = "bad-report", 400, Text("This cannot be done with that player.")
    BAD_NETWORK = "bad-network", 400, Text(
        "“{network}” is no address or network, such as 192.0.2.7 or 192.0.2.0/24, of at most a /8 (IPv6: a /19).")
    BAD_CONTACT = "bad-contact", 400, Text("This address is not accepted: {why}.")
    # meeting
    BAD_WISH = "bad-wish", 400, Text("Nobody can be found for “{given}”. Choose among: {accepted}.")
    CANNOT_MEET = "cannot-meet", 403, Text("You and this player do not play against each other.")
    NO_CHALLENGE = "no-challenge", 404, Text("There is no such challenge for you any more.")
    NO_SEEK = "no-seek", 404, Text("You have stopped looking for this game.")
    CHALLENGE_LIMIT = "challenge-limit", 409, Text(
        "You have {most} challenges waiting for an answer. Withdraw one first.")
    # tournaments
    NO_TOURNAMENT = "no-tournament", 404, Text("There is no tournament at this address.")
    BAD_TOURNAMENT = "bad-tournament", 400, Text("This tournament cannot be opened: {why}.")
    TOURNAMENT_LIMIT = "tournament-limit", 409, Text(
        "You have opened {most} tournaments that are still running. Wait until one is over.")
    CANNOT_ENTER = "cannot-enter", 409, Text("Nobody can enter this tournament any more.")
    NOT_OPENER = "not-opener", 403, Text("Only the player who opened this tournament can do that, before it begins.")
    BAD_BOT_COUNT = "bad-bot-count", 400, Text("{given} bots cannot be entered: choose a number from 1 to {most}.")
    NO_DEAL = "no-deal", 409, Text("There is no deal for you here: enter first, and play while a round is open.")
    # bots of strangers
    BOT_ACCOUNT = "bot-account", 403, Text(
        "A bot cannot do this: it can only answer challenges, and challenge bots and its owner.")
    BOT_LIMIT = "bot-limit", 429, Text(
        "One of these bots has played {most} games against bots in 24 hours. Try tomorrow.")
    OWNED_LIMIT = "owned-limit", 409, Text("There are {most} already, the most allowed: remove one first.")
    # storage
    NOT_STORED = "not-stored", 503, Text("This could not be stored, so nothing was done. Try again in a moment.")
    OUTCOME_UNKNOWN = "outcome-unknown", 503, Text(
        "The server cannot answer right now, and what you sent may or may not have been done. Try again in a moment;"
        " a step that is sent twice is taken only once.")
    SHUTTING_DOWN = "shutting-down", 503, Text(
        "The server is stopping. Nothing is lost; the table comes back by itself.")
    DRAINING = "draining", 503, Text("No new games begin before the maintenance. Games that have begun go on.")
    # limits
    RATE_LIMIT = "rate-limit", 429, Text("Too many messages; wait a few seconds.")
    BUSY = "busy", 503, Text("The server is very busy. Ask again in a few seconds.")
    PAGE_LIMIT = "page-limit", 429, Text("Too many requests from this address; wait a few seconds.")
    TABLE_LIMIT = "table-limit", 429, Text("This address may open {most} tables in ten minutes; wait a few minutes.")
    CONNECTION_LIMIT = "connection-limit", 429, Text("Too many connections from this address.")
    SUBSCRIPTION_LIMIT = "subscription-limit", 429, Text(
        "One connection can follow at most 8 tables. Leave one first.")
    # requests
    BAD_MESSAGE = "bad-message", 400, Text("This message cannot be read: {why}")
    DONE_ALREADY = "done-already", 409, Text("This was sent before, and is done.")
    NO_COOKIE = "no-cookie", 403, Text("This form came without this site’s cookie, so nothing was done.")
    BAD_TOKEN = "bad-token", 401, Text(
        "Send the token that you were given, as the header “Authorization: Bearer TOKEN”.")
    OTHER_ORIGIN = "other-origin", 403, Text("This request came from another site.")
    TOO_LARGE = "too-large", 413, Text("This is too large.")
    NO_PAGE = "no-page", 404, Text("Page not found.")
    NO_CALL = "no-call", 404, Text("There is no such API call; /api/openapi.json lists them all.")
    BAD_RECORD = "bad-record", 400, Text("This record is not valid: {why}")
    # fmt: on


class Refused(Exception):
    """A request was refused.

    `data` fills the placeholders of its sentence. `wait_s` is the number of seconds after which the request
    may be repeated, or 0 where that is not known.
    """

    def __init__(self, code: ErrorCode, wait_s: int = 0, **data: object) -> None:
        super().__init__(code)
        self.code = code
        self.wait_s = wait_s
        self.data = data


def refusal_text(refused: Refused) -> Text:
    """Return the sentence of a refusal, with its reason."""
    parts: dict[str, Text | str | int] = {}
    for name, value in refused.data.items():
        assert isinstance(value, Text | str | int | list | tuple), value
        parts[name] = join_texts(map(plain, value)) if isinstance(value, list | tuple) else value
    if refused.code == ErrorCode.BAD_SEATS and "why" not in parts:
        parts["why"] = _seat_problem(refused)
    return refused.code.text.fill(**parts)


def _seat_problem(refused: Refused) -> Text:
    accepted = refused.data.get("accepted")
    if not isinstance(accepted, list | tuple):
        return CHOOSE_A_SEAT
    given = f"{refused.data['given']!r:.{MAX_QUOTED}}"
    return NONE_OF.fill(what=given, names=", ".join(accepted))


def headers_of(refused: Refused) -> dict[str, str]:
    """Return the HTTP headers that go with a refusal."""
    if refused.code == ErrorCode.BAD_TOKEN:
        return {"WWW-Authenticate": "Bearer"}
    wait_s = refused.wait_s or (UNAVAILABLE_WAIT_S if refused.code.status == UNAVAILABLE else 0)
    return {"Retry-After": str(wait_s)} if wait_s else {}
