"""Plain data from which pages are drawn: a table as one viewer sees it, and lists of tables.

    history + the viewer's seats + the seats present  ->  TableView  ->  view.table.table_page

A TableView holds nothing that its viewer may not know, and nothing of the viewer but the seats held. So everyone
with the same seats, and the same side of the board at the bottom, shares one TableView and the markup drawn from it.
It is built once for each ply.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from smallchange.core.commitment import Envelope
from smallchange.core.options import Value
from smallchange.i18n.text import Text, plain
from smallchange.render.scene import Scene, Touch
from smallchange.render.scene import Tally as SceneTally
from smallchange.server.table.model.history import SeatRating
from smallchange.server.table.model.origins import Fork, Origin, is_proven
from smallchange.server.table.model.outcome import Outcome
from smallchange.server.table.model.time_control import TimeControl
from smallchange.server.table.view.clock_view import ClockView

NO_TEXT = plain("")


class Choice(NamedTuple):
    """An action that the viewer may take now: its token, its description, and the things touched for it.

    The ids in `touch` are those of `TableView.scene`.
    """

    token: str
    text: Text
    touch: Touch


class LogEntry(NamedTuple):
    """One line of the log: a step in words.

    `number` counts the steps from 1; /m/ID?at=NUMBER shows the table right after it. `seat` is the index of the
    seat that took it, -1 for chance. `decided` is the number of decisions so far: steps not taken by chance.
    """

    number: int
    seat: int
    actor: str
    token: str
    text: Text
    decided: int


class SeatView(NamedTuple):
    """A seat as the page shows it.

    `kind` is "open", "person" or "bot". `name` is the name that the person typed, "" for no name, or the bot's
    name; show it as text, never as markup. `you`: the viewer holds it. `here`: its holder is present.
    """

    player: str
    title: Text
    kind: str
    name: str
    you: bool
    turn: bool
    here: bool
    rating: SeatRating | None = None  # at a rated table


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one kind of viewer sees it: everything that its page shows.

    There are no choices if the view looks `back`.
    """

    match: str  # the table's id; its page is /m/MATCH
    ply: int  # the number of events so far, which forms and messages that change something name
    move_count: int  # decisions among the steps that count
    length: int  # steps that count
    at: int  # the number of them that this view shows
    back: bool  # the view looks back to an earlier step
    is_over: bool = False  # the match has ended, whichever step the view shows
    game: str  # the game's id
    title: Text  # of the game
    options: dict[str, Value]  # those that differ from their defaults
    scene: Scene  # the pieces; each keeps its id from ply to ply
    tallies: tuple[SceneTally, ...]  # of the scene
    marking: tuple[Text, Text] | None  # the game's words for marking pieces: above them, and on the button
    choices: tuple[Choice, ...] = ()  # () unless it is the viewer's turn
    last_turn: Text  # the last turn in words; before the first decision, the aim of the game
    prompt: Text  # whose turn it is and what to do; at the end, the result
    log: tuple[LogEntry, ...]  # oldest first
    last_touched: tuple[str, ...]  # ids of the pieces and spots that the last decision touched
    rolled_ids: tuple[str, ...]  # ids of the pieces that chance answered with; dice stay until the next throw
    preview: tuple[str, ...]  # ids of the spots that are open, though that is no move yet
    phase: str  # the rulebook's anchor for this moment, as in /rules/GAME#PHASE
    decision: Text  # the thing to decide, in a few words; "" where chance is next, and at the end
    seats: tuple[SeatView, ...] = ()
    own_seats: tuple[int, ...] = ()  # the seats that the viewer holds; () for a spectator
    presence: Text = NO_TEXT  # who is present, as a sentence; may be ""
    outcome: Outcome | None  # None while the match goes on
    started: bool  # every seat is taken
    invite_path: str | None = None  # of the join link, for those seated, while a seat is free
    undo_text: Text | None = None  # what Undo would do; None where it is not possible
    undo_rule: Text  # what may be undone at this table
    possible_offers: tuple[str, ...] = ()  # "draw", "undo", or after the end "rematch"
    offer_text: Text | None = None  # the offer that stands
    declined_text: Text | None = None  # the offer that was just declined or withdrawn
    may_answer: bool = False  # the viewer may answer the offer
    may_resign: bool = False  # or withdraw a table that waits for a player
    has_luck: bool  # chance decides something in this game
    envelope: Envelope  # without its secret until the end
    origin: Origin  # such as the table that this practice table was forked from
    sealed: bool  # only its player may see it, until the day has closed
    may_review: bool  # /m/MATCH/review is there
    may_fork: bool = False  # POST /m/MATCH/fork opens a practice table
    rematch: str | None  # the id of the rematch
    alone: bool  # one person holds every seat without a bot
    rated: bool = False  # the match counts for both ratings
    unrated_why: Text | None = None  # the reason why a rated match that has ended counts for nobody
    clock: ClockView | None = None  # None without a time control
    remarks: tuple[Text, ...] = ()  # what was said lately by set phrases, as far as the viewer hears it
    muted: bool = False  # the viewer hears none of them
    by_memory: bool = False  # the log is out of sight until the match is over
    turn: int = 0  # quarters by which the board is turned counter-clockwise
    local: bool = False  # the table is on no server, but in the browser alone
    may_bring: bool = False  # from there to a server, which offers it

    @property
    def parent(self) -> str | None:
        """The id of the table that this practice table was forked from; None at another table."""
        return self.origin.parent if isinstance(self.origin, Fork) else None

    @property
    def can_share(self) -> bool:
        """Return whether there is a result that everybody may see."""
        return bool(self.outcome) and self.started and not self.sealed and not self.local

    @property
    def is_proven(self) -> bool:
        """Return whether the luck of the match can be verified."""
        return is_proven(self.origin)


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table in a list: of the lobby, or of the visitor's own.

    `options` are those that differ from their defaults and change something on the board. `who` names the
    opponent; it may be empty. `at` is the time of the last event, in milliseconds since 1970.
    """

    match: str
    game: str
    title: Text
    options: dict[str, Value]
    players: tuple[SeatView, ...]
    who: Text
    state: Text
    over: bool
    your_turn: bool
    at: int
    practice: bool
    code: str | None = None
    control: TimeControl | None = None
    rated: bool = False
    offline: bool = False  # played without a connection, and brought here


class WatchedTable(NamedTuple):
    """A running game that anybody may find and watch.

    `points` is the mean of its players' ratings, None at a table that is not rated.
    """

    listed: ListedTable
    scene: Scene
    points: float | None
    spectators: int


class Tally(NamedTuple):
    """The results of one person's matches of a game, against one kind of opponent (may be empty)."""

    title: Text
    against: Text
    won: int
    drawn: int
    lost: int


class OnNow(NamedTuple):
    """A running game, and the best results with today's deals, each after the title of its game."""

    watched: WatchedTable | None = None
    best: tuple[tuple[Text, Text], ...] = ()


NOTHING = OnNow()


@dataclass(frozen=True, slots=True)
class LobbyView:
    """The content of the first page: every game's id, tables open to anyone, and the visitor's running games."""

    games: tuple[str, ...]
    open: tuple[ListedTable, ...]
    mine: tuple[ListedTable, ...]
    challenges: tuple[dict[str, object], ...] = ()  # of the visitor, as rows
    on_now: OnNow = NOTHING
