"""Worker processes in which bots think.

Quick bots answer at once. The others think in processes of their own, so that no other move waits for them.
One more process, of low priority, works out hints, reviews and the difficulty of variants.

A bot's move is due after a fixed time, however many tables ask. A question that waits has less time to think,
and waiting questions share it. With a number of simulations instead, and in reviews, bots look at no clock:
their answers depend on the position alone, however busy the machine is. If a bot fails, or too many questions
wait, the simple bot moves instead.
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
from dataclasses import replace
from math import ceil, inf
from random import Random
from threading import Thread
from time import monotonic
from typing import Any

import structlog

from smallchange import bots as mind
from smallchange.bots import analysis, deals, review
from smallchange.bots.solved_values import SolvedValues, solved_values
from smallchange.core.commitment import Envelope
from smallchange.core.game import Game, Position
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.heavy_work import Turns

GATHER_S = 0.004  # to see how many tables ask
MIN_THINK_S = 0.004  # however late it is
MAX_MOVES, MAX_HINTS = 64, 8  # questions that wait, beside those of reviews
HINT_FACTOR = 4  # times the seconds of a move that a hint may take
MAX_SOLVING = 8  # positions of solved games that wait, of all who ask
GAMES_TIME_S = 60.0  # that the games which measure a variant may take
RESTART_DELAY_S = 30.0  # after which processes that did not even start are tried again
log = structlog.get_logger("bots")

Question = tuple[str, tuple[tuple[str, Any], ...], dict[str, Any]]  # a position, for another process


class QueueFull(Exception):
    """Too many questions wait."""


class WorkerPool:
    """Processes that answer questions in order, each in the time that is left.

    `low_priority`: they yield the cores to other processes.
    """

    def __init__(self, workers: int, max_open: int, low_priority: bool = False) -> None:
        self._workers, self._max_open, self._low_priority = workers, max_open, low_priority
        self._free = asyncio.Semaphore(workers)
        self._pool: ProcessPoolExecutor | None = None
        self._works = False  # whether this pool has answered yet
        self._paused_until_s = 0.0  # no pool is started before
        self.open = 0  # questions not answered yet

    @property
    def full(self) -> bool:
        """Return whether the greatest number of questions wait."""
        return self.open >= self._max_open

    async def ask(
        self, answer: Callable[..., Any], seconds: float, *question: Any, admitted: bool = False
    ) -> Any:
        """Return answer(share of the seconds, *question).

        Raise QueueFull if too many questions wait, unless this one was admitted before.
        """
        if (self.full and not admitted) or monotonic() < self._paused_until_s:
            raise QueueFull
        deadline = monotonic() + seconds
        self.open += 1
        try:
            await asyncio.sleep(min(GATHER_S, seconds / 10))
            async with self._free:
                share = max(MIN_THINK_S, (deadline - monotonic()) / ceil(self.open / self._workers))
                return await self._run(answer, share, *question)
        finally:
            self.open -= 1

    async def _run(self, *work: Any) -> Any:
        """Run the work in a process of the pool, which is started if there is none."""
        if self._pool is None:
            # forked workers would inherit the server's sockets and outlive it
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(
                self._workers, spawn, initializer=_start_worker, initargs=(self._low_priority,)
            )
            self._works = False
        pool = self._pool
        try:
            answer = await asyncio.get_running_loop().run_in_executor(pool, *work)
            self._works = True
            return answer
        except BrokenProcessPool:  # a worker died: the next question gets fresh ones
            if self._pool is pool:
                self._pool = None
                self._paused_until_s = 0.0 if self._works else monotonic() + RESTART_DELAY_S
            raise

    def close(self) -> None:
        if self._pool is not None:
            at_work = list((self._pool._processes or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in at_work:  # Python would wait for their work before it ends
                process.kill()


class BotWorkers:
    """The bots, asked for moves, hints and reviews.

    `workers` is the number of processes that think about moves. With `simulations`, bots run that many for
    each move and look at no clock.
    """

    def __init__(
        self, workers: int = 1, seconds: float = mind.MOVE_TIME_S, simulations: int | None = None
    ) -> None:
        self._seconds, self._simulations = seconds, simulations
        self._moves = WorkerPool(workers, MAX_MOVES)
        self._hints = WorkerPool(1, MAX_HINTS, low_priority=True)
        self._solving = WorkerPool(1, MAX_SOLVING, low_priority=True)
        self._solving_turns = Turns(1, MAX_SOLVING // 2, MAX_SOLVING)
        self._preparing: set[tuple[str, Game]] = set()

    async def prepare(self, name: str, position: Position) -> None:
        """Compile the code of a bot before it is asked for a move, so that it plays at full strength from the first."""
        bot = name, position.game
        if bot in self._preparing:
            return
        self._preparing.add(bot)  # once, however many of its tables come into memory together
        try:
            with _log_failure(*bot):
                if not mind.level(name, position.game).instant:
                    await self._moves.ask(prepare, self._seconds, name, *_question(position))
        finally:
            self._preparing.remove(bot)

    async def choose(self, name: str, position: Position, luck: Random | None = None) -> str:
        """Return the token of the move that a bot chooses. If the bot fails, the simple bot chooses.

        A bot that answers at once breaks ties by `luck`, if it is given.
        """
        with _log_failure(name, position.game):
            if mind.level(name, position.game).instant:
                return mind.bot(name, luck=luck)(position)
            token: str = await self._moves.ask(
                think, self._seconds, self._simulations, name, *_question(position)
            )
            return token
        return mind.bot("greedy")(position)

    async def hint(self, position: Position) -> mind.Hint:
        """Return a hint for the player to move, always the same for a position."""
        seconds = HINT_FACTOR * self._seconds
        found: mind.Hint = await self._find(
            "hint", position.game, advise, seconds, self._simulations, *_question(position)
        )
        return found

    async def play(self, game: Game, games: Callable[..., Any], n: int) -> Any:
        """Return games(seconds, n, game), run with low priority."""
        return await self._find("games", game, games, GAMES_TIME_S, n, game)

    async def find_secret(self, game: Game, difficulty: str, words: tuple[tuple[str, str], ...]) -> bytes:
        """Return a secret that makes a deal of this difficulty with these words of players."""
        found: bytes = await self._find("deals", game, find_secret, inf, game, difficulty, words)
        return found

    async def judge(self, position: Position, at: int, token: str) -> review.Choice:
        """Return the best bot's judgement of a choice in an ended match."""
        question = at, token, *_question(position)
        found: review.Choice = await self._find(
            "review", position.game, appraise, inf, self._simulations, *question, admitted=True
        )
        return found

    async def survey(self, position: Position) -> list[analysis.MoveChance]:
        """Return all moves of a position with their odds, best first."""
        found: list[analysis.MoveChance] = await self._find(
            "analysis", position.game, survey, inf, self._simulations, *_question(position)
        )
        return found

    async def look_up(self, position: Position) -> SolvedValues | None:
        """Return the values of a solved position and of its moves; None at the end of a match.

        A small game is solved first, which may take a minute, in a process of its own. Refused if too many wait, or
        if it failed.
        """
        if position.actor is None:
            return None
        async with self._solving_turns.turn():
            found: SolvedValues = await self._find(
                "solved", position.game, look_up, inf, *_question(position), pool=self._solving
            )
            return found

    async def _find(
        self,
        what: str,
        game: Game,
        answer: Callable[..., Any],
        *question: Any,
        admitted: bool = False,
        pool: WorkerPool | None = None,
    ) -> Any:
        """Return an answer of a process of low priority. Refuse if too many questions wait, or if it has none."""
        pool = pool or self._hints
        with _log_failure(what, game):
            found = await pool.ask(answer, *question, admitted=admitted)
            if found is not None:
                return found
        is_full = pool.full and not admitted
        raise Refused(ErrorCode.BOTS_BUSY if is_full else ErrorCode.BOT_FAILED)

    def close(self) -> None:
        self._moves.close()
        self._hints.close()
        self._solving.close()


