"""Bots at a table: their turns, which they take by commands as people do, and the hints that they give.

A hint changes nothing, and only the player who asked sees it. Records do not mention hints, nor moves taken
back: there is no other person to be unfair to.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
from collections.abc import AsyncIterator, Awaitable, Callable
from random import Random
from typing import NamedTuple

import structlog
from cachetools import LRUCache

from smallchange import bots
from smallchange.core.game import Position
from smallchange.i18n.text import Text
from smallchange.render.scene import Touch
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.live_tables import LiveTables
from smallchange.server.table.model.commands import Command, Hint, PlayMove
from smallchange.server.table.model.history import History, SeatKind
from smallchange.server.web.background_tasks import BackgroundTasks
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.limits import Limits

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


MAX_HINTS_KEPT = 256
FIRST_GUESS_S = 1.0  # of waiting for the best bot, after which a first guess is shown


class TableHint(NamedTuple):
    """A hint at a table: the token of the move, the pieces and spots to touch for it, and its three steps in words.

    `nudge` says what to touch first, which has the ids `first`; `text` the move and its odds; `why` the reasons.
    A `guess` comes at once, and the best bot's hint after it.
    """

    token: str
    touch: Touch
    text: Text
    nudge: Text
    first: tuple[str, ...]
    why: Text
    guess: bool = False

    @property
    def marks(self) -> tuple[str, ...]:
        """The ids of the pieces and spots that the page marks."""
        return self.touch.path + self.touch.marks


def hint_position(history: History, holder: str, ply: int) -> Position:
    """Return the position for which this holder may have a hint, or raise Refused."""
    held = history.seats_of(holder)
    if not held:
        raise Refused(ErrorCode.SPECTATOR)
    if history.closing_code:
        raise Refused(history.closing_code)
    if history.sealed:
        raise Refused(ErrorCode.SEALED)
    if history.one_person and not history.alone:
        raise Refused(ErrorCode.RATED_AGAINST_BOT)
    if history.turn not in held or not history.alone or bots.install_advice():
        raise Refused(ErrorCode.NO_HINT)
    if ply != history.ply:
        raise Refused(ErrorCode.CONFLICT)
    return history.match.position.copy()


class Hints:
    """Finds hints, and keeps the last of them: their next steps cost nothing and agree with the first."""

    def __init__(self, workers: BotWorkers, live: LiveTables, limits: Limits) -> None:
        self._workers = workers
        self._live = live
        self._limits = limits
        self._found: LRUCache[tuple[str, int], asyncio.Task[TableHint]] = LRUCache(
            MAX_HINTS_KEPT
        )  # by match and ply

    async def find(self, holder: str, address: str, command: Hint) -> TableHint:
        """Return the best bot's hint for a player at a table. The request comes from this address."""
        return [found async for found in self.find_soon(holder, address, command)][-1]

    async def find_soon(self, holder: str, address: str, command: Hint) -> AsyncIterator[TableHint]:
        """Yield the best bot's hint, and before it a guess where that takes FIRST_GUESS_S or more."""
        live_table, key = await self._live.current(command.match, holder), (command.match, command.ply)
        if key not in self._found:
            self._limits.count_hint(holder, address)
        position = hint_position(live_table.history, holder, command.ply)
        search = self._found.get(key)
        if search is None:
            search = self._found[key] = asyncio.create_task(
                find_hint(self._workers, live_table, holder, command.ply)
            )
            search.add_done_callback(lambda task: self._forget_failure(key, task))
        if not (await asyncio.wait([search], timeout=FIRST_GUESS_S))[0]:
            yield table_hint(live_table, holder, command.ply, first_guess(position))
        yield await asyncio.shield(search)

    def _forget_failure(self, key: tuple[str, int], search: asyncio.Task[TableHint]) -> None:
        """Let a hint that failed be looked for again."""
        if search.cancelled() or search.exception():
            self._found.pop(key, None)


async def find_hint(workers: BotWorkers, live_table: LiveTable, holder: str, ply: int) -> TableHint:
    """Return a hint, or raise Refused. The table may move on meanwhile, which is a conflict."""
    found = await workers.hint(hint_position(live_table.history, holder, ply))
    return table_hint(live_table, holder, ply, found)


def first_guess(position: Position) -> bots.Hint:
    """Return the move of the simple bot, for a hint at once, before the best bot has looked."""
    return bots.Hint(bots.bot("greedy", luck=Random(position.key()))(position), 0.0, guess=True)


def table_hint(live_table: LiveTable, holder: str, ply: int, found: bots.Hint) -> TableHint:
    """Return a hint as the table shows it. Refuse if the table has moved on."""
    position = hint_position(live_table.history, holder, ply)
    choices = live_table.view(live_table.history.seats_of(holder)).choices
    choice = next(choice for choice in choices if choice.token == found.token)
    first = choice.touch.path[:1] or choice.touch.marks
    return TableHint(
        found.token,
        choice.touch,
        found.describe(position),
        found.nudge(position),
        first,
        found.why(position),
        found.guess,
    )
