"""One table in memory: its story, who watches, and what was drawn of it for them."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from smallchange import record
from smallchange.errors import BadRecord
from smallchange.match import Match

from . import pages
from .bus import Notice
from .look import Alike, alike, view
from .scene import Scene
from .story import Event, Seat, Story
from .view import View

T = TypeVar("T")
STALE = 10.0  # seconds after which what was said of who is here, or is coming, counts no more


class Room:
    """`lock` is held by whoever changes the table; readers need none, for a story changes only in one go."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.lock = asyncio.Lock()
        self.watchers: dict[Callable[[], None], None] = {}  # in the order in which they came
        self.thinking = False  # is a bot being asked?
        self.scene = Scene(story.head.game)
        self._seated: Counter[int] = Counter()  # seat: how many of its windows are open here
        self._coming: dict[int, float] = {}  # seat: since when its first window is awaited
        self._elsewhere: dict[str, tuple[tuple[int, ...], float]] = {}
        self._there: tuple[int, ...] = ()  # the seats that were present when it was told last
        self._drawn: dict[Hashable, object] = {}
        self._shown: dict[str, pages.Common] = {}  # by language: what was drawn last
        self._verdict: asyncio.Future[bool] | None = None  # on the record, once somebody asked

    @property
    def idle(self) -> bool:
        return not self.watchers and not self.lock.locked() and not self.thinking

    @property
    def seated_here(self) -> tuple[int, ...]:
        """The seats with a window open on this process, or about to be."""
        here = {seat for seat, n in self._seated.items() if n > 0}
        if self._coming:
            since = time.monotonic() - STALE
            here.update(seat for seat, at in self._coming.items() if at > since)
        return tuple(sorted(here))

    @property
    def present(self) -> tuple[int, ...]:
        """The seats with a window open anywhere."""
        if not self._elsewhere:
            return self.seated_here
        since = time.monotonic() - STALE
        elsewhere = {seat for seats, at in self._elsewhere.values() if at > since for seat in seats}
        return tuple(sorted(elsewhere.union(self.seated_here)))

    def tell(
        self, events: Sequence[Event], seats: Sequence[Seat] | None = None, after: Match | None = None
    ) -> None:
        """Go on with committed events, and tell who watches."""
        self.story.tell(events, seats, after)
        self._changed()

    def note_again(self, id: str) -> None:
        if self.story.again != id:
            self.story.again = id
            self._changed()

    def hear(self, notice: Notice) -> None:
        """Another process says who is there."""
        if notice.here is None:
            return
        self._elsewhere[notice.sender] = (notice.here, time.monotonic())
        self.look_round()

    def look_round(self) -> None:
        """Tell who watches if somebody has come or gone; a process that was ended says nothing of it."""
        if self.present != self._there:
            self._there = self.present
            self._changed()

    def expect(self, seat: int) -> None:
        """Somebody has sat down, and is on the way to the page."""
        self._coming[seat] = time.monotonic()
        self.look_round()

    def watch(self, poke: Callable[[], None], seats: Sequence[int]) -> None:
        for seat in seats:
            self._coming.pop(seat, None)
        self.watchers[poke] = None
        self._seated.update(seats)
        self.look_round()

    def leave(self, poke: Callable[[], None], seats: Sequence[int]) -> None:
        self.watchers.pop(poke, None)
        self._seated.subtract(seats)
        self.look_round()

    def view(self, held: tuple[int, ...]) -> View:
        """The table as those with these seats see it now."""

        def draw() -> View:
            return view(self.story, self.once("alike", self._alike), held)

        return self.once(("view", held), draw)

    def _alike(self) -> Alike:
        return alike(self.story, self.scene, self.present)

    def common(self, view: View, lang: str) -> pages.Common:
        """What all viewers are shown alike, in a language; `view` is that of any of them, as it is now."""

        def draw() -> pages.Common:
            self._shown[lang] = pages.common(view, lang, self._shown.get(lang))
            return self._shown[lang]

        return self.once(("common", lang), draw)

    def once(self, key: Hashable, draw: Callable[[], T]) -> T:
        """What `draw` gives, drawn once until the table changes."""
        found = self._drawn.get(key)
        if found is None:
            found = self._drawn[key] = draw()
        return found  # type: ignore[return-value]

    async def verified(self) -> bool:
        """Is the record of the match, which has ended, found true? It is replayed once, whoever asks."""
        if self._verdict is None:
            self._verdict = asyncio.ensure_future(asyncio.to_thread(_true, self.story.record))
        return await asyncio.shield(self._verdict)

    def _changed(self) -> None:
        self._drawn.clear()
        for poke in list(self.watchers):
            poke()


def _true(match: Match) -> bool:
    try:
        record.read(record.write(match))
    except BadRecord:
        return False
    return True
