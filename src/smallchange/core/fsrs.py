"""FSRS-6: how long an answer stays in memory, and so when to ask for it again.

Source: "The Algorithm", FSRS-6, https://github.com/open-spaced-repetition/awesome-fsrs/wiki/The-Algorithm. Symbols are
those of the page, and the weights its defaults, fitted to reviews of many learners. Of its four grades puzzles know
two: a right answer is Good, a wrong one Again. Nothing is asked for twice within a day, so the page's formula for the
same day is not here.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

# fmt: off
W = (
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796,
    1.4835, 0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
)
# fmt: on
FACTOR = 0.9 ** (-1 / W[20]) - 1
AGAIN, GOOD, EASY = 1, 3, 4
MIN_STABILITY = 0.001


class Memory(NamedTuple):
    """The strength of a memory: after `stability` days nine of ten are right; `difficulty` goes from 1 to 10."""

    stability: float
    difficulty: float

    @property
    def days(self) -> int:
        """The whole days until nine of ten are right, at least one: then it is time to ask again."""
        return max(1, round(self.stability))


def recall_chance(stability: float, days: float) -> float:
    """Return the chance R of a right answer this number of days after the last answer: 0.9 after `stability` days."""
    return float((1 + FACTOR * days / stability) ** -W[20])


def first_memory(right: bool) -> Memory:
    """Return the memory after the first answer."""
    grade = GOOD if right else AGAIN
    return Memory(W[grade - 1], _first_difficulty(grade))


def next_memory(memory: Memory, right: bool, days: float) -> Memory:
    """Return the memory after an answer given this number of days after the last answer.

    The days between answers, each given when it is due, are those of py-fsrs 6.3.2 without learning steps. The first
    card is always answered right. The second is missed at first, and once more later:

    >>> known, missed = [first_memory(True)], [first_memory(False)]
    >>> for right in (True, True, False, True):
    ...     known.append(next_memory(known[-1], True, known[-1].days))
    ...     missed.append(next_memory(missed[-1], right, missed[-1].days))
    >>> [one.days for one in known], [one.days for one in missed]
    ([2, 11, 46, 163, 497], [1, 2, 6, 1, 2])
    """
    s, d = memory
    forgotten = 1 - recall_chance(s, days)
    if right:
        stability = s * (1 + exp(W[8]) * (11 - d) * s ** -W[9] * (exp(W[10] * forgotten) - 1))
    else:
        left = W[11] * d ** -W[12] * ((s + 1) ** W[13] - 1) * exp(W[14] * forgotten)
        stability = max(MIN_STABILITY, min(left, s / exp(W[17] * W[18])))
    harder = d if right else d - W[6] * (AGAIN - GOOD) * (10 - d) / 9
    difficulty = W[7] * _first_difficulty(EASY) + (1 - W[7]) * harder
    return Memory(stability, min(10.0, max(1.0, difficulty)))


def _first_difficulty(grade: int) -> float:
    return W[4] - exp(W[5] * (grade - 1)) + 1
