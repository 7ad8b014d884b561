"""Bounds by information relaxation with a penalty, held against exact odds late in each game for one."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import smallchange
from research.penalized_bounds import TooManyLines, penalized_bound
from smallchange import Match, Position, bots
from smallchange.tablebase.exact import Exact, TooLarge

ALONE = [id for id in smallchange.games() if len(smallchange.game(id).seats) == 1]
FEW = 300  # positions to the end


@pytest.fixture(scope="module", params=ALONE)
def open_end(request: pytest.FixtureRequest) -> tuple[Position, Callable[[Position], float]]:
    """A position that is neither won nor lost, with few left after it, and the exact odds of those."""
    exact = Exact(smallchange.game(request.param))
    for i in range(200):
        for position in last_choices(exact.game, i):
            exact.forget()
            try:
                worth = exact.value(position, positions=FEW)
            except TooLarge:
                break
            if 0 < worth < 1 and len(position.legal()) > 1:
                return position, lambda here: float(exact.value(here))
    pytest.fail("no such position")


def last_choices(game: smallchange.Game, i: int) -> list[Position]:
    """The choices in a game by the rule of thumb, from the last on."""
    match, thumb = Match(game, random.Random(i).randbytes(16)), bots.bot("greedy", luck=random.Random(i))
    seen = []
    while not match.over:
        if not match.settle():
            seen.append(match.position.copy())
            match.play(thumb(match.position))
    return seen[::-1]


def test_with_exact_values_the_bound_is_perfect_play_on_every_path(
    open_end: tuple[Position, Callable[[Position], float]],
) -> None:
    position, exact = open_end
    bound = penalized_bound(position, exact, 10)
    assert (bound.mean, bound.low, bound.high) == pytest.approx((exact(position),) * 3)


@pytest.mark.parametrize("noise", [0.0, 0.1, 1.0])
def test_no_bound_is_below_perfect_play_whatever_the_values(
    noise: float, open_end: tuple[Position, Callable[[Position], float]]
) -> None:
    position, exact = open_end

    def value(here: Position) -> float:
        return (1 - noise) * exact(here) + noise * random.Random(here.key()).random()

    bound = penalized_bound(position, value, 60)
    assert bound.high >= exact(position) - 1e-9
    assert bound.positions > 0


def test_known_throws_without_a_penalty_are_worth_more_than_perfect_play(
    open_end: tuple[Position, Callable[[Position], float]],
) -> None:
    position, exact = open_end
    free = penalized_bound(position, lambda _: 0.5, 60)
    paid = penalized_bound(position, lambda here: 0.9 * exact(here) + 0.05, 60)
    assert paid.mean <= free.mean


def test_a_path_with_too_many_lines_is_refused() -> None:
    position = smallchange.game(ALONE[0]).start()
    with pytest.raises(TooManyLines, match="more than 10 "):
        penalized_bound(position, lambda _: 0.5, 2, most=10)


def test_who_knows_no_throws_plays_perfectly_whatever_the_values(
    open_end: tuple[Position, Callable[[Position], float]],
) -> None:
    position, exact = open_end
    bound = penalized_bound(position, lambda here: random.Random(here.key()).random(), 2, known=())
    assert (bound.low, bound.high) == pytest.approx((exact(position),) * 2)


def test_who_knows_the_throws_of_some_sources_is_between(
    open_end: tuple[Position, Callable[[Position], float]],
) -> None:
    position, exact = open_end
    sources = position.game.sources
    bounds = [
        penalized_bound(position, lambda _: 0.5, 60, known=sources[:n]) for n in range(len(sources) + 1)
    ]
    assert all(bound.high >= exact(position) - 1e-9 for bound in bounds)
    assert bounds[-1] == penalized_bound(position, lambda _: 0.5, 60), "all are known by default"


def test_a_source_that_a_game_does_not_have_is_refused() -> None:
    position = smallchange.game(ALONE[0]).start()
    with pytest.raises(ValueError, match="no source is called 'sun'; the sources are: "):
        penalized_bound(position, lambda _: 0.5, 2, known=["sun"])
