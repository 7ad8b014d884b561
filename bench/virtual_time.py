"""Games by correspondence in virtual time, and a clock worker that is killed while they run out of time.

The worker is a process of its own, which is told what time it is. So four days pass in minutes, and a `kill -9` comes
at any moment of a sweep.
"""

from __future__ import annotations

import asyncio
import logging
import random
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import structlog
from tests.server.tables import PAIR

from smallchange.core.game import Game
from smallchange.server.database.bus import MemoryBus
from smallchange.server.services import table_service
from smallchange.server.table.live.clock_worker import ClockWorker
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model.command_events import deadline
from smallchange.server.table.model.commands import Join, NewTable, PlayMove
from smallchange.server.table.model.events import How, TimeOut
from smallchange.server.table.model.history import History
from smallchange.server.table.model.new_tables import random_id
from smallchange.server.table.storage.store import Store
from smallchange.server.web.errors import Refused

ANN, BO = "a" * 64, "b" * 64
START_MS = 1_790_000_000_000
STEP_MS = 250  # of virtual time while games are begun
SPREAD_MS = 7_919  # between two deadlines: those of ten thousand lie over 22 hours
QUIET_MS = 600_000  # without a deadline, after which the worker sweeps all the same
AWAY_MS = 45_000  # for which a killed worker is away at most
REST_MS = 120_000  # between two kills at least
MOVES = 0.2  # the share of sweeps before which somebody moves
AT_ONCE = 100
ROOT = Path(__file__).parents[1]
WORK = "import sys; sys.path[:0] = sys.argv[1:3]; from virtual_time import work; work(*sys.argv[3:])"


class Kept(NamedTuple):
    """The lateness of the time-outs in milliseconds of virtual time, ascending, and the number of moves meanwhile."""

    late_ms: list[int]
    moves: int


