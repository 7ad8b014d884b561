"""Hints: the move of the best bot, for a player on their turn where no other person plays.

A hint changes nothing, and only the player who asked sees it. Records do not mention hints, nor moves taken
back: there is no other person to be unfair to.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import NamedTuple

from cachetools import LRUCache

from smallchange import bots
from smallchange.core.game import Position
from smallchange.i18n.text import Text
from smallchange.render.scene import Touch
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.live_tables import LiveTables
from smallchange.server.table.model.commands import Hint
from smallchange.server.table.model.history import History
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.limits import Limits

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
