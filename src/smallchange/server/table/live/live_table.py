"""A live table: one table in memory, with its history, its watchers, its presence, and the views drawn of it."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from msgspec import structs

from smallchange.core import record
from smallchange.core.errors import BadRecord
from smallchange.core.match import Match
from smallchange.render.markup_diff import Markup
from smallchange.server.database.bus import Notice
from smallchange.server.table.model.clock import Pause
from smallchange.server.table.model.commands import Remarks
from smallchange.server.table.model.events import Event
from smallchange.server.table.model.history import Daily, History, SealedDeal, Seat, SeatRating
from smallchange.server.table.model.plans import Plan
from smallchange.server.table.view.board import quarter_turns
from smallchange.server.table.view.table_page import SharedParts, draw_shared, seat_parts
from smallchange.server.table.view.table_view import ClockView, TableView, clock_view
from smallchange.server.table.view.timeline import Timeline
from smallchange.server.table.view.viewer import SharedView, shared_view, view_for

T = TypeVar("T")
TOUCH_PERIOD_MS = 5_000  # between notices that somebody without a window is here
SPECTATORS_AT_ONCE = 100  # who are notified of a change before other work goes on
PRESENCE_TIMEOUT_S = 10.0  # after which a notice of who is present, or on the way, no longer counts


class LiveTable:
    """A table in memory.

    Hold `lock` to change it. Readers need no lock, because a history changes in one go.
    """

    def __init__(self, history: History, now: Callable[[], int]) -> None:
        self.history = history
        self.now = now  # milliseconds since 1970
        self.used_at = now()  # when somebody asked for it last, or left it
        self._left: dict[int, int] = {}  # seat: the time since when it is away, as this process knows
        self.lock = asyncio.Lock()
        # with their seats, in the order in which they came
        self.watchers: dict[Callable[[], None], Sequence[int]] = {}
        self._unnotified: dict[Callable[[], None], None] = {}  # spectators who do not know of the last change
        self.spectators = 0  # everywhere, as watchers were told last
        self.arrived = set[int]()  # the seats whose players were here, at this process
        self.on_arrival: Callable[[Collection[int]], None] = lambda seats: None  # for the first time
        self.thinking = False  # whether a bot is being asked
        self.following_plan = False  # whether a planned move is being played
        self.slow_commit: Pause = 0, 0  # in which the running turn was stored here, where that took long
        self.absences: Sequence[Pause] = ()  # of the process by which the running seat came
        self.timeline = Timeline(history.head.game)
        self._seated: Counter[int] = Counter()  # seat: how many of its windows are open here
        self._expected: dict[int, float] = {}  # seat: the time since when its first window is awaited
        # seats, spectators and when they were told, by process
        self._elsewhere: dict[str, tuple[tuple[int, ...], int, float]] = {}
        self._shown_present: tuple[int, ...] = ()  # the seats present that watchers know of
        self._cache: dict[Hashable, object] = {}  # until the table changes
        self._verified: asyncio.Future[bool] | None = None  # whether the record is valid, once asked

    @property
    def idle(self) -> bool:
        """Return whether the table may leave memory."""
        return not self.watchers and not self.lock.locked() and not self.thinking

    @property
    def seated_here(self) -> tuple[int, ...]:
        """The seats with a window open on this process, or about to be."""
        here = {seat for seat, n in self._seated.items() if n > 0}
        if self._expected:
            since = time.monotonic() - PRESENCE_TIMEOUT_S
            here.update(seat for seat, at in self._expected.items() if at > since)
        return tuple(sorted(here))

    @property
    def present(self) -> tuple[int, ...]:
        """The seats with a window open anywhere."""
        if not self._elsewhere:
            return self.seated_here
        since = time.monotonic() - PRESENCE_TIMEOUT_S
        elsewhere = {seat for seats, _, at in self._elsewhere.values() if at > since for seat in seats}
        return tuple(sorted(elsewhere.union(self.seated_here)))

    @property
    def spectators_here(self) -> int:
        """The number of watchers without a seat on this process."""
        return sum(1 for seats in self.watchers.values() if not seats)

    def count_spectators(self) -> None:
        """Count the spectators everywhere, and notify the watchers if their number has changed.

        It is called every few seconds, so that thousands who come at once are told of once.
        """
        since = time.monotonic() - PRESENCE_TIMEOUT_S
        number = self.spectators_here + sum(n for _, n, at in self._elsewhere.values() if at > since)
        number = rounded_count(number)
        if number != self.spectators:
            self.spectators = number
            self._notify()

    @property
    def away_since(self) -> dict[int, int]:
        """The seats without a window open anywhere, each with the time since when."""
        return self._left

    def append(
        self, events: Sequence[Event], seats: Sequence[Seat] | None = None, after: Match | None = None
    ) -> bool:
        """Append committed events, and notify the watchers. Return whether another turn has begun."""
        before = self.history.clock
        self.history.append(events, seats, after)
        clock = self.history.clock
        begun = clock is None or before is None or clock.turn_number != before.turn_number
        if begun:
            self.slow_commit, self.absences = (0, 0), ()
        self._drop_views()
        return begun

    def set_rematch(self, id: str) -> None:
        """Set the rematch of this table, and notify the watchers."""
        if self.history.rematch != id:
            self.history.rematch = id
            self._drop_views()

    def set_ratings(self, ratings: tuple[SeatRating | None, ...]) -> None:
        """Set the ratings at this table, and notify the watchers."""
        if self.history.ratings != ratings:
            self.history.ratings = ratings
            self._drop_views()

    def set_asides(self, remarks: Remarks, plans: Mapping[int, Plan]) -> None:
        """Set what was said at this table, and what its seats plan, and notify the watchers."""
        if (self.history.remarks, self.history.plans) != (remarks, plans):
            self.history.remarks, self.history.plans = remarks, plans
            self._drop_views()

    def put_off(self, closes_at: int) -> None:
        """Keep the table of a sealed deal sealed until another time."""
        origin = self.history.head.origin
        assert isinstance(origin, Daily | SealedDeal)
        self.history.head = replace(self.history.head, origin=origin.until(closes_at))

    def keep_presence(self) -> None:
        """Let whoever is present elsewhere stay so, and nobody be away yet: nothing is heard of other processes."""
        heard_at, now = time.monotonic(), self.now()
        self._elsewhere = {name: (seats, n, heard_at) for name, (seats, n, _) in self._elsewhere.items()}
        self._left = dict.fromkeys(self._left, now)

    def reveal(self) -> None:
        """Open the table to everybody, and notify the watchers."""
        self.history.sealed = False
        self._verified = None
        self._drop_views()

    def note_presence(self, notice: Notice) -> None:
        """Note the seats that are present at another process."""
        if notice.here is None:
            return
        self._elsewhere[notice.sender] = (notice.here, notice.spectators, time.monotonic())
        self.refresh_presence()

    def refresh_presence(self) -> None:
        """Notify the watchers if the seats present have changed, also because another process has ended."""
        present = self.present
        if present != self._shown_present or not self._left:
            everyone, now = range(len(self.history.seats)), self.now()
            self._left = {seat: self._left.get(seat, now) for seat in everyone if seat not in present}
        if present != self._shown_present:
            self._shown_present = present
            self._drop_views()

    def expect_sitter(self, seat: int) -> None:
        """Count a seat that was just taken as present, until its page opens."""
        self._expected[seat] = time.monotonic()
        self.refresh_presence()

    def touch(self, seats: Sequence[int]) -> None:
        """Note that the holder of these seats has asked for the table: who has no window open may be here too."""
        self.note_arrival(seats)
        now, away = self.now(), [seat for seat in seats if seat in self._left]
        noticed = any(now - self._left[seat] > TOUCH_PERIOD_MS for seat in away)
        self._left.update(dict.fromkeys(away, now))
        if noticed and self.history.clock:
            self._drop_views()

    def note_arrival(self, seats: Sequence[int]) -> None:
        """Note that the players of these seats are at the table, which counts where a match has a clock."""
        new = set(seats) - self.arrived
        if new and self.history.head.control and not self.history.ending:
            self.arrived |= new
            self.on_arrival(new)

    def watch(self, notify: Callable[[], None], seats: Sequence[int]) -> None:
        """Call `notify` after every change; `seats` are present from now on."""
        for seat in seats:
            self._expected.pop(seat, None)
        self.watchers[notify] = seats
        self.note_arrival(seats)
        self._seated.update(seats)
        self.refresh_presence()

    def leave(self, notify: Callable[[], None], seats: Sequence[int]) -> None:
        """Stop calling `notify`. `seats` leave with it."""
        self.used_at = self.now()
        self.watchers.pop(notify, None)
        self._seated.subtract(seats)
        self.refresh_presence()

    def view(self, held: tuple[int, ...], own_side: bool = False) -> TableView:
        """Return the table as the holder of these seats sees it now; with `own_side`, that side at the bottom."""
        turn = self.turn(held, own_side)

        def draw() -> TableView:
            shared = self.draw_once("shared", self._shared_view)
            return view_for(self.history, shared, held, self.clock(held), turn)

        return self.draw_once(("view", held, turn), draw)

    def turn(self, held: tuple[int, ...], own_side: bool) -> int:
        """Return the quarters by which the board is turned for the holder of these seats."""
        return quarter_turns(self.history.head.game, held) if own_side else 0

    def view_now(self, held: tuple[int, ...], own_side: bool = False) -> TableView:
        """Return the same, with a clock that has gone on since the table changed."""
        view = self.view(held, own_side)
        return view if view.clock is None else structs.replace(view, clock=self.clock(held))

    def clock(self, held: tuple[int, ...]) -> ClockView | None:
        """Return the clock as the holder of these seats sees it now; None for a table without one."""
        if self.history.clock is None:
            return None
        return clock_view(self.history, held, self.now(), self.away_since)

    def _shared_view(self) -> SharedView:
        return shared_view(self.history, self.timeline, self.present)

    def common(self, view: TableView, lang: str) -> SharedParts:
        """Return the parts that all viewers share, in a language and with the board turned as in `view`.

        `view` is the current view of any of them.
        """
        return self.draw_once(("common", lang, view.turn), lambda: draw_shared(view, lang))

    def own(self, view: TableView, lang: str) -> Mapping[str, Markup]:
        """Return the parts that the holders of the seats in `view` alone see."""
        key = "own", lang, view.own_seats, view.turn
        return self.draw_once(key, lambda: seat_parts(view, lang, self.common(view, lang).stage))

    def draw_once(self, key: Hashable, draw: Callable[[], T]) -> T:
        """Return `draw()`, called once until the table changes."""
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = draw()
        return found  # type: ignore[return-value]

    @property
    def record_text(self) -> str:
        """The record of the match as text, as everybody may see it."""
        return self.draw_once("record.txt", lambda: record.write(self.history.record))

    @property
    def record_json(self) -> str:
        """The record of the match as JSON, as everybody may see it."""
        return self.draw_once("record.json", lambda: record.to_json_text(self.history.record))

    async def is_record_valid(self) -> bool:
        """Return whether the record of the ended match is valid. It is replayed once."""
        if self._verified is None:
            self._verified = asyncio.ensure_future(asyncio.to_thread(_is_valid, self.history.record))
        return await asyncio.shield(self._verified)

    def _drop_views(self) -> None:
        """Drop the cached views, and notify the watchers."""
        self._cache.clear()
        self._notify()

    def _notify(self) -> None:
        """Notify the players at once, and then the spectators some at a time, so that others' moves go between."""
        notifying = bool(self._unnotified)
        for notify, seats in list(self.watchers.items()):
            if seats:
                notify()
            else:
                self._unnotified[notify] = None
        if not notifying:
            self._notify_spectators()

    def _notify_spectators(self) -> None:
        """Notify the next spectators. What was drawn is dropped after the last: all have it, and need no more of it."""
        for notify in list(islice(self._unnotified, SPECTATORS_AT_ONCE)):
            del self._unnotified[notify]
            notify()
        more = self._notify_spectators if self._unnotified else self._cache.clear
        asyncio.get_running_loop().call_soon(more)


def rounded_count(number: int) -> int:
    """Return a number of spectators with two digits that count, so that it seldom changes where they are many.

    >>> rounded_count(7), rounded_count(99), rounded_count(1234)
    (7, 99, 1200)
    """
    unit: int = max(1, 10 ** (len(str(number)) - 2))
    return number // unit * unit


def _is_valid(match: Match) -> bool:
    try:
        record.read(record.write(match))
    except BadRecord:
        return False
    return True
