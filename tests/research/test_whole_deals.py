"""Whole deals: the values are those of the exact solver, which shares nothing with the layers but the rules."""

from random import Random
from typing import Any

import pytest

import smallchange
from research.whole_deals import WholeDeals
from smallchange import Match, Position
from smallchange.core.errors import BadPosition
from smallchange.core.state import bit
from smallchange.tablebase.exact import Exact

GAME = smallchange.game("coin-collectors")
RULES: Any = GAME.rules
ROUNDING = 0.0002
MEMORY = 1 << 28


def deal_of(number: int, game: smallchange.Game = GAME) -> Position:
    """Return a deal at its first choice."""
    match = Match(game, deal=number.to_bytes(16, "big"))
    match.settle()
    return match.position


def late(left: int, number: int) -> Position:
    """Return a deal on which pawns have walked at random until so many coins are left, with dice at random."""
    luck, position = Random(number), deal_of(number).copy()
    s, rules, board = position.s, RULES, GAME.board
    while (live := rules.uncollected_squares(s)).bit_count() > left:
        ways = [(i, q) for i in range(4) for q in range(25) if rules.beside(board, s, i, live) & bit(q)]
        if not ways:
            return late(left, number + 1000)
        pawn, square = luck.choice(ways)
        s.coins = [coins & ~bit(square) for coins in s.coins]
        s.pawns[pawn] = square
        s.left |= bit(pawn)
    s.dice = [luck.randrange(6) for _ in range(4)]
    rules.begin_collecting(board, s)
    return position


@pytest.mark.parametrize("left", [2, 4, 6])
def test_values_are_those_of_the_exact_solver(left: int) -> None:
    exact, between = Exact(GAME, memory=MEMORY), 0
    for number in range(30):
        position = late(left, number)
        value = float(exact.value(position))
        try:
            solved = WholeDeals(position)
        except ValueError:
            assert value == 0  # the pawns cannot reach all that is left
            continue
        throw = int("".join(map(str, position.s.dice)), 6)
        assert solved.values(position)[throw] == pytest.approx(value, abs=ROUNDING)
        between += 0 < value < 1
    assert between >= 2


def test_the_odds_before_the_first_roll_are_the_mean_over_all_throws() -> None:
    position = late(3, 2)
    solved = WholeDeals(position)
    assert solved.value(position) == pytest.approx(solved.values(position).mean())


def test_another_deal_needs_the_same_squares_and_pawns() -> None:
    solved = WholeDeals(late(3, 2))
    with pytest.raises(BadPosition, match="have the squares left and the pawns"):
        solved.value(deal_of(0))


@pytest.mark.parametrize(
    "options", [{"stud": True}, {"stay_home": 1}, {"acceptable_losses": True}, {"rolls": 2}]
)
def test_other_rules_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="usual rules"):
        WholeDeals(deal_of(1, smallchange.game("coin-collectors", **options)))


@pytest.mark.parametrize("id", ["thrag", "solo", "dodgem"])
def test_other_games_are_refused(id: str) -> None:
    with pytest.raises(ValueError, match="coin-collectors"):
        WholeDeals(smallchange.game(id).start())
