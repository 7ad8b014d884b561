"""Commands: all requests that can be made of a table, with the limits of each field, and the set phrases of players.

They are defined once. The messages of the WebSocket, the forms and the bodies of the JSON API are made of
them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct, field

from smallchange.core.game import games
from smallchange.server.table.model.clock import TIME_PATTERN

MAX_NAME, MAX_WORDS = 40, 100  # characters
ID_PATTERN = r"^[A-Za-z0-9_-]{8,40}(?!\n)$"  # to Python, $ is before a last newline too
MAX_PLY = 999_999  # no table has so many events
MAX_LINES, MAX_LINE_STEPS = 40, 40  # of a plan

Id = Annotated[str, Meta(pattern=ID_PATTERN)]
TableId = Annotated[str, Meta(pattern=ID_PATTERN, description="The table's id, as in /m/ID.")]
JoinCode = Annotated[
    str, Meta(pattern="^[a-z2-7]{26}$", description="The code of a join link, as in /j/CODE.")
]
GameId = Annotated[
    str, Meta(extra_json_schema={"enum": games()})
]  # who takes it refuses others by a sentence
Time = Annotated[str, Meta(max_length=20, extra_json_schema={"pattern": TIME_PATTERN})]  # the same
Ply = Annotated[
    int, Meta(ge=0, le=MAX_PLY, description="The number of events of this table that the sender has seen.")
]
CommandId = Annotated[
    str,
    Meta(
        pattern=ID_PATTERN,
        description="Chosen by the sender: new for every move, the same when a move is sent again.",
    ),
]
Token = Annotated[str, Meta(min_length=1, max_length=60, description="One of the legal tokens.")]
Name = Annotated[str, Meta(max_length=200)]


class Request(Struct, tag_field="is", tag=str.lower, forbid_unknown_fields=True):
    """A request of a client. `is` names its kind."""


class Command(Request):
    """A request that changes a table, made for the table as it was at `ply`.

    The same command id, `move` in messages, twice has one effect. Of two commands that follow one step one succeeds and
    the other is refused as a conflict.
    """

    match: TableId
    ply: Ply
    command_id: CommandId = field(name="move")


class PlayMove(Command, tag="act"):
    """Take a step."""

    token: Token


class Undo(Command):
    """Take your last decision back, unless chance has answered it. Against another person, `offer` an undo."""


class Resign(Command):
    """Resign the match, or withdraw a table where a seat is still free."""


class Abort(Command):
    """End a match with a time control before each side has taken a turn. It counts for nobody."""


class Claim(Command):
    """Claim the win or a draw of a live match, when the other player has been away for a minute."""

    what: Literal["win", "draw"]


class Offer(Command):
    """Offer the other player a draw, or ask to take your last decision back.

    Once the match is over, ask for a rematch. If you hold both seats, offering a draw ends the match. Bots
    accept no offer but a rematch. A rematch opens at once against a bot, and where the other player has asked
    for one.
    """

    what: Literal["draw", "undo", "rematch"]


class Answer(Command):
    """Answer an offer.

    The side that made the offer can only answer no, which withdraws it. Accepting a rematch opens it.
    """

    yes: bool


class PlanMoves(Command, tag="plan"):
    """Plan moves of your own for when others and chance have moved. No `lines` remove the plan; nobody else sees it.

    A line has the steps to come from `ply` on: `*` stands for any steps of others and of chance, `!TOKEN` for a move of
    yours, a token alone for a step of others or of chance. `["*", "heads:3", "!enter"]` answers a throw of three.
    The first line that fits counts. A line that fits no longer is dropped. `more` keeps the lines that were planned
    before, but for those that differ in their last move alone.
    """

    lines: Annotated[
        list[Annotated[list[Token], Meta(min_length=1, max_length=MAX_LINE_STEPS)]],
        Meta(max_length=MAX_LINES),
    ]
    more: bool = False


class Hint(Request):
    """Ask for the best bot's move, on your turn, where no other person plays.

    The answer is `hint-found`, as soon as the move is found; other messages are handled meanwhile. The table does
    not change.
    """

    match: TableId
    ply: Ply


def word_of(kind: type[Request]) -> str:
    """Return the word for a kind of request in messages, forms and calls: its `is`.

    >>> word_of(PlayMove), word_of(Undo)
    ('act', 'undo')
    """
    return str(kind.__struct_config__.tag)


class NewTable(Struct, forbid_unknown_fields=True):
    """Open a table.

    `seats` maps a player to `me`, `open` or `bot:NAME`. If no player is `me`, the first player without an entry
    is; the other players without an entry are `open`. `open`: list the table in the lobby, for ten minutes and
    for as long as you follow it, and among the games to watch once it has begun. `words`: your own random text,
    mixed into the luck. `time`: the time control of a game for two, live as `5+3` (minutes + seconds a turn),
    by correspondence as `1d+3d` (days a turn + days in hand; `1d+3dw` pauses at weekends), empty for none.
    `toss`: a toss decides who has which side, wherever `seats` puts them. `rated`: the match counts for both
    ratings; it is between two accounts, with a time control, and as in the rulebook. `difficulty`: of a game for
    one, as in the rulebook, look for a deal that the best bot finds `easy`, `medium` or `hard` at its start; empty for
    any deal that leaves its player a choice.
    """

    game: GameId
    options: dict[str, bool | int | str] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=dict)
    name: Name = ""
    words: Name = ""
    open: bool = False
    time: Time = ""
    toss: bool = False
    rated: bool = False
    difficulty: Annotated[str, Meta(max_length=10)] = ""


class Join(Struct, forbid_unknown_fields=True):
    """Take a free seat."""

    name: Name = ""
    words: Name = ""


class Rematch(Struct, forbid_unknown_fields=True):
    """Play again: with the seats swapped, or for `same`, the same deal once more for yourself.

    Against another person this asks for a rematch, or accepts it where they have asked. `words` are mixed
    into the luck of a rematch that this opens.
    """

    same: bool = False
    words: Name = ""


class DaysOff(Struct, forbid_unknown_fields=True):
    """Stop all your clocks by correspondence for so many days, from your yearly stock; with 0 end those that go on."""

    days: Annotated[int, Meta(ge=0, le=365)]


class Fork(Struct, forbid_unknown_fields=True):
    """Practise from the table as it was after `at` steps."""

    at: Annotated[int, Meta(ge=0, le=MAX_PLY)]


TableCommand = PlayMove | Undo | Resign | Offer | Answer | Abort | Claim | PlanMoves


PHRASES = ("hello", "luck", "well-played", "thanks", "moment", "leaving")  # stored, so never renamed
MAX_REMARKS = 20  # of a seat at a table
SHOWN_PLIES = 2  # events after which a remark is shown no more


class Remark(NamedTuple):
    """A phrase that the player of a seat said when the table had `ply` events."""

    seat: int
    phrase: str
    ply: int


class Remarks(NamedTuple):
    """The last remark of each seat, the latest last, and the seats that do not hear others."""

    last: tuple[Remark, ...] = ()
    muted: frozenset[int] = frozenset()

    def audible(self, seats: Collection[int], ply: int) -> list[Remark]:
        """Return the recent remarks that the holder of these seats is shown, once the table has `ply` events.

        >>> said = Remarks((Remark(0, "hello", 4), Remark(1, "luck", 6)))
        >>> [one.phrase for one in said.audible([0], 6)], said.audible([], 6), said.audible([0], 9)
        (['hello', 'luck'], [], [])
        >>> [one.phrase for one in said._replace(muted=frozenset([0])).audible([0], 6)]
        ['hello']
        """
        recent = [one for one in self.last if seats and ply - one.ply <= SHOWN_PLIES]
        return [one for one in recent if one.seat in seats or not self.muted.intersection(seats)]
