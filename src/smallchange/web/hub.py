"""What every request shares: the settings, the tables, the open lines, and the limits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from .bots import Bots
from .difficulty import Difficulty
from .guard import Doors, Purses
from .hints import Hinted, hint
from .measure import Measures
from .refused import Refused
from .reviews import Review, Reviews
from .rooms import Rooms
from .settings import ASKED, HOUSE, Settings
from .story import Story
from .wire import Deed

if TYPE_CHECKING:
    from .line import Line


class Hub:
    def __init__(self, settings: Settings, rooms: Rooms, bots: Bots) -> None:
        self.settings = settings
        self.rooms = rooms
        self._bots = bots
        self.reviews = Reviews(bots)
        self.difficulty = Difficulty(bots)
        self.measures = Measures(self)
        self.lines: set[Line] = set()
        self.doors = Doors(settings.sockets)
        self.posts = Purses(settings.playing, 20.0)  # by holder
        self.hints = Purses(settings.hints, 60.0)  # and reviews, by holder
        self.advice = Purses(HOUSE * settings.hints, 60.0)  # the same by address: holders make themselves
        self._founding = Purses(settings.new_tables, 600.0, "tables")  # by address
        self._listing = Purses(settings.listed_tables, 600.0, "tables")  # the same of those open to anyone
        self.proofs = Purses(ASKED, 60.0)  # records to verify, by address
        self.variants = Purses(ASKED, 60.0)  # whose difficulty is asked, by address
        self.closing = asyncio.Event()
        self.streams: set[asyncio.Event] = set()  # what wakes those who wait for news

    @contextmanager
    def founding(self, where: str, listed: bool = False) -> Iterator[None]:
        """A table is opened or joined from this address; `listed`: to be open to anyone."""
        with self._founding.paying(where), self._listing.paying(where) if listed else nullcontext():
            yield

    async def do(self, holder: str, deed: Deed) -> int:
        """A deed, measured."""
        began = time.perf_counter()
        outcome = "fault"
        try:
            ply = await self.rooms.do(holder, deed)
            outcome = "done"
            return ply
        except Refused as wrong:
            outcome = wrong.code
            raise
        finally:
            self.measures.deed(type(deed).__name__.lower(), outcome, time.perf_counter() - began)

    async def hint(self, holder: str, where: str, match: str, ply: int) -> Hinted:
        """A hint for somebody at a table, who asks from this address."""
        room = await self.rooms.current(match)
        self._pay(holder, where)
        return await hint(self._bots, room, holder, ply)

    def review(self, holder: str, where: str, story: Story) -> Review:
        """The review of an ended match; who begins one pays for it as for a hint."""
        known = self.reviews.known(story)
        if known:
            return known
        self._pay(holder, where)
        return self.reviews.begin(story, where)

    def _pay(self, holder: str, where: str) -> None:
        """For a hint, or a review to be begun."""
        self.hints.spend(holder)
        self.advice.spend(where)

    async def say_closing(self) -> None:
        """Tell everybody that the server stops, before it does."""
        self.closing.set()
        self.rooms.store.hurry()
        for news in self.streams:
            news.set()
        await asyncio.gather(*(line.say_closing() for line in list(self.lines)))
