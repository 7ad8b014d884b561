"""Every message over the socket, in and out. `read` is the only place where one is parsed.

A message is a JSON object whose `is` names its kind. Those that change something carry the match, the ply
that the sender saw, and a move id of the sender's making: the same id twice has one effect, and of two moves
for one ply one wins while the other gets `conflict` and the current position.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from .story import AGREED, PLAYED, RESIGNED, WITHDRAWN

FRAME = 8192  # the most bytes of one message from a client

ID = r"^[A-Za-z0-9_-]{8,40}(?!\n)$"  # to Python, $ is before a last newline too
MOST_PLY = 999_999  # no table has so many events
MatchId = Annotated[str, Meta(pattern=ID, description="The table's id, as in /m/ID.")]
Ply = Annotated[
    int, Meta(ge=0, le=MOST_PLY, description="How many events the sender has seen of this table.")
]
MoveId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="Made by the sender, new for every move, the same when it sends a move again.",
    ),
]
Token = Annotated[str, Meta(min_length=1, max_length=60, description="One of the legal tokens.")]


class In(Struct, tag_field="is", tag=str.lower, forbid_unknown_fields=True):
    """From a client."""


class Watch(In):
    """Follow a table from the ply known (-1: nothing yet). Answered with `shown` or, if nothing is new,
    `same`. With `drawn: false` the answers are for programs: always `told`, without pictures, but with tokens
    and legal moves. One connection follows at most 8 tables. While the database does not answer, the line is
    closed (1013): connect again."""

    match: MatchId
    ply: Annotated[int, Meta(ge=-1, le=MOST_PLY)] = -1
    drawn: bool = True


class Leave(In):
    """Stop following a table."""

    match: MatchId


class Ping(In):
    """Is anybody there? Answered with `pong`: a page is not told when its line swallows what it says."""


class Hint(In):
    """Ask what the best bot would do: for a player on their turn, where no other person plays. Answered with
    `hinted` when it is found; everything else goes on meanwhile. It is no deed: nothing changes."""

    match: MatchId
    ply: Ply


class Deed(In):
    """What changes a table."""

    match: MatchId
    ply: Ply
    move: MoveId


class Act(Deed):
    """Take a step."""

    token: Token


class Undo(Deed):
    """Take one's last decision back: free until chance has answered it. Not against another person:
    `offer`."""


class Resign(Deed):
    """Give the match up, or, while it waits for somebody to sit down, withdraw it."""


class Offer(Deed):
    """Offer the other player a draw, or ask to take one's last decision back. Who holds both seats of a game
    for two agrees on the draw by offering it: the match ends. A bot is offered nothing."""

    what: Literal["draw", "undo"]


class Answer(Deed):
    """Answer what was offered. To its own offer a side can only say no, which withdraws it."""

    yes: bool


class Out(Struct, tag_field="is", tag=str.lower, omit_defaults=True):
    """From the server."""


class Shown(Out):
    """The table at `ply`, drawn for this viewer. `html`: element id to its markup, only what differs from
    what this connection was sent before. `kept` rows of the log stay, `rows` follow them; `over` once the
    match has ended. `done` is the move id of the receiver's own deed, if this says that it is committed: no
    `done` follows."""

    match: str
    ply: int
    kept: int
    html: dict[str, str] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    over: bool = False
    done: str = ""


class Offered(Struct):
    """What `player` offers and nobody has answered yet."""

    what: Literal["draw", "undo"]
    player: str


class Ended(Struct):
    """How a match ended, in words too; who won (nobody in a draw, and in a game for one) and whether a game
    for one was `won` (null in others); each seat's score where it was played to the end, and the fields of
    the rulebook's result, among them the `reason` where there are several."""

    how: Annotated[str, Meta(extra_json_schema={"enum": [PLAYED, RESIGNED, AGREED, WITHDRAWN]})]
    text: dict[str, str]
    winners: list[str]
    won: bool | None
    scores: list[int | None]
    result: dict[str, Any]


class Told(Out):
    """The table at `ply` for a program. `actor` takes the next step ("" while a seat is free, null once
    over); `legal` are the tokens, if that is the receiver. `tokens` are the steps of the line from number
    `kept` on. `offered` stands until it is answered or a step is taken; `again` is the rematch's table."""

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


class Same(Out):
    """Nothing is new at this table."""

    match: str
    ply: int


class Done(Out):
    """The deed with this move id is committed: it was made for the table at `ply`, now further on."""

    match: str
    move: str
    ply: int


class Hinted(Out):
    """What the best bot would do at `ply`: `token`, the ids of what one touches for it (`marks`), and in the
    viewer's language the move and its odds (`text`)."""

    match: str
    ply: int
    token: str
    marks: list[str]
    text: str


class Conflict(Out):
    """Somebody was faster, or the sender's table is out of date: nothing was changed. `shown` follows, or
    `told`. `move` is empty where a hint was asked."""

    match: str
    move: str
    ply: int
    why: str


class Wrong(Out):
    """The message was refused. `code` is one of those in `refused.py`, `why` says it in the viewer's
    language."""

    code: str
    why: str
    match: str = ""
    move: str = ""


class Pong(Out):
    """The answer to `ping`."""


class Closing(Out):
    """The server stops, nothing is lost; connect again in a moment."""

    why: str


MESSAGES_IN = (Watch, Leave, Ping, Hint, Act, Undo, Resign, Offer, Answer)
MESSAGES_OUT = (Shown, Told, Same, Done, Hinted, Conflict, Wrong, Pong, Closing)

Message = Watch | Leave | Ping | Hint | Act | Undo | Resign | Offer | Answer

_decoder = msgspec.json.Decoder(Message)
_encoder = msgspec.json.Encoder()


class BadMessage(ValueError):
    """A message that is none of those listed; says what was wrong."""


def read(frame: str) -> Message:
    """The message of a frame.

    >>> read('{"is": "leave", "match": "abcdefgh"}')
    Leave(match='abcdefgh')
    >>> read('{"is": "cheat"}')
    Traceback (most recent call last):
    smallchange.web.wire.BadMessage: Invalid value 'cheat' - at `$.is`
    """
    if len(frame) > FRAME or len(frame.encode("utf-8", "replace")) > FRAME:
        raise BadMessage(f"a message has at most {FRAME} bytes")
    try:
        message: Message = _decoder.decode(frame)
        return message
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise BadMessage(f"{wrong!s:.120}") from None


def write(message: Out) -> bytes:
    """The frame of a message, a text in UTF-8."""
    return _encoder.encode(message)
