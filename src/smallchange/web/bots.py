"""Bots at the server's tables. Quick ones are asked at once; the others think in processes of their own, so
that nobody's move waits for them."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from importlib import import_module
from typing import Any

from smallchange import mind
from smallchange.game import Game, Position
from smallchange.text import Text, plain

TITLES = {"random": Text("a random player", "ランダム"), "greedy": Text("a greedy player", "欲張りな相手")}


def title(name: str) -> Text:
    """What a bot is called."""
    module: Any = import_module(f"{mind.__name__}.{name}")
    found: Text = getattr(module, "TITLE", None) or TITLES.get(name) or plain(name)
    return found


class Bots:
    """Asks bots for their moves. `workers` processes think for those that are not QUICK."""

    def __init__(self, workers: int = 1, seconds: float = mind.SECONDS) -> None:
        self._workers = workers
        self._seconds = seconds
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, name: str, position: Position) -> str:
        """The token that a bot plays here."""
        module: Any = import_module(f"{mind.__name__}.{name}")
        if getattr(module, "QUICK", False):
            return mind.bot(name, self._seconds)(position)
        game = position.game
        ask = (name, self._seconds, game.id, tuple(game.chosen.items()), position.s.__dict__)
        return await asyncio.get_running_loop().run_in_executor(self._started(), think, *ask)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # forked workers would inherit the server's sockets and outlive it
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._workers, spawn, initializer=_leave_signals)
        return self._pool

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _leave_signals() -> None:
    """Ctrl-C reaches the whole group; the server decides when its workers stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def think(
    name: str, seconds: float, id: str, options: tuple[tuple[str, Any], ...], fields: dict[str, Any]
) -> str:
    """A bot's move, in a process of its own."""
    game = _game(id, options)
    s = game.state_type()
    s.__dict__.update(fields)
    return mind.bot(name, seconds)(Position(game, s))


@lru_cache(16)
def _game(id: str, options: tuple[tuple[str, Any], ...]) -> Game:
    return Game(id, dict(options))
