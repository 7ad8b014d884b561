"""Bots at the server's tables, and hints. Quick bots are asked at once; the others think in processes of
their own, so that nobody's move waits for them; and hints, reviews and how hard a variant is are found in one
more, behind everything else.

A move is due when its seconds are over, however many tables ask: who waits has less time left to think, and
those who wait together share it. Where even that is not enough the rule of thumb answers at once.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from math import ceil
from random import Random
from threading import Thread
from time import monotonic
from typing import Any

import structlog

from smallchange import mind
from smallchange.game import Game, Position
from smallchange.mind import review

from .refused import Refused

GATHER = 0.004  # seconds to see who else asks
LEAST = 0.004  # seconds to think, however late it is
MOVES, HINTS = 64, 8  # the most questions that wait, beside those of reviews
PATIENT = 4  # how many times a move's seconds a hint may take
REST = 30.0  # seconds after which processes that did not even start are tried again
COMPILING = 60.0  # seconds in which compiled code gets ready, once in a process
log = structlog.get_logger("bots")

Question = tuple[str, tuple[tuple[str, Any], ...], dict[str, Any]]  # a position, for another process


class Full(Exception):
    """Too many wait already."""


class Desk:
    """Processes that answer questions in their order, in the time that is left. `low`: they leave the cores
    to others."""

    def __init__(self, workers: int, most: int, low: bool = False) -> None:
        self._workers, self._most, self._low = workers, most, low
        self._free = asyncio.Semaphore(workers)
        self._pool: ProcessPoolExecutor | None = None
        self._works = False  # has this pool answered yet?
        self._rest = 0.0  # until when none is started
        self.open = 0  # questions not answered yet

    @property
    def full(self) -> bool:
        """Do as many wait as may?"""
        return self.open >= self._most

    async def ask(
        self, answer: Callable[..., Any], seconds: float, *question: Any, admitted: bool = False
    ) -> Any:
        """What answer(share of the seconds, *question) gives. Full if there is no room to wait, unless who
        asks was admitted before."""
        if (self.full and not admitted) or monotonic() < self._rest:
            raise Full
        due = monotonic() + seconds
        self.open += 1
        try:
            await asyncio.sleep(min(GATHER, seconds / 10))
            async with self._free:
                share = max(LEAST, (due - monotonic()) / ceil(self.open / self._workers))
                return await self._answered(answer, share, *question)
        finally:
            self.open -= 1

    async def _answered(self, *work: Any) -> Any:
        if self._pool is None:
            # forked workers would inherit the server's sockets and outlive it
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._workers, spawn, initializer=_begin, initargs=(self._low,))
            self._works = False
        pool = self._pool
        try:
            answer = await asyncio.get_running_loop().run_in_executor(pool, *work)
            self._works = True
            return answer
        except BrokenProcessPool:  # a worker died: the next question gets fresh ones
            if self._pool is pool:
                self._pool = None
                self._rest = 0.0 if self._works else monotonic() + REST
            raise

    def close(self) -> None:
        if self._pool is not None:
            at_work = list((self._pool._processes or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in at_work:  # nobody waits for what they are at; Python would, before it ends
                process.kill()


class Bots:
    """Asks bots for their moves, and for hints. `workers` processes think about moves."""

    def __init__(self, workers: int = 1, seconds: float = mind.SECONDS) -> None:
        self._seconds = seconds
        self._moves = Desk(workers, MOVES)
        self._hints = Desk(1, HINTS, low=True)
        self._preparing: set[tuple[str, Game]] = set()

    async def prepare(self, name: str, position: Position) -> None:
        """Let a bot that will be asked for moves get its code ready, so that it plays as strong as it is from
        the first of them on."""
        bot = name, position.game
        if bot in self._preparing:
            return
        self._preparing.add(bot)  # once, however many of its tables come into memory together
        try:
            with _outlived(*bot):
                if not mind.level(name, position.game).quick:
                    await self._moves.ask(prepare, self._seconds, name, *_question(position))
        finally:
            self._preparing.remove(bot)

    async def choose(self, name: str, position: Position) -> str:
        """The token that a bot plays here: whatever happens, there is one."""
        with _outlived(name, position.game):
            if mind.level(name, position.game).quick:
                return mind.bot(name)(position)
            token: str = await self._moves.ask(think, self._seconds, name, *_question(position))
            return token
        return mind.bot("greedy")(position)

    async def hint(self, position: Position) -> mind.Hint:
        """A hint for the player to move, the same whoever asks again. Refused if many wait, or
        it failed."""
        with _outlived("hint", position.game):
            found: mind.Hint | None = await self._hints.ask(
                advise, PATIENT * self._seconds, *_question(position)
            )
            if found is not None:
                return found
        raise self._refused()

    async def play(self, game: Game, games: Callable[..., Any], n: int) -> Any:
        """What `games` gives for n of them, behind everything else. Refused if many wait, or it failed."""
        with _outlived("games", game):
            return await self._hints.ask(games, COMPILING, n, game)
        raise self._refused()

    async def judge(self, position: Position, at: int, token: str) -> review.Choice:
        """What the best bot makes of a choice in an ended match, as few are reviewed at once. Refused if it
        failed."""
        with _outlived("review", position.game):
            found: review.Choice | None = await self._hints.ask(
                appraise, review.SECONDS, at, token, *_question(position), admitted=True
            )
            if found is not None:
                return found
        raise Refused("failed")

    def _refused(self) -> Refused:
        """What is said where there is no answer."""
        return Refused("thinking" if self._hints.full else "failed")

    def close(self) -> None:
        self._moves.close()
        self._hints.close()


@contextmanager
def _outlived(bot: str, game: Game) -> Iterator[None]:
    """Whatever happens to a bot is logged, and no more: whoever asked has another answer."""
    try:
        yield
    except Full:
        pass
    except BrokenProcessPool:
        log.error("a bot's process died", bot=bot, game=game.id)
    except Exception:
        log.exception("a bot failed", bot=bot, game=game.id)


def _question(position: Position) -> Question:
    game = position.game
    return game.id, tuple(game.chosen.items()), position.copy().s.__dict__


def _begin(low: bool) -> None:
    """A process begins. Ctrl-C reaches the whole group; the server decides when its workers stop, or ends
    before it can."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_server, daemon=True).start()
    if low and hasattr(os, "nice"):
        os.nice(10)


