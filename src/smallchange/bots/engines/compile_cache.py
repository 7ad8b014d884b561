"""Compiled engines, each made in the background while the game goes on by the rule of thumb."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotInTime
from math import isinf
from threading import Lock, Thread
from time import perf_counter
from typing import Generic, TypeVar

from smallchange.bots.levels import install_advice
from smallchange.core.game import Game, Position

Engine = TypeVar("Engine")
MAX_ENGINES = 6  # of one kind, for as many games and variants; each takes about 40 MB


class CompileCache(Generic[Engine]):
    """Engines of one kind by game, each made once in this process by a background thread.

    The engines used last are kept, up to MAX_ENGINES. One engine is made at a time. The threads are daemons,
    so that a program can end without waiting for an engine that nobody will use. Hold `lock` while an engine
    is used: an engine has room for one search at a time.
    """

    def __init__(self, make: Callable[[Position], Engine]) -> None:
        self._make = make
        self._engines: OrderedDict[Game, Future[Engine]] = OrderedDict()
        self._compile_lock = Lock()
        self._cache_lock = Lock()
        self.lock: Lock = Lock()

    def add(self, game: Game, engine: Engine) -> None:
        """Keep an engine that was made elsewhere."""
        with self._cache_lock:
            self._engines[game] = Future()
            self._engines[game].set_result(engine)

    def get(self, position: Position, seconds: float) -> Engine | None:
        """Return the engine for a position's game, or None if it is not ready within `seconds`.

        Compiling goes on in the background: ask again later. Raise ModuleNotFoundError, with the command that
        installs it, if a package is missing.
        """
        game = position.game
        with self._cache_lock:
            if game not in self._engines:
                if advice := install_advice():
                    raise ModuleNotFoundError(advice.en)
                self._engines[game] = self._start(position.copy())
            self._engines.move_to_end(game)
            while len(self._engines) > MAX_ENGINES:
                self._engines.popitem(last=False)
            engine = self._engines[game]
        try:
            return engine.result(None if isinf(seconds) else max(0.0, seconds))
        except NotInTime:
            return None

    def get_and_time_left(
        self, position: Position, seconds: float, wait: float
    ) -> tuple[Engine | None, float]:
        """Return the engine, and how many of the seconds for thinking are left.

        The first `wait` seconds of waiting for the engine cost no thinking time.
        """
        start = perf_counter()
        engine = self.get(position, seconds + wait)
        return engine, seconds - max(0.0, perf_counter() - start - wait)

    def _start(self, position: Position) -> Future[Engine]:
        engine: Future[Engine] = Future()
        Thread(target=self._compile, args=(engine, position), name="compiling", daemon=True).start()
        return engine

    def _compile(self, engine: Future[Engine], position: Position) -> None:
        with self._compile_lock:
            try:
                engine.set_result(self._make(position))
            except Exception as error:  # raised again in the thread that asks for the engine
                engine.set_exception(error)
