"""The player that is perfect near the end: so it is, and legal however little time there is."""

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smallchange
from smallchange import Position
from smallchange.mind import _expectimax, _search
from smallchange.solve.exact import Exact, TooLarge

from ..solve.brute import endings

CHANCY = [id for id in smallchange.games() if _expectimax.fits(smallchange.game(id))]


@pytest.fixture(autouse=True, scope="module")
def _ready() -> None:
    """Compile first, so that the budgets below are spent on thinking."""
    for id in CHANCY:
        _expectimax._solver(smallchange.game(id)).result()
        _search._made(smallchange.game(id).start()).result()


def moves_of(id: str, seed: int) -> list[Position]:
    return [position for position in endings(smallchange.game(id), seed) if position.s.turn >= 0]


@pytest.mark.parametrize("id", CHANCY)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 5), back=st.integers(0, 60), seconds=st.sampled_from([0.0, -1.0, 1e-6, 0.01]))
def test_a_move_is_legal_whatever_the_position_and_the_budget(
    id: str, seed: int, back: int, seconds: float
) -> None:
    for position in moves_of(id, seed)[back : back + 1]:
        legal = position.legal()
        assert _expectimax.choose(position.copy(), legal, seconds, random.Random(seed)) in legal


@pytest.mark.parametrize("id", CHANCY)
def test_near_the_end_it_plays_a_move_with_the_best_odds(id: str) -> None:
    solver = Exact(smallchange.game(id))
    for seed in range(3):
        for position in moves_of(id, seed)[:2]:
            with suppress(TooLarge):
                odds = dict(solver.moves(position, 0.1))
                if len(set(odds.values())) > 1:
                    token = _expectimax.choose(position, position.legal(), 2.0, random.Random(1))
                    assert odds[token] == (max if position.s.turn == 0 else min)(odds.values())
