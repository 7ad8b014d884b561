"""The table service: every change of every table goes through here, in the order check, commit, publish.

Inserting an event is the lock: where another process was faster, the change is refused, and the table caught up.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

from sqlalchemy import Connection

from smallchange.server.database.bus import Bus, Notice
from smallchange.server.table.live.bot_turns import BotTurns
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.live_tables import LiveTables
from smallchange.server.table.live.openings import Openings
from smallchange.server.table.live.planned_moves import PlannedMoves
from smallchange.server.table.live.ports import Change, Ports, TimeWarning, writes_of
from smallchange.server.table.model import command_events, new_tables
from smallchange.server.table.model.clock import DAY_MS, Pause
from smallchange.server.table.model.command_events import Circumstances, NewEvents
from smallchange.server.table.model.commands import (
    MAX_REMARKS,
    PHRASES,
    Command,
    Fork,
    Join,
    Offer,
    PlanMoves,
    Remark,
    Rematch,
)
from smallchange.server.table.model.events import Event, Sit, let_count
from smallchange.server.table.model.history import History, SeatKind
from smallchange.server.table.model.outcome import early_leaver, stage
from smallchange.server.table.storage import rows
from smallchange.server.table.storage.clock_rows import missing_days_off, take_warning
from smallchange.server.table.storage.rows import left_early
from smallchange.server.table.storage.store import NewSitter, Store
from smallchange.server.web.errors import ErrorCode, Refused

SLOW_COMMIT_MS = 500  # from which on nobody is charged with the time that the other's move took to be stored


class TableService:
    """The changes of all tables. `live` has the tables in memory, and `openings` opens new ones.

    `holder` is the hash of the token of the person who sends the request. A request that is not possible
    raises Refused. Without `bots`, other processes let the bots move.
    """

    def __init__(
        self,
        store: Store,
        bus: Bus,
        bots: BotWorkers | None,
        ports: Ports = Ports(),  # noqa: B008 - it is a tuple
        new_id: Callable[[int], str] = new_tables.random_id,
        now: Callable[[], int] | None = None,
        pace_s: float = 0,
    ) -> None:
        self.now = now or now_ms  # milliseconds since 1970
        self.store = store
        self._bots = bots
        self.ports = self._ports = ports
        self._new_id = new_id
        self.bus = bus
        self.wake: Callable[[], Awaitable[None]] = (
            _refuse  # passes over the time in which this process was not there
        )
        self.live = LiveTables(store, bus, ports, lambda: self.now())
        self.openings = Openings(self.live, store, bots, ports, new_id)
        self._turns = BotTurns(bots, self.execute, new_id, pace_s) if bots else None
        self._plans = PlannedMoves(self.live, store, self.execute)
        self.live.wake, self.live.on_load = self._wake, self._prepare

    def _wake(self, live_table: LiveTable) -> None:
        self._plans.wake(live_table)
        if self._turns:
            self._turns.wake(live_table)

    def _prepare(self, live_table: LiveTable) -> None:
        self._plans.wake(live_table)
        if self._turns:
            self._turns.prepare(live_table)

    async def open(self) -> None:
        """Connect to the bus, begin to sweep, and play the planned moves that fell due meanwhile."""
        await self.live.open()
        self._plans.open()

    async def close(self) -> None:
        """Stop background tasks, the bus and the bots."""
        await self.openings.close()
        await self._plans.close()
        if self._turns:
            await self._turns.close()
        await self.live.close()
        if self._bots:
            self._bots.close()

    async def submit(self, holder: str, command: Command, lag_ms: int = 0) -> int:
        """Execute a command at its table, and return the ply of its event.

        `lag_ms` is the measured delay of the sender's network.
        """
        arrived = self.now()
        live_table = await self.live.for_command(command, holder)
        if isinstance(command, PlanMoves):
            return await self._plans.store(live_table, holder, command)
        if await self.openings.open_by_command(live_table, holder, command):
            return command.ply
        return await self.execute(live_table, holder, command, lag_ms, arrived)

    @asynccontextmanager
    async def changing(self, live_table: LiveTable, arrived: int | None = None) -> AsyncIterator[None]:
        """Hold a table to change it. Its clock is put on first by the time in which no server was there.

        `arrived` is when the change was asked for, if that is not now.
        """
        arrived, history = arrived or self.now(), live_table.history
        while True:
            if self.live.is_away(self.now()):
                await self.wake()
            async with live_table.lock:
                if self.live.is_away(self.now()):
                    continue
                outages = [*self.live.outages, *live_table.absences]
                while command_events.outage_event(history, outages, now := self.now()):
                    stood = [live_table.slow_commit, (arrived, now)]
                    event = command_events.outage_event(history, [*outages, *stood], now)
                    if event is None or await self.commit(live_table, NewEvents([event])):
                        break
                yield
                return

    async def execute(
        self,
        live_table: LiveTable,
        holder: str,
        command: Command,
        lag_ms: int = 0,
        arrived: int | None = None,
    ) -> int:
        """Execute a command, and return the ply of its event. The same command id has no further effect.

        `arrived` is when it came, if that is not now.
        """
        history = live_table.history
        arrived = arrived or self.now()
        async with self.changing(live_table, arrived):
            if command_events.is_current(history, command):
                await self._enforce_time(live_table, arrived)
            while (ply := command_events.repeated_ply(history, holder, command)) is None:
                if not command_events.is_current(history, command):  # as it is now: it may have caught up
                    raise Refused(ErrorCode.CONFLICT)
                now = self.now()
                stood_ms = command_events.charged_ms(
                    history, self._standstills(live_table, arrived, now), now
                )
                around = Circumstances(lag_ms, live_table.away_since, stood_ms)
                await self.commit(live_table, command_events.execute(history, holder, command, now, around))
        return ply

    def _standstills(self, live_table: LiveTable, arrived: int, now: int) -> list[Pause]:
        """Return the times in which a turn stood still: while it was stored, and while a command waited."""
        silent = min(arrived, self.live.asked_at or arrived)  # since when the database does not answer
        return [live_table.slow_commit, (silent, now if now - silent >= SLOW_COMMIT_MS else silent)]

    async def commit(self, live_table: LiveTable, new: NewEvents) -> bool:
        """Store new events, then publish them. The caller holds the lock.

        Return False if another process was faster; the table has caught up with it then.
        """
        history, events, began = live_table.history, new.events, self.now()
        ended = stage(history.with_events(events, after=new.after)) if new.end_match else None
        if ended and history.head.rated and None in ended.points:
            events = await self._count_early_end(history, events)
            ended = stage(history.with_events(events))
        clock = history.clock_after(events, new.after)
        change = Change(history, history.seats, events, ended, new.after, clock, live_table.present)
        writes = writes_of(change, self._ports)
        if not await self.store.append(
            history.head.id, history.ply, events, stage=ended, clock=clock, writes=writes
        ):
            await self.live.catch_up(live_table)
            return False
        began_turn, now = live_table.append(events, after=new.after), self.now()
        if began_turn and now - began >= SLOW_COMMIT_MS:
            live_table.slow_commit = began, now
        await self._publish(live_table, told=bool(writes))
        return True

    async def _count_early_end(self, history: History, events: list[Event]) -> list[Event]:
        """Return the events of an end that counts for nobody; it counts if its player has left another within a day."""
        seat = early_leaver(history.with_events(events))
        if seat is None:
            return events
        holder, since = history.seats[seat].holder, self.now() - DAY_MS
        again = await self.store.read(lambda c: left_early(c, holder, since))
        return [*events[:-1], let_count(events[-1])] if again else events

    async def enforce_time(self, id: str) -> bool:
        """End the match at a table if the seat on turn has run out of time; return whether it ended now.

        Refused if this could not be stored.
        """
        live_table = await self.live.as_stored(id)
        async with self.changing(live_table):
            return await self._enforce_time(live_table, self.now()) and live_table.history.ending is not None

    async def _enforce_time(self, live_table: LiveTable, arrived: int) -> bool:
        """End the match as `enforce_time` does, while the caller holds the table; return whether it changed.

        A command that arrived at a time is not charged with its wait.
        """
        history, now, missing_since = live_table.history, self.now(), self.live.missing_since
        stood_ms = command_events.charged_ms(history, self._standstills(live_table, arrived, now), now)
        event = command_events.time_out(history, now - stood_ms)
        if history.clock is None or event is None:
            return False
        if off := await self._missing_days_off(history, now):
            return await self.commit(live_table, NewEvents(off))
        if missing_since and history.clock.running not in live_table.seated_here:  # its player may be there
            event = command_events.outage_event(history, [(missing_since, now)], now)
            if event is None or not event.ends_match:
                return False
        return await self.commit(live_table, NewEvents([event]))

    async def _missing_days_off(self, history: History, now: int) -> list[Event]:
        """Return the days off of the players of a table by correspondence of which it does not know yet."""
        if history.clock is None or history.clock.control.live:
            return []
        return [*await self.store.read(lambda c: missing_days_off(c, history.seats, history.clock, now))]

    async def warn(self, id: str) -> bool:
        """Let features warn the player on turn at a table that time runs out, unless it has moved on meanwhile."""
        live_table = await self.live.as_stored(id)
        async with self.changing(live_table):
            history, now = live_table.history, self.now()
            if off := await self._missing_days_off(history, now):
                await self.commit(live_table, NewEvents(off))
                return False
            clock, since = history.clock, history.events[-1].at if history.events else history.head.created
            if clock is None or clock.running is None or clock.deadline is None or now >= clock.deadline:
                return False
            if clock.warning is None or now < clock.warning:  # it was put on
                return False
            seat = history.seats[clock.running]
            warning = TimeWarning(id, seat, clock.turn_number, now)

            def job(connection: Connection) -> bool:
                if not take_warning(connection, id, since):
                    return False
                for follow in self.ports.on_warning:
                    follow(connection, warning)
                return True

            warned: bool = await self.store.write(id, job)
        if warned:
            self.live.on_told((seat.holder,))
        return warned

    async def put_on(self, id: str) -> None:
        """Put the clock of a table on by the time in which no server was there."""
        async with self.changing(await self.live.as_stored(id)):
            pass

    async def rematch(self, holder: str, id: str, command: Rematch) -> str:
        """Open or ask for a rematch, and return the id of the table to go to.

        A rematch opens if the other player has asked for it, or nobody else plays; for `same`, the same deal
        opens once more for the holder. Else ask for a rematch, and return the id of this table.
        """
        live_table = await self.live.current(id, holder)
        history = live_table.history
        if not history.ending:
            raise Refused(ErrorCode.NO_REMATCH)
        if command.same:
            return await self.openings.fork(holder, id, Fork(0))
        if not history.seats_of(holder):
            raise Refused(ErrorCode.SPECTATOR)
        await self.openings.refuse_barred(history, holder)
        async with live_table.lock:
            while history.rematch is None:
                if command_events.opens_rematch(history, holder):
                    await self.openings.open_rematch(live_table, holder, command)
                    break
                if history.offer and history.offer.seat in history.seats_of(holder):
                    return id  # asked already
                offer = Offer(id, history.ply, f"again-{self._new_id(12)}", "rematch")
                if await self.commit(live_table, command_events.execute(history, holder, offer, self.now())):
                    return id
        return history.rematch or id

    async def join(self, holder: str, code: str, join: Join) -> str:
        """Take a free seat by a join link, unless the holder has one. Return the table's id."""
        id = await self.id_by_code(code)
        live_table = await self.live.current(id, holder)
        history = live_table.history
        if history.head.rated and not history.seats_of(holder):
            join = Join(await self.openings.account_name(holder), join.words)
        await self.openings.refuse_barred(history, holder)
        async with self.changing(live_table):
            while not history.seats_of(holder):
                if not history.waiting:
                    raise Refused(history.closing_code or ErrorCode.SEAT_TAKEN)
                if not await self._sit(live_table, NewSitter(*new_tables.take_seat(history, holder, join))):
                    await self.live.catch_up(live_table)
        return id

    async def id_by_code(self, code: str) -> str:
        """Return the id of the table of a join link."""
        id = await self.store.by_code(code)
        if id is None:
            raise Refused(ErrorCode.NO_TABLE)
        return id

    async def _sit(self, live_table: LiveTable, sitter: NewSitter) -> bool:
        """Store and publish that a person takes a seat. Return False if another process was faster."""
        history = live_table.history
        seats = tuple(sitter.seat if i == sitter.number else seat for i, seat in enumerate(history.seats))
        now = self.now()
        _, chance = new_tables.start(history.head, seats, now)
        events: list[Event] = [Sit(sitter.number, now), *chance]
        seated = history.with_events(events, seats)
        if seated.started and (off := await self._missing_days_off(seated, now)):
            events += off
            seated = history.with_events(events, seats)
        reached = stage(seated)
        change = Change(history, seats, events, reached, seated.match, seated.clock, live_table.present)
        writes = writes_of(change, self._ports)
        if not await self.store.append(
            history.head.id, history.ply, events, sitter, reached, seated.clock, writes
        ):
            return False
        live_table.expect_sitter(sitter.number)
        live_table.append(events, seats)
        live_table.set_ratings(await self.live.ratings(history.head))
        await self._publish(live_table, told=bool(writes), here=live_table.seated_here)
        return True

    async def _publish(self, live_table: LiveTable, told: bool, here: Sequence[int] | None = None) -> None:
        """Tell features, bots and the other processes that a table has moved on."""
        history = live_table.history
        if told:
            self.live.on_told({seat.holder for seat in history.seats})
        self.live.wake(live_table)
        await self.live.publish(Notice(history.head.id, history.ply, None if here is None else tuple(here)))

    async def say(self, holder: str, id: str, phrase: str) -> None:
        """Say a set phrase to the others at a table."""
        history, seats = await self._among_people(holder, id)
        if phrase not in PHRASES:
            raise Refused(ErrorCode.BAD_MESSAGE, why=f"phrase must be one of {', '.join(PHRASES)}")
        said = Remark(seats[0], phrase, history.ply)
        if not await self.store.write(id, lambda c: rows.add_remark(c, id, said)):
            raise Refused(ErrorCode.REMARK_LIMIT, most=MAX_REMARKS)
        await self.live.show_asides(id)

    async def mute(self, holder: str, id: str, on: bool) -> None:
        """Hear nothing that the others say at a table, or hear them again."""
        _, seats = await self._among_people(holder, id)
        await self.store.write(id, lambda c: rows.set_mute(c, id, seats, on))
        await self.live.show_asides(id)

    async def _among_people(self, holder: str, id: str) -> tuple[History, tuple[int, ...]]:
        """Return a table with the seats of its holder. Refuse if no other person sits there."""
        history = (await self.live.current(id, holder)).history
        held = history.seats_of(holder)
        if not held:
            raise Refused(ErrorCode.SPECTATOR)
        if all(i in held for i, seat in enumerate(history.seats) if seat.kind == SeatKind.PERSON):
            raise Refused(ErrorCode.BAD_MESSAGE, why="no other person sits here")
        return history, held


