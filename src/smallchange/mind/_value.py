"""What bots that stand on learned values share: compiled search, made ready beside the game.

Games whose `keys.py` says which dice open which moves are searched over all throws at once, wider and wider
while there is time; the others by looking ahead from the best ends of the turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

from smallchange.game import Game, Position
from smallchange.text import Text

from ._ready import Judged, Ready, favourite, paced

if TYPE_CHECKING:
    from smallchange.fast.expectimax import Expectimax
    from smallchange.fast.search import Look
    from smallchange.fast.values import Valuer

ABOUT = Text("learned values", "学習した評価")
FIRST = 4  # looks, or boards of a level, before the clock is looked at
MARGIN = 0.7  # of the time left, that a wider search may take by what the last one took
WIDER = 16  # times as wide as the last search a search may be at most
FEW = 0.5  # of the boards: where no more were left out, a search of all is soon done
LONGER = 4  # times as long as the last search that may take


def learned(game: Game) -> bool:
    """Are there learned values for this game?"""
    return (game.folder / "values.json").exists()


def looks(
    position: Position,
    seconds: float,
    luck: Random,
    most: int = 1 << 40,
    wait: float = 0.0,
    sure: bool = False,
    **plan: Any,
) -> tuple[list[Look], bool]:
    """What is found of each legal move within the seconds, best first, and is that exact? `won` is its worth,
    from 0 to 1.

    `plan`: see `fast.values.Lookahead`. `most`: at most so many looks; in a search over all throws the most
    boards of a level. `sure`: where these left few boards out, search all, if that is exact. With enough
    seconds for them the result depends on `luck` alone. The first time a game is asked for in a process its
    code is loaded, or even compiled, beside the game; until that is done nothing is found: []. Waiting for it
    takes from the seconds what is more than `wait`. BadValues where there are no learned values,
    ModuleNotFoundError where Numba is missing.
    """
    valuer, left = _valuers.waited(position, seconds, wait)
    if valuer is None:
        return [], False
    end = perf_counter() + left
    from smallchange.fast.expectimax import Expectimax
    from smallchange.fast.values import Lookahead

    asked = Lookahead(**plan)
    with _valuers.lock:
        if isinstance(valuer, Expectimax) and asked.width > 0:
            return _wider(valuer, position, asked.depth, end, min(most, asked.width), sure)
        return valuer.search(position.s, asked, luck.getrandbits(63), paced(end, most, FIRST), most), False


def _wider(
    valuer: Expectimax, position: Position, depth: int, end: float, widest: int, sure: bool
) -> tuple[list[Look], bool]:
    """Search with more and more boards a level, until it is exact, wide enough or there is no more time."""
    width = min(FIRST, widest)
    while True:
        begun = perf_counter()
        found, exact = valuer.unfold(position.s, width, depth)
        took = perf_counter() - begun
        left = end - perf_counter()
        wider = min(WIDER, left * MARGIN / took)
        if exact or width >= widest or wider < 1.5:
            break
        width = min(widest, int(width * wider))
    if sure and not exact and valuer.left_out <= FEW and left > LONGER * took:
        whole, exact = valuer.unfold(position.s, depth=depth)
        found = whole if exact else found
    return found, exact


def choose(position: Position, legal: Sequence[str], seconds: float, luck: Random, **plan: Any) -> str:
    """The best move that is found; the rule of thumb's while nothing is found yet."""
    if len(legal) == 1:
        return legal[0]
    found, _ = looks(position, seconds, luck, **plan)
    return favourite(found, position, legal, seconds, luck)


def hint(position: Position, seconds: float, luck: Random, wait: float = 0.0, **plan: Any) -> Judged | None:
    """The best move that is found. None if code is still being compiled."""
    found, exact = looks(position, seconds, luck, wait=wait, sure=True, **plan)
    return Judged(None, position.game.tokens[found[0].action], found[0].won, exact) if found else None


def judge(
    position: Position, token: str, seconds: float, luck: Random, wait: float = 0.0, **plan: Any
) -> Judged | None:
    """What one search makes of a move and of the best one. None if code is still being compiled after `wait`
    seconds."""
    found, exact = looks(position, seconds, luck, wait=wait, sure=True, **plan)
    if not found:
        return None
    tokens = position.game.tokens
    chosen = next(look for look in found if tokens[look.action] == token)
    seen = chosen.visits or chosen.mean
    return Judged(chosen.won if seen else None, tokens[found[0].action], found[0].won, exact)


def prepare(position: Position) -> None:
    """Let the code get ready beside the game."""
    _valuers.engine(position, 0.0)


def _make(position: Position) -> Valuer:
    from smallchange.fast.expectimax import Expectimax, valuer
    from smallchange.fast.values import Lookahead

    made = valuer(position.game)
    if isinstance(made, Expectimax):  # compiles, or loads what was compiled
        made.unfold(position.s, 1, 1)
    else:
        made.search(position.s, Lookahead(), 0, lambda done: 1 - done)
    return made


_valuers = Ready(_make)
