"""How hard a game is with options that somebody has chosen: whole games of simple players, played when it is
asked."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from smallchange.game import Game
from smallchange.lab.measure import Rate

from .bots import Bots
from .pages.measured import Played, odds
from .refused import Refused

GAMES = 5000  # a second or so of processor time in the slowest game; so many that two shares add to 100.0
KEPT = 1000
GOING = 4  # variants being played, at most: the desk has room for hints beside them
PATIENCE = 20.0  # seconds for which who asks waits


class Difficulty:
    """Plays each variant once, whoever asks meanwhile, and remembers the last of them."""

    def __init__(self, bots: Bots) -> None:
        self._bots = bots
        self._known: OrderedDict[Game, Played] = OrderedDict()
        self._going: dict[Game, asyncio.Future[Played]] = {}

    def begun(self, game: Game) -> bool:
        """Does it take no new games to tell?"""
        return game in self._going or self._told(game) is not None

    async def of(self, game: Game) -> Played:
        """Refused if too much else is being thought about, or too many others are played."""
        found = self._told(game)
        if found is None:
            if game not in self._going:
                if len(self._going) >= GOING:
                    raise Refused("thinking")
                self._going[game] = asyncio.ensure_future(self._play(game))
            try:
                async with asyncio.timeout(PATIENCE):
                    found = await asyncio.shield(self._going[game])
            except TimeoutError:  # it goes on, for who asks again
                raise Refused("thinking") from None
        return found

    async def _play(self, game: Game) -> Played:
        try:
            found: Played = await self._bots.play(game, played, GAMES)
        finally:
            del self._going[game]
        self._known[game] = found
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return found

    def _told(self, game: Game) -> Played | None:
        """What is known: the base game of a game for one was measured once and for all."""
        measured = None if game.chosen else odds(game.id)
        if measured:
            rate = Rate.of(measured.won, measured.n)
            return Played(measured.n, {game.seats[0]: rate}, measured.command)
        return self._known.get(game)


def played(seconds: float, n: int, game: Game) -> Played:
    """In a process of its own."""
    from smallchange.lab.simulate import simulate

    run = simulate(game, n, "greedy", seed=1, workers=1)
    rates = run.win_rate if isinstance(run.win_rate, dict) else {game.seats[0]: run.win_rate}
    return Played(run.n, rates, run.command)
