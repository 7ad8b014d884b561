"""Ratings of players from the points they made against one another."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from smallchange.extras import require

from .statistics import Z95

require("lab", "scipy")

from scipy.optimize import minimize  # noqa: E402
from scipy.special import expit  # noqa: E402

__all__ = ["Rating", "ratings"]

ELO = 400 / log(10)  # a player 400 above another makes 10 points of 11
PRIOR = 0.5  # points to each player of a pair, as if they had drawn once: a player who wins all stays finite


@dataclass(frozen=True)
class Rating:
    """A rating in points of A. Elo, 0 being the mean of all rated, with its 95 % interval."""

    elo: float
    low: float
    high: float


def ratings(points: Any) -> list[Rating]:
    """Ratings by maximum likelihood, from points[i][j] that i made against j; a draw is half a point to each.

    The model is that of Zermelo (1929) and Bradley and Terry (1952): i makes expit(r[i] - r[j]) points a
    game. Intervals are from the curvature of the likelihood; games that are drawn make them rather too wide.
    ValueError where players never met, directly or through others: they cannot be compared.

    >>> [round(found.elo) for found in ratings([[0, 9.5], [0.5, 0]])]
    [200, -200]
    """
    made = np.array(points, np.float64)
    met = (made + made.T) > 0
    if not _is_connected(met):
        raise ValueError("not all players are joined by games")
    made += PRIOR * met
    games = made + made.T

    def surprise(r: Any) -> tuple[float, Any]:
        """Minus the log likelihood, and its slope."""
        apart = r[:, None] - r[None, :]
        slope = (games * expit(apart) - made).sum(axis=1)
        return float((made * np.logaddexp(0, -apart)).sum()), slope

    found = minimize(surprise, np.zeros(len(made)), jac=True, method="BFGS", options={"gtol": 1e-8}).x
    found -= found.mean()
    share = expit(found[:, None] - found[None, :])
    curve = -games * share * (1 - share)
    np.fill_diagonal(curve, 0)
    np.fill_diagonal(curve, -curve.sum(axis=1))
    errors = np.sqrt(np.diag(np.linalg.pinv(curve)))
    return [
        Rating(ELO * r, ELO * (r - Z95 * e), ELO * (r + Z95 * e)) for r, e in zip(found, errors, strict=True)
    ]


def _is_connected(met: Any) -> bool:
    reach = np.linalg.matrix_power((met | np.eye(len(met), dtype=bool)).astype(float), max(1, len(met)))
    return bool((reach > 0).all())