@contextmanager
def _log_failure(bot: str, game: Game) -> Iterator[None]:
    """Log any failure of a bot, and go on: the caller has another answer."""
    try:
        yield
    except QueueFull:
        pass
    except BrokenProcessPool:
        log.error("a bot's process died", bot=bot, game=game.id)
    except Exception:
        log.exception("a bot failed", bot=bot, game=game.id)


def _question(position: Position) -> Question:
    """Return a position in a form that another process can read."""
    game = position.game
    return game.id, tuple(game.non_default_options.items()), position.copy().s.__dict__


def _start_worker(low_priority: bool) -> None:
    """Prepare a worker process.

    It ignores Ctrl-C, which reaches the whole group: the server stops its workers. It ends with the server,
    should the server be killed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_server, daemon=True).start()
    if low_priority and hasattr(os, "nice"):
        os.nice(10)


def _end_with_server() -> None:
    """Wait until the server has ended, then end this process."""
    if server := multiprocessing.parent_process():
        server.join()
        os._exit(0)


def prepare(seconds: float, name: str, *question: Any) -> None:
    """Compile a bot's code in a worker process, which answers other questions meanwhile."""
    position = _position(*question)
    mind.level(name, position.game).warm_up(position)


def think(seconds: float, simulations: int | None, name: str, *question: Any) -> str:
    """Return a bot's move, in a worker process. With `simulations` it follows from the position."""
    deal = None if simulations is None else b""
    return mind.bot(name, seconds, wait=0.0, simulations=simulations, deal=deal)(_position(*question))


def advise(seconds: float, simulations: int | None, *question: Any) -> mind.Hint | None:
    """Return a hint, in a worker process. Unlike a move, it waits until code is compiled."""
    position = _position(*question)
    return mind.hint(position, seconds, Random(position.key()), mind.COMPILE_TIMEOUT_S, simulations)


def appraise(
    seconds: float, simulations: int | None, at: int, token: str, *question: Any
) -> review.Choice | None:
    """Return the judgement of a choice, in a worker process."""
    position, wait = _position(*question), mind.COMPILE_TIMEOUT_S
    return review.evaluate_choice(position, at, token, seconds, wait=wait, simulations=simulations)


def survey(seconds: float, simulations: int | None, *question: Any) -> list[analysis.MoveChance]:
    """Return the odds of all moves, in a worker process."""
    return analysis.ranked_moves(_position(*question), simulations)


def find_secret(seconds: float, game: Game, difficulty: str, words: tuple[tuple[str, str], ...]) -> bytes:
    """Return a secret that makes a deal of this difficulty, in a worker process."""
    for _ in range(deals.MAX_DEALS):
        envelope = replace(Envelope.create(), words=words)
        if deals.is_of_difficulty(game, envelope.deal(), difficulty):
            assert envelope.secret is not None
            return envelope.secret
    raise ValueError(f"none of {deals.MAX_DEALS} deals of {game.id} was {difficulty}")


def look_up(seconds: float, *question: Any) -> SolvedValues:
    """Return the values of a solved position, in a worker process."""
    return solved_values(_position(*question))


def _position(id: str, options: tuple[tuple[str, Any], ...], fields: dict[str, Any]) -> Position:
    game = Game(id, dict(options))
    s = game.state_type()
    s.__dict__.update(fields)
    return Position(game, s)
