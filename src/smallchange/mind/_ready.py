"""What the engines share: compiled code made ready beside the game, and a pace that keeps to the seconds."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, TimeoutError
from random import Random
from threading import Lock, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from smallchange.game import Game, Position

from . import greedy
from .levels import Level, lacking

if TYPE_CHECKING:
    from smallchange.fast.search import Look

Engine = TypeVar("Engine")
KEPT = 6  # games and variants whose room for searching is kept, some 40 MB each
PATIENCE = 0.02  # seconds between looks at the clock


class Judged(NamedTuple):
    """What an engine makes of a move: the odds of winning after it, 0 to 1, None where the search did not
    look at it; the best move, and the odds after that. `exact` odds are certain, of others `Level.won` says
    what they are worth."""

    odds: float | None
    best: str
    better: float
    exact: bool = False

    def worth(self, bot: Level, game: Game) -> Judged:
        """The same with odds as they were measured of the bot, where they are not exact."""
        if self.exact:
            return self
        odds = None if self.odds is None else bot.won(game, self.odds)
        return self._replace(odds=odds, better=bot.won(game, self.better))


class Ready(Generic[Engine]):
    """Engines of one kind, each made once in this process by a thread of its own; the last few are kept.

    One is made at a time, by a daemon: a program that ends does not wait for what nobody will use.
    `lock` is for whoever uses one: each has room for one search at a time.
    """

    def __init__(self, make: Callable[[Position], Engine]) -> None:
        self._make = make
        self._made: OrderedDict[Game, Future[Engine]] = OrderedDict()
        self._making = Lock()
        self._asking = Lock()
        self.lock = Lock()

    def engine(self, position: Position, seconds: float) -> Engine | None:
        """The engine for a position's game; None if it is not made within the seconds: that goes on beside
        the game, ask again. ModuleNotFoundError says what to install where it cannot be made."""
        game = position.game
        with self._asking:
            if game not in self._made:
                if lacks := lacking():
                    raise ModuleNotFoundError(lacks.en)
                self._made[game] = self._begun(position.copy())
            self._made.move_to_end(game)
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
            made = self._made[game]
        try:
            return made.result(max(0.0, seconds))
        except TimeoutError:
            return None

    def _begun(self, position: Position) -> Future[Engine]:
        made: Future[Engine] = Future()
        Thread(target=self._fulfil, args=(made, position), name="compiling", daemon=True).start()
        return made

    def _fulfil(self, made: Future[Engine], position: Position) -> None:
        with self._making:
            try:
                made.set_result(self._make(position))
            except Exception as wrong:  # for whoever asks for the engine
                made.set_exception(wrong)

    def waited(self, position: Position, seconds: float, wait: float) -> tuple[Engine | None, float]:
        """The engine, and what is left of the seconds: waiting takes from them what is more than `wait`."""
        begun = perf_counter()
        made = self.engine(position, seconds + wait)
        return made, seconds - max(0.0, perf_counter() - begun - wait)


def points(position: Position, player: str) -> float | None:
    """What a game came to for a player: 1 for a win, half for a draw; None while it goes on."""
    result = position.result()
    if result is None:
        return None
    if "winner" in result:
        return 1.0 if result["winner"] == player else 0.0 if result["winner"] in position.game.seats else 0.5
    return float(bool(result.get("won")))


def favourite(
    found: Sequence[Look], position: Position, legal: Sequence[str], seconds: float, luck: Random
) -> str:
    """The best move of those looked at; the rule of thumb's while nothing is found yet."""
    return position.game.tokens[found[0].action] if found else greedy.choose(position, legal, seconds, luck)


def paced(end: float, most: int, first: int) -> Callable[[int], int]:
    """How many looks to add, given how many there are: until `end` by the clock, at most so many, `first`
    before the clock is looked at. Looks may turn dear, so the slower of all and of the last sets the pace."""
    begun = asked = perf_counter()
    had = 0

    def enough(done: int) -> int:
        nonlocal asked, had
        now = perf_counter()
        if done == 0 or now >= end:
            return min(most, first) if now < end else 0
        pace = min(done / (now - begun), (done - had) / (now - asked))
        asked, had = now, done
        return max(0, min(most - done, 1 + int(pace * min(PATIENCE, (end - now) / 2))))

    return enough
