"""The turns of bots: they execute commands as people do."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
from collections.abc import Awaitable, Callable
from random import Random

import structlog

from smallchange.core.game import Position
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.model.commands import Command, PlayMove
from smallchange.server.table.model.history import SeatKind
from smallchange.server.web.background_tasks import BackgroundTasks
from smallchange.server.web.errors import ErrorCode, Refused

log = structlog.get_logger("turns")


def is_bot_turn(live_table: LiveTable) -> bool:
    """Return whether it is the turn of a bot."""
    turn = live_table.history.turn
    return turn >= 0 and not live_table.history.full and live_table.history.seats[turn].kind == SeatKind.BOT


class BotTurns:
    """Asks bots for moves at the tables of this process. They are executed as those of people."""

    def __init__(
        self,
        bots: BotWorkers,
        execute: Callable[[LiveTable, str, Command], Awaitable[int]],
        new_id: Callable[[int], str],
        pace_s: float = 0,
    ) -> None:
        self._bots = bots
        self._pace_s = pace_s  # between two moves of bots who play each other, so that people can watch
        self._execute = execute
        self._new_id = new_id
        self._tasks = BackgroundTasks()

    async def close(self) -> None:
        """Stop waiting for moves."""
        await self._tasks.close()

    def prepare(self, live_table: LiveTable) -> None:
        """Prepare the bots at a table that has come into memory, and ask for a move if one is due."""
        self._tasks.begin(self._prepare(live_table))
        self.wake(live_table)

    def wake(self, live_table: LiveTable) -> None:
        """Ask for a move if it is the turn of a bot that is not thinking already."""
        if is_bot_turn(live_table) and not live_table.thinking:
            live_table.thinking = True
            self._tasks.begin(self._take_turns(live_table))

    async def _prepare(self, live_table: LiveTable) -> None:
        """Compile the code of the bots at a table, before they are asked for moves."""
        for seat in live_table.history.seats:
            if seat.kind == SeatKind.BOT and not live_table.history.ending:
                await self._bots.prepare(seat.bot, live_table.history.match.position)

    async def _take_turns(self, live_table: LiveTable) -> None:
        """Ask the bot on turn for moves, until it is a person's turn or a move is refused."""
        history = live_table.history
        pace_s = self._pace_s if all(seat.kind == SeatKind.BOT for seat in history.seats) else 0
        try:
            while is_bot_turn(live_table):
                ply, seat, position = history.ply, history.seats[history.turn], history.match.position
                luck = None if history.head.closes_at is None else bot_luck(history.head.secret, position)
                token = await self._bots.choose(seat.bot, position, luck)
                move = PlayMove(history.head.id, ply, f"bot-{ply}-{self._new_id(9)}", token)
                try:
                    await self._execute(live_table, seat.holder, move)
                except Refused as wrong:
                    if wrong.code != ErrorCode.CONFLICT:
                        log.error(
                            "a bot's move was refused", match=history.head.id, token=token, code=wrong.code
                        )
                        return
                    if history.ply == ply:
                        return  # another process asked its bot too; had the table moved on, this would go on
                await asyncio.sleep(pace_s)
        except Exception:
            log.exception("a bot failed", match=history.head.id)
        finally:
            live_table.thinking = False


def bot_luck(secret: bytes, position: Position) -> Random:
    """Return the random numbers of a bot's move: the same whoever has brought the position about."""
    return Random(hmac.new(secret, f"bot {position.key()}".encode(), hashlib.sha256).digest())


async def wait_for_bots(live_table: LiveTable, timeout_s: float) -> None:
    """Wait until it is no bot's turn, or until the timeout."""
    news = asyncio.Event()
    live_table.watch(news.set, ())
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while is_bot_turn(live_table):
                    await news.wait()
                    news.clear()
    finally:
        live_table.leave(news.set, ())
