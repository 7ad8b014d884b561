"""A choice of a match as a review judges it."""

from __future__ import annotations

from typing import NamedTuple

from smallchange.core.match import Match

MIN_COST = 0.03  # smaller differences of odds are within the noise of a search: research/review.py


class Choice(NamedTuple):
    """A player's choice of a move.

    `at` is the number of steps before it; `chance` that of winning after the move, 0 to 1, None where the
    search did not look at it; `better` that after the `best` move. `exact` chances are of perfect play.
    """

    at: int
    player: str
    token: str
    chance: float | None
    best: str
    better: float
    exact: bool = False

    @property
    def cost(self) -> float:
        """The odds that the choice gave away; 0 if that is within the noise."""
        lost = 0.0 if self.chance is None else self.better - self.chance
        return lost if lost >= MIN_COST else 0.0


def move_number(match: Match, at: int) -> int:
    """Return the number of the move after `at` steps. Moves are decisions: chance is not counted."""
    return sum(step.actor != "chance" for step in match.steps[: at + 1])
