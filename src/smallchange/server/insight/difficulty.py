"""The difficulty of a variant: the win rate of the simple bot, measured when a page asks."""

from __future__ import annotations

import asyncio

from cachetools import LRUCache

from smallchange.core.game import Game
from smallchange.core.variants import without_idle_options
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.view.measured_odds import WinRates, beginner_rates
from smallchange.server.web.background_tasks import SingleFlight
from smallchange.server.web.errors import ErrorCode, Refused

GAMES = 5000  # about a second in the slowest game; enough for two shares to add up to 100.0%
MAX_VARIANTS = 1000  # results kept
MAX_RUNNING = 4  # variants being measured: the workers have room for hints beside them
WAIT_S = 10.0  # for which a request waits, before it is told that the games are still being played


class Difficulty:
    """The difficulties of variants. Each is measured once, however many requests ask, and the last results are kept."""

    def __init__(self, bots: BotWorkers) -> None:
        self._bots = bots
        self._results: LRUCache[Game, WinRates] = LRUCache(MAX_VARIANTS)
        self._running = SingleFlight[Game, WinRates]()

    def is_known(self, game: Game) -> bool:
        """Return whether the difficulty is measured, or being measured."""
        game = without_idle_options(game)
        return game in self._running or self._find(game) is not None

    async def measure_soon(self, game: Game) -> WinRates | None:
        """Return the win rates of a variant; None if that takes longer than WAIT_S, in which case the games go on."""
        try:
            async with asyncio.timeout(WAIT_S):
                return await self.measure(game)
        except TimeoutError:
            return None

    async def measure(self, game: Game) -> WinRates:
        """Return the win rates of a variant. Refuse if the bots are busy."""
        game = without_idle_options(game)
        if found := self._find(game):
            return found
        if game not in self._running and len(self._running) >= MAX_RUNNING:
            raise Refused(ErrorCode.BOTS_BUSY)
        return await self._running.do(game, lambda: self._play(game))

    async def _play(self, game: Game) -> WinRates:
        found: WinRates = await self._bots.play(game, play_games, GAMES)
        self._results[game] = found
        return found

    def _find(self, game: Game) -> WinRates | None:
        """Return the win rates that are known. Those of the base game of a game for one lie in its folder."""
        return beginner_rates(game) or self._results.get(game)


def play_games(seconds: float, n: int, game: Game) -> WinRates:
    """Play games with the simple bot, in a worker process."""
    from smallchange.lab.simulate import simulate

    run = simulate(game, n, "greedy", seed=1, workers=1)
    rates = run.win_rate if isinstance(run.win_rate, dict) else {game.seats[0]: run.win_rate}
    return WinRates(run.n, rates, run.command)