def _end_with_server() -> None:
    if server := multiprocessing.parent_process():
        server.join()
        os._exit(0)


def prepare(seconds: float, name: str, *question: Any) -> None:
    """A bot's code gets ready, in a process of its own, which goes on answering meanwhile."""
    position = _position(*question)
    mind.level(name, position.game).prepare(position)


def think(seconds: float, name: str, *question: Any) -> str:
    """A bot's move, in a process of its own."""
    return mind.bot(name, seconds, wait=0.0)(_position(*question))


def advise(seconds: float, *question: Any) -> mind.Hint | None:
    """A hint, in a process of its own: nobody but who asks for hints waits until code is compiled."""
    position = _position(*question)
    return mind.hint(position, seconds, Random(str(position)), COMPILING)


def appraise(seconds: float, at: int, token: str, *question: Any) -> review.Choice | None:
    """A choice judged, in a process of its own, as `advise` hints."""
    return review.judged(_position(*question), at, token, seconds, wait=COMPILING)


def _position(id: str, options: tuple[tuple[str, Any], ...], fields: dict[str, Any]) -> Position:
    game = _game(id, options)
    s = game.state_type()
    s.__dict__.update(fields)
    return Position(game, s)


@lru_cache(16)
def _game(id: str, options: tuple[tuple[str, Any], ...]) -> Game:
    return Game(id, dict(options))
