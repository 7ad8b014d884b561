"""A site of one or two processes in simulated time: people and faults by one seed, and laws that hold after each step.

The loop's time is virtual, threads run in line, and each process has its own tables in memory and its own lines to one
SQLite file. The same seed does the same. A law that is broken raises AssertionError with the match and the time, and
`shrink` finds which of the seed's faults it takes.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
import sqlalchemy
from sqlalchemy import Connection, select
from sqlalchemy.exc import OperationalError

from smallchange.core import commitment
from smallchange.core.game import Game, Position
from smallchange.i18n.text import LANGUAGES
from smallchange.server.accounts.rows import create_account
from smallchange.server.database import group_commit, schema
from smallchange.server.database.bus import MemoryBus
from smallchange.server.database.group_commit import ROW_BYTES, SHUTDOWN_GRACE_S, CommitUnknown, Entry, Writer
from smallchange.server.database.opening import migrate
from smallchange.server.insight.service import best_so_far
from smallchange.server.ratings.service import RatingWorker
from smallchange.server.services import table_service
from smallchange.server.table.http.subscription import Subscription, state_message
from smallchange.server.table.live import live_table as live_table_module
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.clock_worker import ClockWorker
from smallchange.server.table.live.table_service import SteadyClock
from smallchange.server.table.model import new_tables
from smallchange.server.table.model.command_events import MAX_LAG_MS, MIN_OUTAGE_MS
from smallchange.server.table.model.commands import (
    Answer,
    Command,
    Join,
    NewTable,
    Offer,
    PlanMoves,
    PlayMove,
    Resign,
)
from smallchange.server.table.model.events import Extend, Step, TimeOut
from smallchange.server.table.model.history import History, SeatKind
from smallchange.server.table.model.outcome import Status
from smallchange.server.table.storage.clock_rows import MISSED_MS
from smallchange.server.table.storage.store import Store
from smallchange.server.table.view.table_page import table_page
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.frame import PageContext
from smallchange.server.web.sessions import Account

START_MS = 1_790_000_000_000
CONTROLS = ("1+0", "1+2", "5+3", "1d+3d")
FAULTS = (
    "stand", "stand", "stand one", "lock", "slow", "line", "disk", "gone", "die", "stop", "lose answers", "jump"
)  # fmt: skip
TO_ALL = ("stand", "lock", "line", "gone")  # in which no process can store anything
LENGTHS_S = (2, 6, 12, 30, 45, 70)
JUMPS_S = (-3600, -70, 70, 200, 3600)  # of the machine's clock
PEOPLE = 8
STRANGER = "f" * 64
TOLD_S = 600  # in which each stream and page tells of an end, whatever fails meanwhile
ANSWER_S = 60  # in which a request is answered, though it waits for several answers of the database
WELL_S = 15  # after a fault, when a server says that it is well
SLACK_MS = 3_000  # of an outage that a server may see longer than it is
LOOK_MS = 1_100  # of a lock that a server may not see: it looks each second
LOCK_WAIT_S = 5.0  # of SQLite
AGAIN = (
    ErrorCode.NOT_STORED,
    ErrorCode.OUTCOME_UNKNOWN,
    ErrorCode.SHUTTING_DOWN,
)  # after which one asks again
GAMES: dict[str, dict[str, Any]] = {"dodgem": {"size": 3}, "royal-ur": {"coins": 2}}


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
    """A writer without a thread: each group takes its time, waits for a lock, and its answer may be lost."""

    def __init__(self, process: Process) -> None:
        self.process, self.writes = process, False
        super().__init__(process.store._engine)

    def _run(self) -> None:
        """Let the thread end."""

    def submit(self, key: str, job: Any, events: Any = (), size: int = ROW_BYTES) -> asyncio.Future[Any]:
        future = super().submit(key, job, events, size)
        self._take()
        return future

    def _take(self) -> None:
        """Begin to write what waits."""
        world = self.process.world
        if self._group or self._given_up or not self.waiting:
            return
        waits_s = min(max(0.0, world.locked_until - self._loop.time()), LOCK_WAIT_S)
        self._group, self._began = [self._next() for _ in range(self.waiting)], self._loop.time()
        takes_s = world.random.uniform(0.001, 0.05) + (world.random.uniform(1, 5) if world.is_slow else 0)
        self._loop.call_later(waits_s + takes_s, self._do)

    def _next(self) -> Entry:
        entry = self._jobs.get()
        assert entry
        return entry

    def _do(self) -> None:
        self.writes = True
        if not self._given_up:
            self._write(sorted(self._group, key=lambda entry: entry.key))
        self.writes, self._group = False, []
        self._take()

    def _commit(self, part: list[Entry]) -> list[Any]:
        luck, loss = self.process.world.random.random(), self.process.world.loss
        if luck < loss / 2:
            raise CommitUnknown("the line was cut before it")
        results = super()._commit(part)
        if luck < loss:
            raise CommitUnknown("the line was cut after it")
        return results


class Bots(BotWorkers):
    """Bots that play the same move whenever they are asked."""

    async def choose(self, name: str, position: Position, luck: Random | None = None) -> str:
        return await super().choose(name, position, luck or Random(position.key()))


class Deaf(MemoryBus):
    """A bus that loses every notice; `local` where there is one process."""

    def __init__(self, local: bool) -> None:
        super().__init__()
        self.local = local


class Process:
    """A process that serves the tables. While `runs` is not set, it stands still, and what is sent to it waits.

    With `countdown` it dies at that statement of its writer.
    """

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name, self.runs = world, name, asyncio.Event()
        self.countdown, self.is_dead, self.has_died = 0, False, False
        self.begin()

    tables: Any
    store: Store

    def begin(self) -> None:
        """Begin anew: the process knows only what is stored."""
        self.is_dead, world = False, self.world
        self.store = store = Store(world.url)
        store._readers = None  # type: ignore[assignment]
        store.writer = self.writer = LineWriter(self)
        self.lines = list[sqlite3.Connection]()
        sqlalchemy.event.listen(store._engine, "connect", lambda line, _: self._open(line))
        sqlalchemy.event.listen(store._engine, "begin", self._fail)
        sqlalchemy.event.listen(store._engine, "before_cursor_execute", lambda *_: self._count())
        sqlalchemy.event.listen(store._engine, "commit", lambda _: self._count())
        self.tables = table_service(store, Deaf(world.is_alone), Bots(), now=world.now_ms)
        self.tables._new_id = self.tables.openings._new_id = self.tables._turns._new_id = world.new_id
        self.clock = ClockWorker(self.tables, world.new_id(12))
        self.rater = RatingWorker(self.tables, world.new_id(12))

    async def serve(self) -> None:
        """Serve, as soon as there was a look."""
        while self.tables.live.looked_at is None:
            with suppress(Refused):
                await self.clock.look()
                break
            await asyncio.sleep(1)
        self.runs.set()

    def _open(self, line: sqlite3.Connection) -> None:
        """Write as fast as memory, and remember the line."""
        line.execute("PRAGMA synchronous=OFF")
        self.lines.append(line)

    def _fail(self, connection: Connection) -> None:
        """Let a transaction fail as the fault of this moment has it."""
        world = self.world
        if world.is_cut:
            raise OperationalError("", None, OSError("the line is cut"))
        if self.writer.writes and world.loop.time() < world.locked_until:
            raise OperationalError("", None, OSError("the database is locked"))
        if world.is_full or "limited" in connection.info:
            connection.info["limited"] = True
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar() if world.is_full else 2**30
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    def _count(self) -> None:
        """Die at the statement that it is time for."""
        if self.countdown and self.writer.writes:
            self.countdown -= 1
            if self.countdown == 0:
                self.has_died = True
                self.end()
                raise CommitUnknown("the process died")

    def end(self) -> None:
        """End at once, with all that is under way."""
        for line in self.lines:
            line.rollback()
        self.runs.clear()
        self.is_dead = True
        self.writer.give_up()
        self.tables._turns._tasks.cancel()

    async def stop(self) -> None:
        """Answer what was asked, say that it stops, and end."""
        self.runs.clear()
        self.is_dead = True
        for role in (self.clock, self.rater):
            with suppress(Refused):
                await role.stop()
        self.store.begin_shutdown()
        await asyncio.sleep(SHUTDOWN_GRACE_S)
        self.end()

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

    async def is_well(self) -> bool:
        """Return what the process says of itself."""
        try:
            return await self.store.is_healthy()
        except Refused:
            return False


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
            assert history.ending or history.head.secret.hex() not in repr(message), (
                f"{self.id}: its luck is told"
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

    def __init__(self, loop: Loop, file: Path, seed: int, plan: Sequence[Fault]) -> None:
        self.loop, self.file, self.random, self.plan = loop, file, Random(seed), plan
        self.url = f"sqlite:///{file}"
        self.ahead_s = 0  # of the machine's clock
        self.is_alone = self.random.random() < 0.3  # whether there is one process
        self.now_ms = SteadyClock(
            lambda: 10**6 * START_MS + int(10**9 * (loop.now_s + self.ahead_s)),
            lambda: int(10**9 * loop.now_s),
        )
        self.locked_until, self.loss, self.is_cut, self.is_slow, self.is_full = 0.0, 0.0, False, False, False
        # from, until, and what it concerned: "" for all processes, else the name of one, or of the fault
        self.faults: list[tuple[int, int, str]] = []
        self.done: dict[str, set[str]] = {}  # acknowledged commands by match
        self.sent: dict[str, int] = {}  # when a command was sent first, by its id
        self.told: dict[str, int] = {}  # when it was acknowledged
        self.ended = 0
        self.waiting: list[asyncio.Event] = []

    def new_id(self, size: int = 16) -> str:
        return "".join(self.random.choices("abcdefghijklmnopqrstuvwxyz234567", k=size))

    async def run(self, hours: float) -> None:
        """Let people play and faults happen for so long, then check what is stored."""
        first = Process(self, "one")
        migrate(first.store._engine)
        self.rows = sqlite3.connect(self.file)  # which see what is stored, whatever is at fault
        for n in range(PEOPLE):
            made = Account(f"account-{n}", f"Name {n}", f"{n:064}", 0, "person", "open", "{}")
            await first.store.write("", lambda c: create_account(c, made, []))  # noqa: B023
        self.processes = [first, first if self.is_alone else Process(self, "two")]
        for process in self.processes:
            await process.serve()
        work = [process.sweep() for process in self.processes] + [self.fail()]
        work += [self.play(n) for n in range(PEOPLE // 2)]
        tasks = [asyncio.ensure_future(one) for one in work]
        done, _ = await asyncio.wait(tasks, timeout=3600 * hours, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            task.cancel()
        for task in done:
            task.result()
        self.locked_until, self.loss, self.is_cut, self.is_slow, self.is_full = 0.0, 0.0, False, False, False
        first.end()
        first.begin()
        while await first.rater.sweep():
            pass
        await first.store.read(check_ratings)
        self.rows.close()

    # faults

    async def fail(self) -> None:
        """Let one fault after another happen."""
        for after_s, kind, seconds, number in self.plan:
            await asyncio.sleep(after_s)
            if after_s > WELL_S:
                await self.check_health(True)
            began, process = self.now_ms(), self.processes[number]
            if kind == "jump":
                self.ahead_s += seconds
                leapt = self.now_ms() - began
                assert leapt == 0 or leapt >= MIN_OUTAGE_MS, f"{began}: the time leapt by {leapt} ms"
                if leapt:
                    self.faults.append((began, began + leapt, ""))
                continue
            if kind == "die":
                process.countdown = self.random.randint(1, 12)
                while process.countdown:
                    await asyncio.sleep(0.1)
                began = self.now_ms()
            one = "" if self.is_alone and kind in ("die", "stop") else process.name
            whom = "" if kind in TO_ALL else one if kind in ("stand one", "die", "stop") else kind
            until = (
                began + 1000 * seconds + (6_000 if kind == "slow" else 0)
            )  # what is written last takes its time
            self.faults.append((began, until, whom))
            if kind == "stand":
                self.loop.now_s += seconds
                for person in self.waiting:  # what they sent lies in the sockets, before any timer
                    person.set()
                continue
            if kind == "stand one":
                process.runs.clear()
            elif kind == "stop":
                self.locked_until = self.loop.time() + seconds * self.random.randrange(2)
                await process.stop()
                self.faults[-1] = (began, max(began + 1000 * seconds, self.now_ms()), whom)
            self.loss = 0.3 if kind == "lose answers" else 0
            self.locked_until = self.loop.time() + seconds if kind == "lock" else self.locked_until
            self.is_cut, self.is_slow, self.is_full = kind == "line", kind == "slow", kind == "disk"
            aside = self.file.with_suffix(".aside")
            if kind == "gone":
                self.file.rename(aside)
                if number:  # by a copy of it
                    shutil.copy(aside, self.file)
            if kind in TO_ALL and seconds > WELL_S:
                await asyncio.sleep(seconds / 2)
                await self.check_health(False)
            await asyncio.sleep(max(0, began / 1000 + seconds - self.now_ms() / 1000))
            if kind == "gone":
                aside.rename(self.file)
            self.loss, self.is_cut, self.is_slow, self.is_full = 0, False, False, False
            if process.is_dead:
                process.begin()
            await process.serve()

    async def check_health(self, well: bool) -> None:
        """Hold the processes that run to the law that each says whether it can store."""
        for process in dict.fromkeys(self.processes):
            if process.runs.is_set():
                assert await process.is_well() == well, f"{self.now_ms()}: {process.name} says {not well}"

    # people

    async def play(self, number: int) -> None:
        """Let two people play one match after another."""
        holders = [f"{2 * number + seat:064}" for seat in (0, 1)]
        while True:
            control, dice = self.random.choice(CONTROLS), self.random.random()
            game = self.random.choice([*GAMES])
            seats = {Game(game).seats[0]: "me"}
            rated, others = dice < 0.4, holders[1:]
            if dice > 0.8:
                seats, others = seats | {Game(game).seats[1]: "bot:greedy"}, []
            order = NewTable(game, {} if rated else dict(GAMES[game]), seats, time=control, rated=rated)
            here = await self.reach(self.random.choice(self.processes))
            with suppress(Refused):
                id = await here.tables.openings.create(holders[0], order)
                code = (await here.tables.live.table(id)).history.head.code
                for other in others:
                    await self.insist(here, lambda p: p.tables.join(other, code, Join()))  # noqa: B023
                watched = self.random.random() < 0.3
                people = [self.sit(id, holder) for holder in [holders[0], *others]]
                await asyncio.gather(*people, *([self.watch(id)] if watched else []))
                self.check(await self.history_of(id))
                self.ended += 1

    async def reach(self, process: Process) -> Process:
        """Return this process once it runs; the other where it has ended, as a proxy leads there."""
        while True:
            if process.is_dead:
                process = next((other for other in self.processes if not other.is_dead), process)
            if process.runs.is_set():
                return process
            await asyncio.wait([asyncio.ensure_future(process.runs.wait())], timeout=1)

    async def insist(self, process: Process, ask: Callable[[Process], Any]) -> Any:
        """Ask until a server can answer."""
        while True:
            here = await self.reach(process)
            began = self.loop.time()
            try:
                return await ask(here)
            except Refused as refused:
                if refused.code not in AGAIN:
                    raise
            finally:
                stood = any(whom == "" and until > START_MS + 1000 * began for _, until, whom in self.faults)
                assert stood or self.loop.time() - began < ANSWER_S, (
                    f"{self.now_ms()}: a request had no answer"
                )
            await asyncio.sleep(1)

    async def history_of(self, id: str) -> History:
        history: History = await self.insist(self.processes[0], lambda here: here.store.load(id))
        return history

    async def sit(self, id: str, holder: str) -> None:
        """Let a person play a match to its end: think, act, and send what they chose until it is answered."""
        stream, home, acted = Stream(id, holder), self.random.choice(self.processes), self.loop.time()
        while True:
            if self.random.random() < 0.03:
                stream, home = Stream(id, holder), self.random.choice(self.processes)  # another browser
            await self.insist(home, stream.connect)
            here = self.random.choice(self.processes)
            await self.think()
            seen = (await self.insist(here, lambda here: here.tables.live.current(id, holder))).history
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

    async def watch(self, id: str) -> None:
        """Let a stranger follow a match to its end."""
        stream, home = Stream(id, STRANGER), self.random.choice(self.processes)
        while True:
            live_table = await self.insist(home, lambda here: here.tables.live.current(id, STRANGER))
            await self.insist(home, stream.connect)
            if live_table.history.ending:
                await self.be_told(stream, home, live_table.history)
                return
            if self.random.random() < 0.1:
                page = table_page(live_table.view(()), PageContext(self.random.choice(LANGUAGES), f"/m/{id}"))
                assert live_table.history.head.secret.hex() not in page, f"{id}: a page tells its luck"
            await self.think()

    async def be_told(self, stream: Stream, home: Process, seen: History) -> None:
        """Wait until a stream tells of an end, and draw the page of it."""
        lang, since = self.random.choice(LANGUAGES), self.loop.time()
        while not stream.over:
            assert self.loop.time() - since < TOLD_S, f"{stream.id}: its end is not told"
            await asyncio.sleep(1)
            await self.insist(home, stream.connect)
        best = await self.insist(
            home, lambda here: here.store.read(lambda c: best_so_far(c, seen, stream.holder))
        )
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
        if seen.offer and seen.offer.seat == seat and dice < 0.05:
            return Answer(id, seen.ply, move, False)
        if dice > 0.9:
            return Offer(id, seen.ply, move, "draw")
        if seen.turn == seat and dice < 0.85:
            return PlayMove(id, seen.ply, move, self.random.choice(seen.match.position.legal()))
        if seen.clock and not seen.clock.control.live and seen.turn != seat and dice > 0.8:
            return PlanMoves(
                id, seen.ply, move, [["*", f"!{self.random.choice([*seen.match.game.actions])}"]]
            )
        return None

    async def send(self, sent: Sent, process: Process) -> None:
        """Send a command, the same bytes again until it is answered, and now and then once more."""
        match, id = sent.command.match, sent.command.command_id
        self.sent[id] = self.now_ms()
        while True:
            try:
                await self.insist(process, lambda here: self.try_once(here, sent))
            except Refused as refused:
                if refused.code == ErrorCode.CONFLICT and isinstance(sent.command, PlayMove):
                    history = await self.history_of(match)
                    moved = len(history.match) != sent.steps or history.ending
                    assert moved, f"{self.now_ms()}: a waiting move was thrown away: {sent}"
                return
            if isinstance(sent.command, PlanMoves):
                return
            self.told.setdefault(id, self.now_ms())
            self.done.setdefault(match, set()).add(id)
            if self.random.random() < 0.8:
                return
            process = self.random.choice(self.processes)
            await asyncio.sleep(1)

    async def try_once(self, process: Process, sent: Sent) -> None:
        """Send a command. One that is refused because it cannot be stored is not stored."""
        id = sent.command.command_id
        was_there = self.is_stored(id)
        try:
            await process.tables.submit(sent.holder, sent.command)
        except Refused as refused:
            if was_there and refused.code not in AGAIN:
                raise AssertionError(f"{self.now_ms()}: done, and then refused: {sent}") from None
            if refused.code == ErrorCode.NOT_STORED or (
                refused.code == ErrorCode.SHUTTING_DOWN and not process.has_died
            ):
                assert was_there or not self.is_stored(id), f"{self.now_ms()}: refused, and stored: {sent}"
            raise
        if not isinstance(sent.command, PlanMoves):
            assert self.is_stored(id), f"{self.now_ms()}: acknowledged before it is stored: {sent}"

    def is_stored(self, id: str) -> bool:
        """Return whether a command is stored, whatever is at fault."""
        found = self.rows.execute("SELECT 1 FROM event WHERE command_id = ?", (id,)).fetchone()
        return found is not None

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
        banks, since, given, turn, told = [clock.control.bank_ms] * 2, 0, 0, 0, 0
        for event in events:
            if isinstance(event, Extend):
                given += event.ms
            elif isinstance(event, Step | TimeOut) and since and event.seat >= 0 and clock.timed[event.seat]:
                charged, away = (
                    event.at - since - given - getattr(event, "lag", 0),
                    self.away_ms(since, event.at),
                )
                where = f"{id} {clock.control} at {event.at}: {charged} of {event.at - since}, away {away}"
                assert charged <= event.at - since - away[0], f"too much: {where}"
                planned = "planned" in (event.command_id or "")  # and found late: that costs nothing
                assert planned or charged >= event.at - since - away[1], f"too little: {where}"
                if sent := self.sent.get(event.command_id or ""):
                    most = sent - max(since, told) + self.patience_ms(since, event.at)
                    assert charged <= most, f"charged with the time after it was sent, {sent}: {where}"
                if isinstance(event, TimeOut) and turn > 1 and not history.match.game.sources:
                    budget = clock.control.allowance_ms + banks[event.seat]
                    assert event.at - since - away[0] >= budget, f"lost by an outage: {where}, {budget}"
            if isinstance(event, Step):
                if turn > 1:
                    spent = max(0, event.at - since - given - event.lag - clock.control.allowance_ms)
                    banks[event.seat] = max(0, banks[event.seat] - spent) + clock.control.increment_ms
                since, given, turn = event.at, 0, turn + 1
                told = self.told.get(event.command_id or "", 0)

    def patience_ms(self, since: int, until: int) -> int:
        """Return what a move may be charged with at most after it was sent: the faults that are no outage.

        No process hears of the other, so it knows a step when it looks, for which it may wait as well.
        """
        there = [whom for began, ended, whom in self.faults if began < until and ended + SLACK_MS > since]
        return (
            (SLACK_MS if self.is_alone else 2 * SLACK_MS)
            if {*there} <= {"slow"}
            else MIN_OUTAGE_MS + 2 * SLACK_MS
        )

    def away_ms(self, since: int, until: int) -> tuple[int, int]:
        """Return for how long no server was there between two times: at least, and at most as one may have seen it."""
        least = most = 0
        last = since
        for began, ended, whom in sorted(self.faults):
            passed = max(0, min(ended, until) - max(began, last))
            last = max(last, min(ended, until))
            gone_ms = MISSED_MS if whom else 0  # for which a process that died counts as missing
            if ended + gone_ms > since and began < until:
                most += max(0, passed) + SLACK_MS + max(15_000, gone_ms)
            if not whom and ended - began >= MIN_OUTAGE_MS + LOOK_MS:
                least += max(0, passed - LOOK_MS)
        most += MAX_LAG_MS
        return least, most


@contextmanager
def site(folder: Path, seed: int, plan: Sequence[Fault]) -> Iterator[tuple[Loop, World]]:
    """Yield a loop and the world that lives in it."""
    loop = Loop()
    asyncio.set_event_loop(loop)
    world = World(loop, folder / f"tables-{seed}.db", seed, plan)
    luck = Random(f"secrets {seed}")
    chance = SimpleNamespace(token_bytes=luck.randbytes, randbelow=luck.randrange)
    with closing(loop), pytest.MonkeyPatch.context() as patch:
        for module in (live_table_module, group_commit):
            patch.setattr(module, "time", SimpleNamespace(monotonic=loop.time))
        for module in (commitment, new_tables):
            patch.setattr(module, "secrets", chance)
        yield loop, world


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
