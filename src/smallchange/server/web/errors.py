"""Refusals: the code of every refusal, and the exception that carries it.

The codes are part of the protocol: programs read them. Their sentences are in `view/refusal_texts.py`, their
HTTP statuses in `http/status.py`.
"""

from __future__ import annotations

from enum import StrEnum


class ErrorCode(StrEnum):
    """The code of a refusal.

    A refusal has changed nothing. Only after OUTCOME_UNKNOWN and SHUTTING_DOWN is this not known yet.
    """

    # the table and its rules
    NO_TABLE = "match"
    SEALED = "sealed"
    RULES_CHANGED = "rules"
    SPECTATOR = "spectator"
    NOT_STARTED = "waiting"
    NOT_YOUR_TURN = "turn"
    UNKNOWN_TOKEN = "token"
    ILLEGAL = "illegal"
    MARKS = "marks"
    OVER = "over"
    WITHDRAWN = "withdrawn"
    CONFLICT = "conflict"
    COMMAND_ID_USED = "used"
    NOTHING_TO_UNDO = "undo"
    TOO_MANY_EVENTS = "long"
    TABLE_FULL = "full"
    MUST_ASK_TO_UNDO = "ask"
    CANNOT_OFFER = "offer"
    NO_OFFER = "answer"
    REMARK_LIMIT = "remarks"
    SEAT_TAKEN = "taken"
    BAD_SEATS = "seats"
    BAD_NAME = "name"
    BAD_OPTIONS = "options"
    NO_REMATCH = "again"
    CANNOT_FORK = "fork"
    BY_MEMORY = "memory"
    BAD_TIME = "time"
    CANNOT_RATE = "rated"
    OUT_OF_TIME = "flag"
    CANNOT_ABORT = "abort"
    CANNOT_CLAIM = "claim"
    NO_DAYS_OFF = "days"
    BAD_STEP = "step"
    # bots
    NO_HINT = "hint"
    RATED_AGAINST_BOT = "rated-bot"
    NO_REVIEW = "review"
    BOTS_BUSY = "thinking"
    BOT_FAILED = "failed"
    # accounts
    SHORT_NAME = "short"
    NAME_TAKEN = "known"
    BAD_PASSWORD = "password"
    EASY_PASSWORD = "guessed"
    CREDENTIAL_NEEDED = "credential"
    WRONG_PASSWORD = "current"
    SIGN_IN_FAILED = "account"
    BAD_PASSKEY = "passkey"
    LAST_CREDENTIAL = "last"
    ATTEMPT_LIMIT = "attempts"
    NO_ACCOUNT = "signed-out"
    UNKNOWN_ACCOUNT = "nobody"
    BANNED = "banned"
    BAD_REPORT = "report"
    BAD_NETWORK = "network"
    BAD_CONTACT = "contact"
    # meeting
    BAD_WISH = "wish"
    CANNOT_MEET = "meet"
    NO_CHALLENGE = "challenge"
    NO_SEEK = "seek"
    CHALLENGE_LIMIT = "challenges"
    # tournaments
    NO_TOURNAMENT = "no-tournament"
    BAD_TOURNAMENT = "tournament"
    TOURNAMENT_LIMIT = "tournaments"
    CANNOT_ENTER = "enter"
    NOT_OPENER = "opener"
    BAD_BOT_COUNT = "bot-count"
    NO_DEAL = "deal"
    # bots of strangers
    BOT_ACCOUNT = "bot"
    BOT_LIMIT = "bot-games"
    OWNED_LIMIT = "bots"
    # storage
    NOT_STORED = "busy"
    OUTCOME_UNKNOWN = "late"
    SHUTTING_DOWN = "closing"
    DRAINING = "draining"
    # limits
    RATE_LIMIT = "credits"
    BUSY = "heavy"
    PAGE_LIMIT = "pages"
    TABLE_LIMIT = "tables"
    CONNECTION_LIMIT = "sockets"
    SUBSCRIPTION_LIMIT = "followed"
    # requests
    BAD_MESSAGE = "message"
    NO_COOKIE = "cookie"
    BAD_TOKEN = "bearer"
    OTHER_ORIGIN = "origin"
    TOO_LARGE = "size"
    NO_PAGE = "page"
    NO_CALL = "call"
    BAD_RECORD = "record"


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
