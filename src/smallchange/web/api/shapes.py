"""What programs send and get under /api, typed once: read by msgspec, described by /api/openapi.json."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from smallchange.web.refused import WHY
from smallchange.web.story import BOT, OPEN, PERSON
from smallchange.web.wire import MOST_PLY, Ended, MoveId, Offered, Ply, Token

Name = Annotated[str, Meta(max_length=200)]


class Body(Struct, forbid_unknown_fields=True):
    """What is posted."""


class NewMatch(Body):
    """A table to open. `seats`: player to `me`, `open` or `bot:NAME`; of those not named the first is `me`,
    unless one that is named is, and the others are `open`. `open`: list it in the lobby, for ten minutes and
    for as long as you follow it. `words`: your own random text, mixed into the luck."""

    game: str
    options: dict[str, bool | int | str] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=dict)
    name: Name = ""
    words: Name = ""
    open: bool = False


class Join(Body):
    """Who takes the seat."""

    name: Name = ""
    words: Name = ""


class Deed(Body):
    """Undo or resign, for the table as it was at `ply`."""

    ply: Ply
    move: MoveId


class Act(Deed):
    """A step, for the table as it was at `ply`."""

    token: Token


class Offer(Deed):
    """Offer a draw, or ask to take one's last move back. If you hold both seats, to offer a draw is to agree
    on it; a bot is offered nothing."""

    what: Literal["draw", "undo"]


class Answer(Deed):
    """Answer an offer, or withdraw your own by `yes`: false."""

    yes: bool


class Again(Body):
    """A rematch, with words of your own for its luck, or the same deal once more."""

    same: bool = False
    words: Name = ""


class Fork(Body):
    """Practice from the table after `at` steps."""

    at: Annotated[int, Meta(ge=0, le=MOST_PLY)]


class Option(Struct):
    """An option of a game."""

    name: str
    default: bool | int | str
    accepts: str
    text: dict[str, str]


class Game(Struct):
    """A game that can be played here."""

    id: str
    title: dict[str, str]
    tagline: dict[str, str]
    version: int
    players: list[str]
    minutes: int
    options: list[Option]


class Games(Struct):
    games: list[Game]
    bots: list[str]


class Seat(Struct):
    """Who sits where; nobody yet on one that is `open`."""

    player: str
    kind: Annotated[str, Meta(extra_json_schema={"enum": [OPEN, PERSON, BOT]})]
    name: str
    you: bool


class Match(Struct):
    """A table as the asker sees it. `options` are those that are not as by default. `ply` counts all that
    happened and goes with every deed; `tokens` are the steps that count; `actor` takes the next ("" while a
    seat is free, null once over) and `legal` is for it, if it is yours. `offered` stands until it is answered
    or a step is taken. `seal` is the SHA-256 of a secret that is opened (`secret`) when the match has ended;
    `proven`: all luck comes of it. `code` joins, shown only to those seated while a seat is free. `practice`
    is the match that this one is practice of, `again` the rematch's table."""

    match: str
    game: str
    version: int
    options: dict[str, Any]
    ply: int
    started: bool
    actor: str | None
    legal: list[str]
    says: dict[str, str]
    position: str
    tokens: list[str]
    seats: list[Seat]
    undo: bool
    offered: Offered | None
    ended: Ended | None
    seal: str
    secret: str | None
    code: str | None
    practice: str | None
    proven: bool
    again: str | None


class Seated(Struct):
    """A table where you have a seat now. Send `token` as `Authorization: Bearer ..` from now on; it is told
    once, and only if you brought none."""

    match: str
    token: str | None
    table: Match


class Done(Struct):
    """A deed that is committed: at `done` it stands in the table's history."""

    done: int
    table: Match


class Open(Struct):
    """A table that waits for somebody."""

    match: str
    game: str
    code: str
    name: str


class Opens(Struct):
    tables: list[Open]


class Own(Struct):
    """A match of your own, and how it ended."""

    match: str
    game: str
    over: bool
    your_turn: bool
    ended: Ended | None


class Owns(Struct):
    matches: list[Own]


class Verified(Struct):
    """Does a record hold: its steps, its bytes and its luck? `practice` is the match that it is practice of:
    who played it may have known its luck before."""

    holds: bool
    why: str
    practice: str = ""


class Choice(Struct):
    """A choice: the step that it was, from 1; the odds of winning after it, 0 to 1, null where the search did
    not look at it; the best move, the odds after that, and those that were given away, 0 where too few to
    tell. `exact`: the odds are those of perfect play, no estimate."""

    step: int
    player: str
    token: str
    odds: float | None
    best: str
    better: float
    exact: bool
    cost: float


class Account(Struct):
    """A player's match in chances of winning: what the first choice promised, less what the choices gave
    away, and the rest, which they do not explain, is the result: 1, 0.5 or 0. The last two are null in a
    match that was not played to its end."""

    player: str
    promised: float
    given: float
    result: float | None
    rest: float | None


class Review(Struct):
    """What the best bot makes of an ended match: of `total` choices `done` were looked at. All are told once
    all were: ask again."""

    done: int
    total: int
    choices: list[Choice] = field(default_factory=list)
    accounts: list[Account] = field(default_factory=list)


class Error(Struct):
    """Nothing was changed, but after `late` and `closing`, where this is not known yet: the same deed may be
    sent again. `table` is the current one, after a conflict. `why` is in the language of Accept-Language."""

    code: Annotated[str, Meta(extra_json_schema={"enum": sorted(WHY)})]
    why: str
    table: Match | None = None


def read(body: bytes, shape: type[Any]) -> Any:
    """The body as this shape; msgspec.ValidationError or DecodeError says what is wrong."""
    try:
        return msgspec.json.decode(body or b"{}", type=shape)
    except UnicodeDecodeError as wrong:
        raise msgspec.DecodeError(str(wrong)) from None
