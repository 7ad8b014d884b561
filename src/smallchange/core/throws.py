"""Throws of a match: the possible and the actual outcomes of each object that decides by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from .match import Match


class Throw(NamedTuple):
    """One chance step.

    `source` is the object that decided it, "suns die" or "tile stack". `weights` are the integer weights of its
    possible outcomes, in the order of their tokens, and `outcome` is the index of the one that came. `number` is how
    often the object had decided before.
    """

    game: str
    source: str
    weights: tuple[int, ...]
    outcome: int
    number: int = 0


def throws(match: Match) -> Iterator[Throw]:
    """Yield the chance steps of a match that had more than one possible outcome.

    >>> import smallchange
    >>> with_luck = next(id for id in smallchange.games() if smallchange.Game(id).sources)
    >>> match = smallchange.Match(smallchange.Game(with_luck), bytes(16))
    >>> drawn = match.settle()
    >>> all(throw.outcome < len(throw.weights) for throw in throws(match))
    True
    """
    position, decided = match.game.start(), Counter[str]()
    for step in match:
        if step.actor == "chance":
            chances, source = position.weights(), position.source
            if len(chances) > 1:
                tokens, weights = zip(*chances, strict=True)
                yield Throw(match.game.id, source, weights, tokens.index(step.token), decided[source])
            decided[source] += 1
        position.play(step.token)
