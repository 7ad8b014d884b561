"""The turns of bots: they execute commands as people do."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import structlog

from smallchange.server.daily.days import bot_luck
from smallchange.server.table.bot_workers import BotWorkers
from smallchange.server.table.commands import Act, Command
from smallchange.server.table.history import BOT
from smallchange.server.table.live_table import LiveTable
from smallchange.server.web.errors import ErrorCode, Refused

log = structlog.get_logger("turns")


def is_bot_turn(live_table: LiveTable) -> bool:
    """Return whether it is the turn of a bot."""
    turn = live_table.history.turn
    return turn >= 0 and not live_table.history.full and live_table.history.seats[turn].kind == BOT


def is_bot_due(live_table: LiveTable) -> bool:
    """Return whether it is the turn of a bot that is not thinking already."""
    return is_bot_turn(live_table) and not live_table.thinking


async def prepare_bots(live_table: LiveTable, bots: BotWorkers) -> None:
    """Compile the code of the bots at a table, before they are asked for moves."""
    for seat in live_table.history.seats:
        if seat.kind == BOT and not live_table.history.ending:
            await bots.prepare(seat.bot, live_table.history.match.position)


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


async def take_turns(
    live_table: LiveTable,
    bots: BotWorkers,
    execute: Callable[[str, Command], Awaitable[int]],
    new_id: Callable[[int], str],
) -> None:
    """Ask the bot on turn for moves, until it is a person's turn or a move is refused.

    The caller has set `live_table.thinking`.
    """
    try:
        while True:
            history, turn = live_table.history, live_table.history.turn
            if not is_bot_turn(live_table):
                return
            ply = history.ply
            position = history.match.position
            luck = None if history.head.closes_at is None else bot_luck(history.head.secret, position)
            token = await bots.choose(history.seats[turn].bot, position, luck)
            try:
                await execute(
                    history.seats[turn].holder, Act(history.head.id, ply, f"bot-{ply}-{new_id(9)}", token)
                )
            except Refused as wrong:
                if wrong.code != ErrorCode.CONFLICT:
                    log.error("a bot's move was refused", match=history.head.id, token=token, code=wrong.code)
                    return
                if live_table.history.ply == ply:
                    return  # another process asked its bot too; had the table moved on, this would go on
            await asyncio.sleep(0)
    except Exception:
        log.exception("a bot failed", match=live_table.history.head.id)
    finally:
        live_table.thinking = False
