"""Hints: the move of the best bot, for a player on their turn where no other person plays.

A hint changes nothing, and only the player who asked sees it. Records do not mention hints, nor moves taken
back: there is no other person to be unfair to.
"""

from __future__ import annotations

from typing import NamedTuple

from cachetools import LRUCache

from smallchange import bots
from smallchange.core.game import Position
from smallchange.i18n.text import Text
from smallchange.render.scene import Touch
from smallchange.server.table.bot_workers import BotWorkers
from smallchange.server.table.commands import Hint
from smallchange.server.table.history import History
from smallchange.server.table.live_table import LiveTable
from smallchange.server.table.live_tables import LiveTables
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.limits import Limits

MAX_HINTS_KEPT = 256


class TableHint(NamedTuple):
    """A hint at a table: the token of the move, the pieces and spots to touch for it, and its three steps in words.

    `nudge` says what to touch first, which has the ids `first`; `text` the move and its odds; `why` the reasons.
    """

    token: str
    touch: Touch
    text: Text
    nudge: Text
    first: tuple[str, ...]
    why: Text

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
        self._found: LRUCache[tuple[str, int], TableHint] = LRUCache(MAX_HINTS_KEPT)  # by match and ply

    async def find(self, holder: str, address: str, command: Hint) -> TableHint:
        """Return a hint for a player at a table, or raise Refused. The request comes from this address."""
        live_table, key = await self._live.current(command.match, holder), (command.match, command.ply)
        if found := self._found.get(key):
            hint_position(live_table.history, holder, command.ply)  # or it is refused
            return found
        self._limits.count_hint(holder, address)
        found = self._found[key] = await find_hint(self._workers, live_table, holder, command.ply)
        return found


async def find_hint(workers: BotWorkers, live_table: LiveTable, holder: str, ply: int) -> TableHint:
    """Return a hint, or raise Refused. The table may move on meanwhile, which is a conflict."""
    position = hint_position(live_table.history, holder, ply)
    found = await workers.hint(position)
    hint_position(live_table.history, holder, ply)  # or the table has moved on
    choices = live_table.view(live_table.history.seats_of(holder)).choices
    choice = next(choice for choice in choices if choice.token == found.token)
    first = choice.touch.path[:1] or choice.touch.marks
    return TableHint(
        found.token, choice.touch, found.describe(position), found.nudge(position), first, found.why(position)
    )
