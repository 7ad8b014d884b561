"""The account of a player's match: start, luck, choices and doubt add up to the result.

The odds of a player change in four ways from one choice to the next, and each change is counted once:

- The player's own choice gives away its cost.
- The choices of the other side give away theirs, which come to this player.
- Chance answers: the rest of the change, where a chance step lies between the two choices, is luck. An error of
  the two estimates is in it, unless both are exact.
- Otherwise only the estimate has changed, which is doubt. Doubt also has the differences that are within the
  noise of a search, and count as no cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from math import exp, floor, fsum
from statistics import pstdev
from typing import NamedTuple

from smallchange.core.match import Match

from .engines.evaluation import outcome_points
from .review_choice import Choice


class Account(NamedTuple):
    """The sum of a player's match, in odds of winning from 0 to 1.

    `promised` are the odds at the first choice, `given` the odds that all choices gave away, `result` the
    points (a draw is half), and `rest` the part that no choice explains: luck, others and doubt. `result` and
    `rest` are None in a match that was not played to its end.

    promised + luck - given + others + doubt = end, which is the result, or in a match without one the odds
    after the last choice. `others` are the odds that the other side gave away. `accuracy`, from 0 to 1, is that of
    `game_accuracy`.
    """

    player: str
    promised: float
    given: float
    result: float | None
    rest: float | None
    luck: float = 0.0
    others: float = 0.0
    doubt: float = 0.0
    end: float = 0.0
    accuracy: float = 1.0


def accounts(match: Match, found: Sequence[Choice]) -> list[Account]:
    """Return the account of each player who had a choice, in the order of the seats."""
    return [
        _account(match, found, player)
        for player in match.game.seats
        if any(choice.player == player for choice in found)
    ]


def _account(match: Match, found: Sequence[Choice], player: str) -> Account:
    own = [choice for choice in found if choice.player == player]
    result = None if match.ended else outcome_points(match.position, player)
    luck, others, doubt = list[float](), list[float](), list[float]()
    odds = own[0].better
    for choice, following in zip_longest(own, own[1:]):
        odds = choice.better if choice.chance is None else choice.chance
        doubt.append(odds - choice.better + choice.cost)
        end_odds = following.better if following else result
        if end_odds is None:
            break
        until = following.at if following else len(match)
        gained = fsum(one.cost for one in found if one.player != player and choice.at < one.at < until)
        has_chance = any(step.actor == "chance" for step in match.steps[choice.at + 1 : until])
        (luck if has_chance else doubt).append(end_odds - odds - gained)
        others.append(gained)
        odds = end_odds
    given = fsum(choice.cost for choice in own)
    return Account(
        player,
        own[0].better,
        given,
        result,
        None if result is None else result - own[0].better + given,
        fsum(luck),
        fsum(others),
        fsum(doubt),
        odds,
        game_accuracy([choice.cost for choice in own], [*(choice.better for choice in own), odds]),
    )


def choice_accuracy(cost: float) -> float:
    """Return how accurate a choice is that gave away so much of the odds, both from 0 to 1.

    The formula is lichess' (`AccuracyPercent`), without its bonus for doubt.

    >>> [round(choice_accuracy(cost), 2) for cost in (0, 0.05, 0.2, 1)]
    [1.0, 0.8, 0.4, 0.0]
    """
    return min(1.0, max(0.0, 1.031668 * exp(-4.354 * cost) - 0.031668))


def game_accuracy(costs: Sequence[float], odds: Sequence[float]) -> float:
    """Return how accurate a game is, from 0 to 1, as lichess counts it.

    `costs` are those of the choices, `odds` those before each and at the end. It is half the harmonic mean of the
    choices' accuracies, and half their mean weighted by what was at stake: by how much the odds moved around each.

    >>> round(game_accuracy([0] * 12 + [0.58], [0.5] * 13 + [0.0]), 2)
    0.39
    """
    each = [choice_accuracy(cost) for cost in costs]
    width = max(2, min(8, len(costs) // 10))  # of the window in which the odds are watched
    windows = [odds[max(0, i + 2 - width) :][:width] for i in range(len(costs))]
    stakes = [min(12.0, max(0.5, 100 * pstdev(window))) for window in windows]
    weighted = fsum(stake * one for stake, one in zip(stakes, each, strict=True)) / fsum(stakes)
    harmonic = len(each) / fsum(1 / max(0.01, one) for one in each)
    return (weighted + harmonic) / 2


def whole_points(parts: Sequence[float], total: float) -> list[int]:
    """Return parts in whole points of 100 that add up to the rounded total, by the largest remainders.

    >>> whole_points([0.583, -0.416, 0.0, -0.167], 0.0)
    [58, -41, 0, -17]
    """
    points = [floor(100 * part) for part in parts]
    by_remainder = sorted(range(len(parts)), key=lambda i: points[i] - 100 * parts[i])
    for i in by_remainder[: round(100 * total) - sum(points)]:
        points[i] += 1
    return points
