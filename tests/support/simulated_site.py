"""A site of one or two processes in simulated time: people and faults by one seed, and laws that hold after each step.

The loop's time is virtual, threads run in line, and the processes have their own tables in memory on one SQLite file.
The same seed does the same. A law that is broken raises AssertionError with the match and the time, and `shrink` finds
which of the seed's faults it takes.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import sqlalchemy
from sqlalchemy import Connection, select
from sqlalchemy.exc import OperationalError

from smallchange.core.game import Game
from smallchange.i18n.text import LANGUAGES
from smallchange.server.accounts.rows import create_account
from smallchange.server.database import schema
from smallchange.server.database.bus import MemoryBus
from smallchange.server.database.group_commit import CommitUnknown, Entry, Writer
from smallchange.server.insight.service import best_so_far
from smallchange.server.ratings.service import RatingWorker
from smallchange.server.services import table_service
from smallchange.server.table.http.subscription import Subscription, state_message
from smallchange.server.table.live import live_table as live_table_module
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.clock_worker import ClockWorker
from smallchange.server.table.live.table_service import SteadyClock
from smallchange.server.table.model.command_events import MAX_LAG_MS, MIN_OUTAGE_MS
from smallchange.server.table.model.commands import Answer, Command, Join, NewTable, Offer, PlayMove, Resign
from smallchange.server.table.model.events import Extend, Step, TimeOut
from smallchange.server.table.model.history import History, SeatKind
from smallchange.server.table.model.outcome import Status
from smallchange.server.table.storage.store import Store
from smallchange.server.table.view.table_page import table_page
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.frame import PageContext
from smallchange.server.web.sessions import Account

START_MS = 1_790_000_000_000
CONTROLS = ("1+0", "1+2", "5+3", "1d+3d")
FAULTS = ("stand", "stand", "stand one", "lock", "line", "restart", "lose answers", "jump")
LENGTHS_S = (2, 6, 12, 30, 45, 70)
JUMPS_S = (-3600, -70, 70, 200, 3600)  # of the machine's clock
PEOPLE = 8
TOLD_S = 600  # in which each stream and page tells of an end, whatever fails meanwhile
SLACK_MS = 3_000  # of an outage that a server may see longer than it is
LOOK_MS = 1_100  # of a lock that a server may not see: it looks each second
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
    """A bus that loses every notice; `local` where there is one process."""

    def __init__(self, local: bool) -> None:
        super().__init__()
        self.local = local


class Process:
    """A process that serves the tables. While `runs` is not set, it stands still, and what is sent to it waits."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name, self.runs = world, name, asyncio.Event()
        self.looked = 0.0
        self.begin()

    tables: Any

    def begin(self) -> None:
        """Begin anew: the process knows only what is stored."""
        if hasattr(self, "tables"):
            self.tables._turns._tasks.cancel()
        bus = Deaf(self.world.is_alone)
        self.tables = table_service(self.world.store, bus, BotWorkers(), now=self.world.now_ms)
        self.tables._new_id = self.tables.openings._new_id = self.tables._turns._new_id = self.world.new_id
        self.clock = ClockWorker(self.tables, self.world.new_id(12))
        self.rater = RatingWorker(self.tables, self.world.new_id(12))
        self.runs.set()

    async def sweep(self) -> None:
        """Play the roles of the clock and the rater, and look at watched tables, for ever."""
        while True:
            await self.runs.wait()
            live = self.tables.live
            with suppress(Refused):
                await self.clock.sweep()
                await self.rater.sweep()
                await live._sweep_part([id for id, table in live._tables.items() if table.watchers])
            await asyncio.sleep(1)


class Stream:
    """The steps that a program knows of a table, which it follows on one process or another."""

    def __init__(self, id: str, holder: str) -> None:
        self.id, self.holder, self.ply, self.over = id, holder, -1, False
        self.tokens: list[str] = []
        self._tables: Any = None

    async def connect(self, process: Process) -> None:
        """Follow the table at this process, unless it does so already."""
        if self._tables is process.tables:
            return
        live_table, self._tables = await process.tables.live.current(self.id, self.holder), process.tables
        seats = live_table.history.seats_of(self.holder)
        known = self.ply if self.ply <= live_table.history.ply else -1
        self._subscription = Subscription(live_table, seats, False, known, self._hear)
        process.tables.live.watch(live_table, self._hear, seats)
        self._hear()

    def _hear(self) -> None:
        message, history = state_message(self._subscription), self._subscription.live_table.history
        if message is not None:
            self.tokens[message.kept :] = message.tokens
            self.ply, self.over = message.ply, message.over
            assert self.tokens == [step.token for step in history.match.steps], (
                f"{self.id}: a stream has other steps"
            )


