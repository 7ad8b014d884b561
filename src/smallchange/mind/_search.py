"""Monte-Carlo tree search, for as long as it may think."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

from smallchange.game import Position
from smallchange.text import Text

from ._ready import Judged, Ready, favourite, paced, points

if TYPE_CHECKING:
    from smallchange.fast.search import Look, Searcher

ABOUT = Text("tree search", "木探索")
FIRST = 8  # play-outs before the clock is looked at
THOROUGH = 4  # times as many are played to judge a move as to choose one


def looks(
    position: Position, seconds: float, luck: Random, most: int = 1 << 40, wait: float = 0.0, **plan: Any
) -> list[Look]:
    """What is found of each legal move, or outcome of chance, within the seconds, the one with the most
    play-outs first; at most so many play-outs.

    The first time a game is searched in a process its code is loaded, or even compiled. That goes on
    beside the game; until it is done nothing is found: []. Waiting for it takes from the seconds what is more
    than `wait`. ModuleNotFoundError where Numba is missing.
    """
    searcher, left = _searchers.waited(position, seconds, wait)
    if searcher is None:
        return []
    end = perf_counter() + left
    from smallchange.fast.search import Plan

    with _searchers.lock:
        return searcher.search(position.s, Plan(**plan), luck.getrandbits(63), paced(end, most, FIRST))


def choose(position: Position, legal: Sequence[str], seconds: float, luck: Random, **plan: Any) -> str:
    """The move that was looked at most; the rule of thumb's while nothing is found yet."""
    if len(legal) == 1:
        return legal[0]
    return favourite(looks(position, seconds, luck, **plan), position, legal, seconds, luck)


def hint(position: Position, seconds: float, luck: Random, wait: float = 0.0, **plan: Any) -> Judged | None:
    """The move that was looked at most; its odds are the share of its play-outs that its player won. None if
    code is still being compiled, or there was no time for any play-out."""
    found = looks(position, seconds, luck, wait=wait, **plan)
    if not any(look.visits for look in found):
        return None
    return Judged(None, position.game.tokens[found[0].action], _own(position, found[0].won))


def judge(
    position: Position,
    token: str,
    seconds: float,
    luck: Random,
    wait: float = 0.0,
    most: int = 1 << 40,
    **plan: Any,
) -> Judged | None:
    """What searches of the positions after a move and after the best one make of them: the share of the
    play-outs that are won. Before the move the tree hardly looks at what seems worse.

    None if code is still being compiled after `wait` seconds, or there was no time for any play-out.
    """
    third = seconds / 3  # for each of the searches
    found = looks(position, third, luck, most, wait, **plan)
    if not found:
        return None
    best = position.game.tokens[found[0].action]
    better = _share(position, best, third, luck, THOROUGH * most, **plan)
    odds = better if token == best else _share(position, token, third, luck, THOROUGH * most, **plan)
    return None if odds is None or better is None else Judged(odds, best, better)


def _share(
    position: Position, token: str, seconds: float, luck: Random, most: int, **plan: Any
) -> float | None:
    """How many play-outs after a move are won, of those of a search; None if there was no time for any."""
    after = position.after(token)
    came = points(after, position.actor or "")
    if came is not None:
        return came
    found = looks(after, seconds, luck, most, **plan)
    visits = sum(look.visits for look in found)
    return _own(position, sum(look.won * look.visits for look in found) / visits) if visits else None


def _own(position: Position, share: float) -> float:
    """The player's share of the play-outs, given the first player's. A draw counts as the second's win."""
    return share if position.s.turn == 0 else 1 - share


def prepare(position: Position) -> None:
    """Let the code get ready beside the game."""
    _searchers.engine(position, 0.0)


def _make(position: Position) -> Searcher:
    from smallchange.fast.search import Plan, Searcher

    searcher = Searcher(position.game)
    searcher.search(position.s, Plan(), 0, lambda done: 1 - done)  # compiles, or loads what was compiled
    return searcher


_searchers = Ready(_make)
