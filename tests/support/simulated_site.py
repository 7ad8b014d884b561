"""A site of two processes in simulated time: people and faults by one seed, and laws that hold after each change.

The loop's time is virtual, threads run in line, and the processes have their own tables in memory on one SQLite file.
The same seed does the same. A law that is broken raises AssertionError with the match and the time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import sqlalchemy
from sqlalchemy.exc import OperationalError

from smallchange.core.game import Game
from smallchange.server.database.bus import MemoryBus
from smallchange.server.database.group_commit import CommitUnknown, Entry, Writer
from smallchange.server.services import table_service
from smallchange.server.table.live import live_table as live_table_module
from smallchange.server.table.live.clock_worker import ClockWorker
from smallchange.server.table.model.command_events import MAX_LAG_MS, MIN_OUTAGE_MS
from smallchange.server.table.model.commands import Answer, Command, Join, NewTable, Offer, PlayMove, Resign
from smallchange.server.table.model.events import Extend, Step, TimeOut
from smallchange.server.table.model.history import History
from smallchange.server.table.storage.store import Store
from smallchange.server.web.errors import ErrorCode, Refused

START_MS = 1_790_000_000_000
CONTROLS = ("1+0", "1+2", "5+3", "1d+3d")
FAULTS = ("stand", "stand", "stand one", "lock", "line", "restart", "lose answers")
LENGTHS_S = (2, 6, 12, 30, 45, 70)
SLACK_MS = 3_000  # of an outage that a server may see longer than it is
LOCK_WAIT_S = 5.0  # of SQLite
GAME, OPTIONS = "dodgem", {"size": 3}


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose time is virtual: where nothing is ready, it is the time of the next timer."""

    now_s = 0.0

    def time(self) -> float:
        return self.now_s

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined]
            self.now_s = max(self.now_s, self._scheduled[0].when())  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]

    def run_in_executor(self, executor: Any, work: Callable[..., Any], *of: Any) -> Any:  # type: ignore[override]
        """Do the work of another thread now."""
        done = self.create_future()
        try:
            done.set_result(work(*of))
        except Exception as wrong:
            done.set_exception(wrong)
        return done


class LineWriter(Writer):
    """A writer without a thread: each job takes its time, waits for a lock, and its answer may be lost."""

    def __init__(self, engine: Any, world: World) -> None:
        self._world = world
        super().__init__(engine)

    def _run(self) -> None:
        """Let the thread end."""

    def submit(self, key: str, job: Any, events: Any = (), size: int = 0) -> asyncio.Future[Any]:
        entry = Entry(key, events, job, self._loop.create_future(), size)
        wait_s = min(max(0.0, self._world.locked_until - self._loop.time()), LOCK_WAIT_S)
        self._loop.call_later(wait_s + self._world.random.uniform(0.001, 0.05), self._do, entry)
        return entry.future

    def _do(self, entry: Entry) -> None:
        if entry.future.done():
            return
        if self._loop.time() < self._world.locked_until:
            entry.future.set_exception(OperationalError("", None, OSError("the database is locked")))
        elif self._world.random.random() < self._world.loss:
            self._write([entry._replace(future=self._loop.create_future())])
            entry.future.set_exception(CommitUnknown("the line was cut"))
        else:
            self._write([entry])


class Deaf(MemoryBus):
    """A bus that loses every notice."""

    local = False


