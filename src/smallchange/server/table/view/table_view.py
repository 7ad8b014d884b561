"""Plain data from which pages are drawn: a table as one viewer sees it, its clock, times in words, lists of tables.

    history + the viewer's seats + the seats present  ->  TableView  ->  view.table.table_page

A TableView holds nothing that its viewer may not know, and nothing of the viewer but the seats held. So everyone
with the same seats, and the same side of the board at the bottom, shares one TableView and the markup drawn from it.
It is built once for each ply.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from smallchange.core.commitment import Envelope
from smallchange.core.options import Value
from smallchange.i18n.formats import clock_digits
from smallchange.i18n.text import Text, plain
from smallchange.render.scene import Scene, Touch
from smallchange.render.scene import Tally as SceneTally
from smallchange.server.table.model import command_events
from smallchange.server.table.model.clock import DAY_MS, MINUTE_MS, PRESETS, SECOND_MS, TimeControl
from smallchange.server.table.model.events import Extend
from smallchange.server.table.model.history import Fork, History, Origin, SeatRating, is_proven
from smallchange.server.table.model.outcome import Outcome
from smallchange.server.web import phrases as p

HOUR_MS = 60 * MINUTE_MS
USUAL_TIME = str(PRESETS[2])  # chosen on forms


class ClockView(NamedTuple):
    """The clock of a table as one viewer sees it at a time.

    `left_ms` is by seat, None for a bot. `running` is the seat on turn whose time passes until `deadline`, or None.
    `off_until` is, by seat, the time when its days off end, 0 for none. `abort`: may this viewer end the match
    without a result? `claim_at` is the time from which the viewer may claim it from the other player, who is away,
    or None. `given_back_ms` was given back by the last event, after the server could not be reached. With `first_turn`,
    the time that passes is the limit of a first turn.
    """

    control: TimeControl
    at: int
    left_ms: tuple[int | None, ...]
    running: int | None
    deadline: int | None
    off_until: tuple[int, ...]
    abort: bool
    claim_at: int | None
    given_back_ms: int
    first_turn: bool = False


def clock_view(
    history: History, held: tuple[int, ...], now: int, away_since: Mapping[int, int]
) -> ClockView | None:
    """Return the clock as the holder of these seats sees it now; None for a table without one."""
    clock = history.clock
    if clock is None:
        return None
    left: list[int | None] = list(clock.remaining(now))
    if clock.running is not None and clock.deadline is not None:
        left[clock.running] = max(0, clock.deadline - now)
    last = history.events[-1] if history.events else None
    return ClockView(
        clock.control,
        now,
        tuple(ms if on else None for ms, on in zip(left, clock.timed, strict=True)),
        clock.running,
        clock.deadline,
        tuple(until if until > now else 0 for until in clock.off_until),
        command_events.may_abort(history, held),
        command_events.claim_time(history, held, away_since),
        last.ms if isinstance(last, Extend) else 0,
        clock.first_turn,
    )


def control_text(control: TimeControl) -> Text:
    """Describe a time control."""
    if control.live:
        minutes, seconds = control.bank_ms // MINUTE_MS, control.increment_ms // SECOND_MS
        return p.LIVE_CONTROL.fill(minutes=minutes, seconds=seconds)
    days, in_hand = control.allowance_ms // DAY_MS, control.bank_ms // DAY_MS
    text = p.SLOW_CONTROL.fill(n=days, in_hand=in_hand)
    return p.WITH_WEEKENDS.fill(control=text) if control.rests_at_weekends else text


def turn_text(history: History, now: int) -> Text:
    """Say that it is the reader's turn; by correspondence, with the time that is left.

    It is given in minutes, so that a list does not change all the time.
    """
    clock = history.clock
    if clock is None or clock.control.live or clock.deadline is None:
        return p.YOUR_TURN
    left = max(0, clock.deadline - now)
    short = p.HOURS_AND_MINUTES.fill(hours=left // HOUR_MS, minutes=left % HOUR_MS // MINUTE_MS)
    return p.YOUR_TURN_FOR.fill(time=duration_text(left) if left >= DAY_MS else short)


def duration_text(ms: int) -> Text:
    """Return a time that is left, as a digital clock or in days and hours.

    >>> [duration_text(ms).en for ms in (0, 9_400, 303_000, 3_723_000, 100_000_000)]
    ['0:00', '0:10', '5:03', '1:02:03', '1 d 3 h']
    """
    if ms >= DAY_MS:
        return p.DAYS_AND_HOURS.fill(days=ms // DAY_MS, hours=ms % DAY_MS // HOUR_MS)
    return plain(clock_digits(ms))


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


class PlannedMove(NamedTuple):
    """A planned move: its line as `plans.py` spells it, in words, and the ids that one touches for it."""

    line: tuple[str, ...]
    text: Text
    path: tuple[str, ...] = ()


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
    plan: tuple[PlannedMove, ...] = ()  # what the viewer has planned
    plan_dropped: bool = False  # it fits no longer
    may_plan: bool = False  # the viewer may choose moves while another person is to move
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
        return bool(self.outcome) and self.started and not self.sealed

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
    """The content of the first page: every game's id, tables open to anyone, and the visitor's running games.

    `returns`: the visitor has played here before.
    """

    games: tuple[str, ...]
    open: tuple[ListedTable, ...]
    mine: tuple[ListedTable, ...]
    returns: bool
    challenges: tuple[dict[str, object], ...] = ()  # of the visitor, as rows
    on_now: OnNow = NOTHING
