"""Planned moves: the lines that players leave are played as commands of their seats when they fall due."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Protocol

import structlog

from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.live_tables import LiveTables
from smallchange.server.table.model.commands import Command, PlanMoves, PlayMove
from smallchange.server.table.model.history import History
from smallchange.server.table.model.plans import ANY, OWN, Plan, merge_lines, outlook, planning_seat
from smallchange.server.table.storage.plan_rows import change_plan, tables_with_plans
from smallchange.server.table.storage.store import Store
from smallchange.server.web.background_tasks import BackgroundTasks, log_errors
from smallchange.server.web.errors import ErrorCode, Refused

log = structlog.get_logger("plans")


class Execute(Protocol):
    """Execute a command at a table, which took `lag_ms` to arrive, and did so at a time."""

    def __call__(
        self, live_table: LiveTable, holder: str, command: Command, lag_ms: int, arrived: int
    ) -> Awaitable[int]: ...


def due_move(history: History) -> str | None:
    """Return the move that the seat on turn has planned for now."""
    plan = history.plans.get(history.turn)
    return outlook(history, plan).move if plan and not history.full else None


class PlannedMoves:
    """The plans at the tables of this process."""

    def __init__(self, live: LiveTables, store: Store, execute: Execute) -> None:
        self._live, self._store, self._execute = live, store, execute
        self._tasks = BackgroundTasks()

    def open(self) -> None:
        """Look for planned moves that fell due while no process was there."""
        self._tasks.begin(self._catch_up())

    async def close(self) -> None:
        """Stop playing planned moves. The next process goes on."""
        await self._tasks.close()

    async def store(self, live_table: LiveTable, holder: str, command: PlanMoves) -> int:
        """Store a plan of the holder's seat, and return the number of events at its table."""
        async with live_table.lock:
            ply = await self._store_plan(live_table.history, holder, command)
        await self._live.show_asides(command.match)
        self.wake(live_table)
        return ply

    async def _store_plan(self, history: History, holder: str, command: PlanMoves) -> int:
        """Store a plan together with the stored one, to which another process may have added."""
        seat = planning_seat(history, history.seats_of(holder))
        if seat is None:
            if not history.seats_of(holder):
                raise Refused(ErrorCode.SPECTATOR)
            raise Refused(history.closing_code or ErrorCode.CANNOT_PLAN)
        tokens = {step.removeprefix(OWN) for line in command.lines for step in line} - {ANY}
        for token in sorted(tokens - history.match.game.actions.keys()):
            raise Refused(ErrorCode.UNKNOWN_TOKEN, token=token)
        made = Plan(seat, min(command.ply, history.ply), tuple(map(tuple, command.lines)))
        lines = outlook(history, made).lines
        if command.lines and not lines:
            raise Refused(ErrorCode.CONFLICT)

        def merge(before: Plan | None) -> Plan:
            if command.more and before:
                return Plan(seat, history.ply, merge_lines(outlook(history, before).lines, lines))
            return Plan(seat, history.ply, lines)

        id = history.head.id
        await self._store.write(id, lambda connection: change_plan(connection, id, seat, merge))
        return history.ply

    def wake(self, live_table: LiveTable) -> None:
        """Play the planned moves of a table that are due."""
        if not live_table.following_plan and due_move(live_table.history) is not None:
            live_table.following_plan = True
            self._tasks.begin(self._follow(live_table))

    async def _follow(self, live_table: LiveTable) -> None:
        """Play planned moves until none is due, or one is refused. They take no time of the clock."""
        history = live_table.history
        try:
            while (token := due_move(history)) is not None:
                ply, due_at = history.ply, history.events[-1].at if history.events else self._live.now()
                move = PlayMove(history.head.id, ply, f"planned-{ply}", token)
                passed_ms = max(0, self._live.now() - due_at)
                try:
                    await self._execute(
                        live_table, history.seats[history.turn].holder, move, passed_ms, due_at
                    )
                except Refused as wrong:
                    if wrong.code != ErrorCode.CONFLICT or history.ply == ply:
                        return
        except Exception:
            log.exception("a planned move failed", match=history.head.id)
        finally:
            live_table.following_plan = False

    async def _catch_up(self) -> None:
        """Load the tables with plans: what is due there is played."""
        for id in await self._store.read(tables_with_plans):
            with log_errors(match=id):
                await self._live.find(id)