class Process:
    """A process that serves the tables. While `runs` is not set, it stands still, and what is sent to it waits."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name, self.runs = world, name, asyncio.Event()
        self.begin()

    def begin(self) -> None:
        """Begin anew: the process knows only what is stored."""
        self.tables = table_service(self.world.store, Deaf(), now=self.world.now_ms)
        self.tables._new_id = self.tables.openings._new_id = self.world.new_id
        self.clock = ClockWorker(self.tables, self.world.new_id(12))
        self.runs.set()

    async def sweep(self) -> None:
        """Play the role of the clock for ever."""
        while True:
            await self.runs.wait()
            with suppress(Refused):
                await self.clock.sweep()
            await asyncio.sleep(1)


class Sent(NamedTuple):
    """A command that a person sends until it is answered, with the steps that its sender saw."""

    holder: str
    command: Command
    steps: int


class World:
    """The site, its people and its faults."""

    def __init__(self, loop: Loop, store: Store, seed: int) -> None:
        self.loop, self.store, self.random = loop, store, Random(seed)
        self.locked_until, self.loss, self.is_cut = 0.0, 0.0, False
        self.faults: list[
            tuple[int, int, str]
        ] = []  # from, until, and the process that it concerned, "" for all
        self.done: dict[str, set[str]] = {}  # acknowledged commands by match
        self.ended = 0
        self.waiting: list[asyncio.Event] = []

    def now_ms(self) -> int:
        return START_MS + int(1000 * self.loop.time())

    def new_id(self, size: int = 16) -> str:
        return "".join(self.random.choices("abcdefghijklmnopqrstuvwxyz234567", k=size))

    async def run(self, hours: float) -> None:
        """Let people play and faults happen for so long, then check what is stored."""
        self.store.writer = LineWriter(self.store._engine, self)
        self.processes = [Process(self, "one"), Process(self, "two")]
        work = [process.sweep() for process in self.processes] + [self.fail()]
        work += [self.play(n) for n in range(4)]
        tasks = [asyncio.ensure_future(one) for one in work]
        done, _ = await asyncio.wait(tasks, timeout=3600 * hours, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            task.cancel()
        for task in done:
            task.result()

    # faults

    async def fail(self) -> None:
        """Let one fault after another happen."""
        while True:
            await asyncio.sleep(self.random.expovariate(1 / 40))
            kind, seconds = self.random.choice(FAULTS), self.random.choice(LENGTHS_S)
            began = self.now_ms()
            process = self.random.choice(self.processes)
            whom = {"lose answers": "answers", "stand one": process.name, "restart": process.name}.get(
                kind, ""
            )
            self.faults.append((began, began + 1000 * seconds, whom))
            if kind == "stand":
                self.loop.now_s += seconds
                for person in self.waiting:  # what they sent lies in the sockets, before any timer
                    person.set()
            elif kind == "lose answers":
                self.loss = 0.3
                await asyncio.sleep(seconds)
                self.loss = 0
            elif kind in ("stand one", "restart"):
                process.runs.clear()
                await asyncio.sleep(seconds)
                process.begin() if kind == "restart" else process.runs.set()
            elif kind == "lock":
                self.locked_until = self.loop.time() + seconds
                await asyncio.sleep(seconds)
            else:
                self.is_cut = True
                await asyncio.sleep(seconds)
                self.is_cut = False

    # people

    async def play(self, number: int) -> None:
        """Let two people play one match after another."""
        holders = [f"{2 * number + seat:064}" for seat in (0, 1)]
        while True:
            control, first = self.random.choice(CONTROLS), Game(GAME).seats[0]
            order = NewTable(GAME, dict(OPTIONS), {first: "me"}, time=control)
            here = self.random.choice(self.processes)
            with suppress(Refused):
                await here.runs.wait()
                id = await here.tables.openings.create(holders[0], order)
                code = (await here.tables.live.table(id)).history.head.code
                await self.insist(lambda: here.tables.join(holders[1], code, Join()))  # noqa: B023
                await asyncio.gather(*(self.sit(id, holder) for holder in holders))
                self.check(await self.history_of(id))
                self.ended += 1

    async def insist(self, ask: Callable[[], Any]) -> Any:
        """Ask until the server can answer."""
        while True:
            try:
                return await ask()
            except Refused as refused:
                if refused.code not in (ErrorCode.NOT_STORED, ErrorCode.OUTCOME_UNKNOWN):
                    raise
                await asyncio.sleep(1)

    async def history_of(self, id: str) -> History:
        history: History = await self.insist(lambda: self.store.load(id))
        return history

    async def sit(self, id: str, holder: str) -> None:
        """Let a person play a match to its end: think, act, and send what they chose until it is answered."""
        while True:
            here = self.random.choice(self.processes)
            await self.think()
            await here.runs.wait()
            seen = (await self.insist(lambda: here.tables.live.current(id, holder))).history  # noqa: B023
            if seen.ending:
                return
            (seat,) = seen.seats_of(holder)
            command = self.choose(seen, seat, id)
            if command is None:
                continue
            sent = Sent(holder, command, len(seen.match))
            await self.think()
            await self.send(sent, self.random.choice([here, *self.processes]))

    async def think(self) -> None:
        """Wait for some seconds, or until a fault is over."""
        until = asyncio.Event()
        self.waiting.append(until)
        with suppress(TimeoutError):
            async with asyncio.timeout(self.random.expovariate(1 / 2.5)):
                await until.wait()
        self.waiting.remove(until)

    def choose(self, seen: History, seat: int, id: str) -> Command | None:
        """Return what a person does now, if anything."""
        move, dice = self.new_id(), self.random.random()
        if dice < 0.01:
            return Resign(id, seen.ply, move)
        if seen.offer and seen.offer.seat != seat and dice < 0.4:
            return Answer(id, seen.ply, move, dice < 0.05)
        if dice > 0.9:
            return Offer(id, seen.ply, move, "draw")
        if seen.turn == seat and dice < 0.85:
            return PlayMove(id, seen.ply, move, self.random.choice(seen.match.position.legal()))
        return None

    async def send(self, sent: Sent, process: Process) -> None:
        """Send a command, the same bytes again until it is answered, and now and then once more."""
        while True:
            here = process
            await here.runs.wait()
            try:
                ply = await self.insist(lambda: here.tables.submit(sent.holder, sent.command))  # noqa: B023
            except Refused as refused:
                if refused.code == ErrorCode.CONFLICT and isinstance(sent.command, PlayMove):
                    history = await self.history_of(sent.command.match)
                    moved = len(history.match) != sent.steps or history.ending
                    assert moved, f"{self.now_ms()}: a waiting move was thrown away: {sent}"
                return
            self.done.setdefault(sent.command.match, set()).add(sent.command.command_id)
            if self.random.random() < 0.8:
                return
            process = self.random.choice(self.processes)
            await asyncio.sleep(1)
            assert ply is not None

    # laws

    def check(self, history: History) -> None:
        """Hold the log of a match that has ended to the laws."""
        events, id = history.events, history.head.id
        ids = [event.command_id for event in events if event.command_id]
        assert len(ids) == len({*ids}), f"{id}: done twice"
        assert self.done.get(id, set()) <= {*ids}, f"{id}: acknowledged, and lost"
        ends = [n for n, event in enumerate(events) if event.ends_match]
        assert not ends or not any(isinstance(event, Step) for event in events[ends[0] :]), (
            f"{id}: after its end"
        )
        clock = history.clock
        assert clock
        banks, since, given, turn = [clock.control.bank_ms] * 2, 0, 0, 0
        for event in events:
            if isinstance(event, Extend):
                given += event.ms
            elif isinstance(event, Step | TimeOut) and since:
                charged, away = (
                    event.at - since - given - getattr(event, "lag", 0),
                    self.away_ms(since, event.at),
                )
                where = f"{id} {clock.control} at {event.at}: {charged} of {event.at - since}, away {away}"
                assert charged <= event.at - since - away[0], f"too much: {where}"
                assert charged >= event.at - since - away[1], f"too little: {where}"
                if isinstance(event, TimeOut) and turn > 1:
                    budget = clock.control.allowance_ms + banks[event.seat]
                    assert event.at - since - away[0] >= budget, f"lost by an outage: {where}, {budget}"
            if isinstance(event, Step):
                if turn > 1:
                    spent = max(0, event.at - since - given - event.lag - clock.control.allowance_ms)
                    banks[event.seat] = max(0, banks[event.seat] - spent) + clock.control.increment_ms
                since, given, turn = event.at, 0, turn + 1

    def away_ms(self, since: int, until: int) -> tuple[int, int]:
        """Return for how long no server was there between two times: at least, and at most as one may have seen it."""
        least = most = 0
        last = since
        for began, ended, whom in sorted(self.faults):
            passed = max(0, min(ended, until) - max(began, last))
            last = max(last, min(ended, until))
            if ended > since and began < until:
                most += max(0, passed) + SLACK_MS + (15_000 if not whom else 60_000)
            if not whom and ended - began >= MIN_OUTAGE_MS:
                least += passed
        most += MAX_LAG_MS
        return least, most


@contextmanager
def site(folder: Path, seed: int) -> Iterator[tuple[Loop, World]]:
    """Yield a loop and the world that lives in it."""
    loop = Loop()
    asyncio.set_event_loop(loop)
    store = Store(f"sqlite:///{folder / f'tables-{seed}.db'}")
    loop.run_until_complete(store.open())
    world = World(loop, store, seed)

    def cut(_: Any) -> None:
        if world.is_cut:
            raise OperationalError("", None, OSError("the line is cut"))

    sqlalchemy.event.listen(store._engine, "begin", cut)
    names = vars(live_table_module)
    real, names["time"] = names["time"], SimpleNamespace(monotonic=loop.time)
    try:
        yield loop, world
    finally:
        names["time"] = real
        world.is_cut = False
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
        store._engine.dispose()


def simulate(folder: Path, seed: int, hours: float) -> World:
    """Let a seed play so many hours; return the world."""
    with site(folder, seed) as (loop, world):
        loop.run_until_complete(world.run(hours))
    return world