class Sent(NamedTuple):
    """A command that a person sends until it is answered, with the steps that its sender saw."""

    holder: str
    command: Command
    steps: int


class Fault(NamedTuple):
    """A fault that begins so long after the last one; `process` is which of the two it concerns, if not both."""

    after_s: float
    kind: str
    seconds: int
    process: int


def draw_faults(seed: int, hours: float) -> list[Fault]:
    """Return the faults of a seed."""
    luck, drawn = Random(f"faults {seed}"), list[Fault]()
    while sum(fault.after_s for fault in drawn) < 3600 * hours:
        kind = luck.choice(FAULTS)
        seconds = luck.choice(JUMPS_S if kind == "jump" else LENGTHS_S)
        drawn.append(Fault(luck.expovariate(1 / 40), kind, seconds, luck.randrange(2)))
    return drawn


class World:
    """The site, its people and its faults."""

    def __init__(self, loop: Loop, store: Store, seed: int, plan: Sequence[Fault]) -> None:
        self.loop, self.store, self.random, self.plan = loop, store, Random(seed), plan
        self.ahead_s = 0  # of the machine's clock
        self.is_alone = self.random.random() < 0.3  # whether there is one process
        self.now_ms = SteadyClock(
            lambda: 10**6 * START_MS + int(10**9 * (loop.now_s + self.ahead_s)),
            lambda: int(10**9 * loop.now_s),
        )
        self.locked_until, self.loss, self.is_cut = 0.0, 0.0, False
        self.faults: list[
            tuple[int, int, str]
        ] = []  # from, until, and the process that it concerned, "" for all
        self.done: dict[str, set[str]] = {}  # acknowledged commands by match
        self.ended = 0
        self.waiting: list[asyncio.Event] = []

    def new_id(self, size: int = 16) -> str:
        return "".join(self.random.choices("abcdefghijklmnopqrstuvwxyz234567", k=size))

    async def run(self, hours: float) -> None:
        """Let people play and faults happen for so long, then check what is stored."""
        self.store.writer = LineWriter(self.store._engine, self)
        for n in range(PEOPLE):
            made = Account(f"account-{n}", f"Name {n}", f"{n:064}", 0, "person", "open", "{}")
            await self.store.write("", lambda c: create_account(c, made, []))  # noqa: B023
        first = Process(self, "one")
        self.processes = [first, first if self.is_alone else Process(self, "two")]
        work = [process.sweep() for process in self.processes] + [self.fail()]
        work += [self.play(n) for n in range(PEOPLE // 2)]
        tasks = [asyncio.ensure_future(one) for one in work]
        done, _ = await asyncio.wait(tasks, timeout=3600 * hours, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            task.cancel()
        for task in done:
            task.result()
        self.locked_until, self.loss, self.is_cut = 0.0, 0.0, False
        while await self.processes[0].rater.sweep():
            pass
        await self.store.read(check_ratings)

    # faults

    async def fail(self) -> None:
        """Let one fault after another happen."""
        for after_s, kind, seconds, number in self.plan:
            await asyncio.sleep(after_s)
            began, process = self.now_ms(), self.processes[number]
            if kind == "jump":
                self.ahead_s += seconds
                if (now := self.now_ms()) - began >= MIN_OUTAGE_MS:
                    self.faults.append((began, now, ""))
                continue
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
            control, dice, seats = (
                self.random.choice(CONTROLS),
                self.random.random(),
                {Game(GAME).seats[0]: "me"},
            )
            rated, others = dice < 0.4, holders[1:]
            if dice > 0.8:
                seats, others = seats | {Game(GAME).seats[1]: "bot:greedy"}, []
            order = NewTable(GAME, {} if rated else dict(OPTIONS), seats, time=control, rated=rated)
            here = self.random.choice(self.processes)
            with suppress(Refused):
                await here.runs.wait()
                id = await here.tables.openings.create(holders[0], order)
                code = (await here.tables.live.table(id)).history.head.code
                for other in others:
                    await self.insist(lambda: here.tables.join(other, code, Join()))  # noqa: B023
                await asyncio.gather(*(self.sit(id, holder) for holder in [holders[0], *others]))
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
        stream, home, acted = Stream(id, holder), self.random.choice(self.processes), self.loop.time()
        while True:
            await home.runs.wait()
            await self.insist(lambda: stream.connect(home))
            here = self.random.choice(self.processes)
            await self.think()
            await here.runs.wait()
            seen = (await self.insist(lambda: here.tables.live.current(id, holder))).history  # noqa: B023
            if seen.ending:
                await self.be_told(stream, home, seen)
                return
            (seat,) = seen.seats_of(holder)
            command = self.choose(seen, seat, id)
            if command is None:
                is_bot = seen.turn == 1 and seen.seats[1].kind == SeatKind.BOT
                assert not is_bot or self.loop.time() - acted < TOLD_S, f"{id}: its bot does not move"
                continue
            acted = self.loop.time()
            sent = Sent(holder, command, len(seen.match))
            await self.think()
            await self.send(sent, self.random.choice([here, *self.processes]))

    async def be_told(self, stream: Stream, home: Process, seen: History) -> None:
        """Wait until a stream tells of an end, and draw the page of it."""
        lang, since = self.random.choice(LANGUAGES), self.loop.time()
        while not stream.over:
            assert self.loop.time() - since < TOLD_S, f"{stream.id}: its end is not told"
            await asyncio.sleep(1)
            await home.runs.wait()
            await self.insist(lambda: stream.connect(home))
        best = await self.insist(lambda: self.store.read(lambda c: best_so_far(c, seen, stream.holder)))
        view = stream._subscription.live_table.view(seen.seats_of(stream.holder))
        page = table_page(view, PageContext(lang, f"/m/{stream.id}", best=best))
        assert 'class="result' in page, f"{stream.id}: its page has no result"

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
        if dice < (0.03 if seen.head.rated else 0.01):
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
            elif isinstance(event, Step | TimeOut) and since and clock.timed[event.seat]:
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
                least += max(0, passed - LOOK_MS)
        most += MAX_LAG_MS
        return least, most


@contextmanager
def site(folder: Path, seed: int, plan: Sequence[Fault]) -> Iterator[tuple[Loop, World]]:
    """Yield a loop and the world that lives in it."""
    loop = Loop()
    asyncio.set_event_loop(loop)
    store = Store(f"sqlite:///{folder / f'tables-{seed}.db'}")
    loop.run_until_complete(store.open())
    world = World(loop, store, seed, plan)

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


def check_ratings(connection: Connection) -> None:
    """Hold the ratings to the law that each rated match that counts changed both, once."""
    match, seat, change, rating = (
        schema.metadata.tables[name] for name in ("match", "seat", "rating_change", "rating")
    )
    counts = (match.c.status == Status.OVER) & match.c.rated.is_(True) & seat.c.points.is_not(None)
    counted = connection.execute(select(match.c.id).join(seat).where(counts)).scalars().all()
    assert Counter(counted) == Counter(connection.execute(select(change.c.match_id)).scalars()), (
        "not rated once"
    )
    assert sum(connection.execute(select(rating.c.matches)).scalars()) == len(counted), "counted otherwise"


def simulate(folder: Path, seed: int, hours: float, plan: Sequence[Fault]) -> World:
    """Let the people of a seed play so many hours with these faults; return the world."""
    with site(folder, seed, plan) as (loop, world):
        loop.run_until_complete(world.run(hours))
    return world


def shrink(breaks: Callable[[Sequence[Fault]], bool], faults: Sequence[Fault]) -> Sequence[Fault]:
    """Leave faults out as long as a law still breaks. Those after one that is left out begin sooner.

    >>> shrink(lambda left: sum(fault.seconds for fault in left) >= 9, [Fault(1, "lock", n, 0) for n in range(7)])
    [Fault(after_s=1, kind='lock', seconds=4, process=0), Fault(after_s=1, kind='lock', seconds=5, process=0)]
    """
    size = len(faults) // 2
    while size:
        parts = [[*faults[:at], *faults[at + size :]] for at in range(0, len(faults), size)]
        less = next((part for part in parts if breaks(part)), None)
        faults, size = (faults, size // 2) if less is None else (less, min(size, len(less)))
    return faults