async def _refuse() -> None:
    raise Refused(ErrorCode.NOT_STORED)


class SteadyClock:
    """The time since 1970, measured by a clock that nobody sets.

    A frozen process or a machine that sleeps finds that time has passed. Where the clock of the machine is set, this
    one follows it slowly, by a hundredth of the time that passes, so that no player's time jumps. Only where that one
    leads by minutes, as after a sleep in which no clock of the system went on, it jumps ahead. Such a jump is an
    outage to the tables, which give its time back.
    """

    JUMP_NS = 120 * 10**9

    def __init__(self, wall_ns: Callable[[], int], steady_ns: Callable[[], int]) -> None:
        self._wall_ns, self._steady_ns = wall_ns, steady_ns
        self._now, self._steady = wall_ns(), steady_ns()

    def __call__(self) -> int:
        """Return the time in milliseconds since 1970."""
        steady, wall = self._steady_ns(), self._wall_ns()
        passed = max(0, steady - self._steady)
        behind, most = wall - self._now - passed, passed // 100
        self._now += passed + (behind if behind >= self.JUMP_NS else max(-most, min(behind, most)))
        self._steady = steady
        return self._now // 1_000_000


# a clock that nobody sets, and that goes on while the machine sleeps: on Linux
_boot_ns = partial(time.clock_gettime_ns, time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else None
now_ms = SteadyClock(time.time_ns, _boot_ns or time.monotonic_ns)  # as events have it