class Worker:
    """A process that sweeps whenever it is told what time it is."""

    def __init__(self, file: Path, now: int) -> None:
        command = [sys.executable, "-c", WORK, str(ROOT), str(ROOT / "bench"), f"sqlite:///{file}", str(now)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._hear() == "up"

    def tell(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def ask(self, line: str) -> str:
        """Tell the worker something, and return its answer."""
        self.tell(line)
        return self._hear()

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _hear(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline().strip()


def work(url: str, now: str) -> None:
    """Be the process of a Worker: sweep at each time that is read, after a move at the table that is named with it."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    asyncio.run(_work(url, int(now)))


async def _work(url: str, now: int) -> None:
    store = Store(url)
    await store.open()
    times = [now]
    tables = table_service(store, MemoryBus(), now=lambda: times[0])
    await tables.open()
    worker = ClockWorker(tables, random_id(12))
    await worker.look()
    print("up", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        word, _, rest = line.strip().partition(" ")
        times[0] = int(word)
        if rest:
            with suppress(Refused):  # the match is over
                await _move(tables, rest)
        print(await worker.sweep(), flush=True)


async def _move(tables: TableService, id: str) -> None:
    history = (await tables.live.current(id, ANN)).history
    token = history.match.position.legal()[0]
    await tables.submit(
        (ANN, BO)[history.turn or 0], PlayMove(id, history.ply, f"move-{history.ply:04}", token)
    )


def keep_deadlines(file: Path, games: int, kills: int, seed: int = 50) -> Kept:
    """Let so many games by correspondence run out of time on an SQLite file, and kill the worker so often.

    Check that each ended once, by its clock, and not before its deadline.
    """
    luck = random.Random(seed)
    url = f"sqlite:///{file}"
    with ThreadPoolExecutor(1) as apart:  # where no loop runs
        ids = apart.submit(asyncio.run, _begin(url, games)).result()
    with closing(sqlite3.connect(file)) as rows:
        _spread_deadlines(rows, ids)
        (now,) = rows.execute("SELECT min(at) FROM deadlines").fetchone()
        moves = _run_out(file, rows, ids, kills, now - QUIET_MS, luck)
    with ThreadPoolExecutor(1) as apart:
        histories = apart.submit(asyncio.run, _histories(url, ids)).result()
    return Kept(sorted(map(_lateness_ms, histories)), moves)


def _spread_deadlines(rows: sqlite3.Connection, ids: list[str]) -> None:
    """Move everything at each table into the past, so that deadlines follow each other by SPREAD_MS."""
    (last,) = rows.execute("SELECT min(at) FROM deadlines").fetchone()
    with rows:
        for i, id in enumerate(ids):
            (at,) = rows.execute("SELECT at FROM deadlines WHERE match_id = ?", (id,)).fetchone()
            by = at - last + i * SPREAD_MS
            rows.execute(
                "UPDATE deadlines SET at = at - ?, since = since - ? WHERE match_id = ?", (by, by, id)
            )
            rows.execute("UPDATE event SET at = at - ? WHERE match_id = ?", (by, id))
            rows.execute("UPDATE match SET created = created - ? WHERE id = ?", (by, id))
        # a server was there until now, so no deadline is put off for an outage
        rows.execute(
            "INSERT INTO lease VALUES ('serve', 'before', ?)", (last - len(ids) * SPREAD_MS - QUIET_MS,)
        )


def _run_out(
    file: Path, rows: sqlite3.Connection, ids: list[str], kills: int, now: int, luck: random.Random
) -> int:
    """Sweep until no clock runs any more. Return the number of moves that were tried meanwhile."""
    worker, moves, killed_at = Worker(file, now), 0, now
    try:
        while True:
            due, left = rows.execute("SELECT min(at), count(*) FROM deadlines").fetchone()
            if not left:
                assert not kills, "some kills were left over"
                return moves
            now = max(now + 1000, min(-(-due // 1000) * 1000, now + QUIET_MS))
            line = str(now)
            if luck.random() < MOVES:
                moves, line = moves + 1, f"{now} {luck.choice(ids)}"
            if due <= now and now - killed_at > REST_MS and luck.random() < kills / left:
                kills -= 1
                worker.tell(line)
                time.sleep(luck.random() * 0.03)  # to die anywhere in the sweep; nothing is awaited
                worker.kill()
                now = killed_at = now + luck.randint(0, AWAY_MS)
                worker = Worker(file, now)
            else:
                assert worker.ask(line).isdigit()
    finally:
        worker.kill()


async def _begin(url: str, games: int) -> list[str]:
    """Begin games in which each has moved once, at virtual times one after the other."""
    store = Store(url)
    await store.open()
    now = [START_MS]

    def tick() -> int:
        now[0] += STEP_MS
        return now[0]

    tables = table_service(store, MemoryBus(), now=tick)
    await tables.open()
    first = Game(PAIR).seats[0]

    async def begin() -> str:
        id = await tables.openings.create(ANN, NewTable(PAIR, seats={first: "me"}, time="1d+3d"))
        await tables.join(BO, (await tables.live.table(id)).history.head.code, Join())
        for _ in range(2):
            await _move(tables, id)
        return id

    ids: list[str] = []
    while len(ids) < games:
        ids += await asyncio.gather(*(begin() for _ in range(min(AT_ONCE, games - len(ids)))))
    await tables.close()
    await store.close()
    return ids


async def _histories(url: str, ids: list[str]) -> list[History]:
    store = Store(url)
    await store.open()
    found = [await store.load(id) for id in ids]
    await store.close()
    return [history for history in found if history is not None]


def _lateness_ms(history: History) -> int:
    """Return how long after its deadline a match was ended. Check that it was, and once."""
    assert history.ending is not None
    assert history.ending.how == How.TIMED_OUT
    assert sum(isinstance(event, TimeOut) for event in history.events) == 1
    before = History(history.head, history.seats)
    before.append(history.events[:-1])
    assert before.clock is not None
    due = deadline(before.clock)
    assert due is not None
    assert history.events[-1].at >= due, "early"
    return history.events[-1].at - due
