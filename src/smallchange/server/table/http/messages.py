"""Messages of the WebSocket, in and out. `decode` is the only place where one is parsed.

A message is a JSON object whose `is` names its kind. Messages that change something carry the match, the ply
that the sender saw, and a command id (`move`) that the sender has made. The same id twice has one effect. A move
follows the last step before its ply: time given back, offers and their answers, days off and people who sit down
make no move stale, and its event may have another number. Of two moves that follow one step one succeeds; the
other gets `conflict` and the current position. An answer is to the offer that its sender saw.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, field

from smallchange.server.table.model.commands import (
    MAX_PLY,
    Abort,
    Answer,
    Claim,
    Hint,
    Offer,
    PlanMoves,
    PlayMove,
    Request,
    Resign,
    TableId,
    Undo,
)
from smallchange.server.table.model.events import How, Proposal

MAX_MESSAGE_BYTES = 8192  # the most bytes of one message from a client


class Watch(Request):
    """Follow a table from the ply known (-1: nothing yet).

    The answer is `changes` or, if nothing is new, `unchanged`. With `drawn: false` the answers are for programs:
    always `state`, without pictures, but with tokens and legal moves. One connection follows at most 8 tables.
    If the database does not answer, the connection is closed (1013): connect again.
    """

    match: TableId
    ply: Annotated[int, Meta(ge=-1, le=MAX_PLY)] = -1
    drawn: bool = True


class Leave(Request):
    """Stop following a table."""

    match: TableId


class Ping(Request):
    """Check that the connection is alive. The answer is `pong`.

    A page needs this, because the browser does not report a connection that silently loses messages.
    """


class Out(Struct, tag_field="is", tag=str.lower, omit_defaults=True, kw_only=True):
    """A message from the server. `now` is its time in milliseconds since 1970 when the message was made."""

    now: int = 0


class Turn(Struct, omit_defaults=True):
    """A turn before the present one. Show `html` for a moment, with the rows of the log up to `at`."""

    at: int
    html: dict[str, str]


class Changes(Out, eq=False):
    """The table at `ply`, drawn for this viewer.

    `html` maps element ids to markup; it has only what differs from what was sent before over this
    connection. An element with the attribute `data-kept` stands for the one with its id on the page. Keep the first
    `kept` rows of the log; `rows` follow them. `over` is true once the match has ended. `ack` is the command id of the
    receiver's own command, which this message confirms: no `ack` message follows. `turns` are the turns before the
    present one that were not sent yet; `html` holds the changes since the last of them.
    """

    match: str
    ply: int
    kept: int
    html: dict[str, str] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    over: bool = False
    ack: str = ""
    turns: list[Turn] = field(default_factory=list)


class Offered(Struct):
    """An offer of `player` that has not been answered."""

    what: Annotated[str, Meta(extra_json_schema={"enum": [what.name.lower() for what in Proposal]})]
    player: str


class Ended(Struct):
    """The end of a match, with the sentence in each language.

    `winners` is empty in a draw, and in a game for one. `won` says whether a game for one was won; it is null
    in other games. `scores` has each seat's score, if the match was played to its end. `result` has the
    fields of the rulebook's result, among them the `reason` where there are several. `by` is the
    player who resigned, ran out of time or left.
    """

    how: Annotated[str, Meta(extra_json_schema={"enum": list(How)})]
    text: dict[str, str]
    winners: list[str]
    won: bool | None
    scores: list[int | None]
    result: dict[str, Any]
    by: str | None = None


class Clock(Struct):
    """The clock of a table at the time `now`.

    Times are in milliseconds since 1970, durations in milliseconds. `left` is the time that each player with a clock
    has. That of the player who is `running` ends at `deadline`. Both are null while no clock runs.
    """

    now: int
    left: dict[str, int]
    running: str | None
    deadline: int | None


class TableState(Out, tag="state"):
    """The table at `ply`, for a program.

    `actor` takes the next step ("" while a seat is free, null once the match is over). `legal` has the legal
    tokens, if that is the receiver. `tokens` are the steps of the line from number `kept` on. `offered`
    stands until it is answered or a step is taken, a draw until the other takes one. `again` is the id of the
    rematch. In a game by memory that goes on, no steps before the last turn are sent, and `?` stands in `position`
    for what they told.
    """

    match: str
    ply: int
    actor: str | None
    legal: list[str]
    kept: int
    tokens: list[str]
    position: str
    over: bool = False
    offered: Offered | None = None
    ended: Ended | None = None
    again: str | None = None
    clock: Clock | None = None


class Unchanged(Out):
    """Nothing is new at this table."""

    match: str
    ply: int


class Ack(Out):
    """The command with this id is committed. It was made for the table at `ply`, which is further on now."""

    match: str
    move: str
    ply: int


class HintFound(Out, tag="hint-found"):
    """The best bot's move at `ply`.

    `token` is the move, `marks` has the ids of the things one touches for it, and `text` is the move and its
    odds in the viewer's language. A client may show it in three steps: `nudge`, which says what to touch first,
    with the ids `first`; then `text`; then `why`, the reasons. A `guess` comes at once where the best bot takes longer,
    and its hint follows.
    """

    match: str
    ply: int
    token: str
    marks: list[str]
    text: str
    nudge: str
    first: list[str]
    why: str
    guess: bool = False


class Conflict(Out):
    """Another command was faster, or the sender's table is out of date: nothing was changed.

    `changes` follows, or `state`. `move` is empty where a hint was asked for.
    """

    match: str
    move: str
    ply: int
    why: str


class Refusal(Out):
    """The message was refused. `code` is listed below, `why` is the reason in the viewer's language."""

    code: str
    why: str
    match: str = ""
    move: str = ""


class Spectators(Out):
    """The number of spectators has changed: those who follow the table without a seat. `text` says so in words."""

    match: str
    number: int
    text: str


class Pong(Out):
    """The answer to `ping`."""


class Closing(Out):
    """The server stops. Nothing is lost; connect again in a moment."""

    why: str


MESSAGES_IN = (Watch, Leave, Ping, Hint, PlayMove, Undo, Resign, Offer, Answer, Abort, Claim, PlanMoves)
MESSAGES_OUT = (Changes, TableState, Unchanged, Ack, HintFound, Conflict, Refusal, Spectators, Pong, Closing)

Message = Watch | Leave | Ping | Hint | PlayMove | Undo | Resign | Offer | Answer | Abort | Claim | PlanMoves

_decoder = msgspec.json.Decoder(Message)
_encoder = msgspec.json.Encoder()


class BadMessage(ValueError):
    """A message that is not one of those listed. The error says why."""


def decode(frame: str) -> Message:
    """Return the message of a frame. Raise BadMessage.

    >>> decode('{"is": "leave", "match": "abcdefgh"}')
    Leave(match='abcdefgh')
    >>> decode('{"is": "cheat"}')
    Traceback (most recent call last):
    smallchange.server.table.http.messages.BadMessage: Invalid value 'cheat' - at `$.is`
    """
    if len(frame) > MAX_MESSAGE_BYTES or len(frame.encode("utf-8", "replace")) > MAX_MESSAGE_BYTES:
        raise BadMessage(f"a message has at most {MAX_MESSAGE_BYTES} bytes")
    try:
        message: Message = _decoder.decode(frame)
        return message
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise BadMessage(f"{wrong!s:.120}") from None


def encode(message: Out) -> bytes:
    """Return the frame of a message, as UTF-8."""
    return _encoder.encode(message)
