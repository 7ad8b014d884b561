"""A process with clocks, at a time that stands still, and what takes its database away from it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError

from smallchange.core.game import Game
from smallchange.server.database.bus import MemoryBus
from smallchange.server.services import table_service
from smallchange.server.table.live.clock_worker import ClockWorker
from smallchange.server.table.model.commands import Join, NewTable, PlayMove
from smallchange.server.table.model.history import History
from smallchange.server.table.storage.store import Store

from .tables import PAIR, greedy

ANN, BO = "a" * 64, "b" * 64
LOOK_MS = 4_000  # between two looks that are no outage


class Deaf(MemoryBus):
    """A bus on which every notice is lost."""

    local = False


class Site:
    """One process on a database, at a time that stands still."""

    def __init__(self, store: Store, name: str) -> None:
        self.time = 1_790_000_000_000
        self.tables = table_service(store, Deaf(), now=lambda: self.time)
        self.store = store
        self.worker = ClockWorker(self.tables, name)

    async def match(self, control: str = "5+3", turns: int = 2) -> str:
        """Return a match after so many turns."""
        first = Game(PAIR).seats[0]
        id = await self.tables.openings.create(ANN, NewTable(PAIR, seats={first: "me"}, time=control))
        await self.tables.join(BO, (await self.tables.live.table(id)).history.head.code, Join())
        for _ in range(turns):
            await self.move(id)
        return id

    async def move(self, id: str) -> None:
        history = (await self.tables.live.current(id, ANN)).history
        holder, token = (ANN, BO)[history.turn], greedy(history.match.position)
        await self.tables.submit(holder, PlayMove(id, history.ply, f"move-{history.ply:04}", token))

    async def pass_ms(self, ms: int, *others: Site) -> int:
        """Let time pass while this process and others are at work; return the number of matches that they ended."""
        ended, end = 0, self.time + ms
        while self.time < end:
            step = min(LOOK_MS, end - self.time)
            for side in (self, *others):
                side.time += step
                ended += await side.worker.sweep()
        return ended

    async def stored_history(self, id: str) -> History:
        history = await self.store.load(id)
        assert history is not None
        return history


@asynccontextmanager
async def site(url: str, name: str = "one") -> AsyncIterator[Site]:
    store = Store(url)
    await store.open()
    made = Site(store, name)
    await made.tables.open()
    try:
        yield made
    finally:
        await made.tables.close()
        await store.close()


def sqlite(folder: Path) -> str:
    return f"sqlite:///{folder / 'tables.db'}"


@contextmanager
def no_line(engine: Engine) -> Iterator[None]:
    """Cut the line to the database."""

    def fail(_: Any) -> None:
        raise OperationalError("", None, OSError("the line is cut"))

    event.listen(engine, "begin", fail)
    yield
    event.remove(engine, "begin", fail)


@contextmanager
def full_disk(url: str) -> Iterator[None]:
    """Let nothing more be stored."""
    names = [
        (table, deed)
        for table in ("event", "server", "outage", "lease", "probe")
        for deed in ("INSERT", "UPDATE")
    ]
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as rows:
        for table, deed in names:
            no = "BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
            rows.execute(f"CREATE TRIGGER full_{table}_{deed} BEFORE {deed} ON {table} {no}")
        yield
        for table, deed in names:
            rows.execute(f"DROP TRIGGER full_{table}_{deed}")
