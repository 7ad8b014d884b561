"""The margin of every game that has one: it is the winner's, and one side's lead is the other's arrears."""

import pytest

import smallchange
from smallchange import Game

from .variants import GAMES, OWN_GAMES, label, variants, walks

MEASURED = [game for id in GAMES if smallchange.game(id).margin for game in variants(id)]


@pytest.mark.parametrize("game", MEASURED, ids=label)
def test_the_winner_has_the_margin(game: Game) -> None:
    ends = [position for position in walks(game) if position.actor is None]
    assert ends
    for position in ends:
        assert game.margin is not None
        ahead = game.margin.margin(game.board, position.s, 0)
        assert game.margin.margin(game.board, position.s, 1) == -ahead
        score = position.score(game.seats[0])
        assert score is not None
        assert ahead * score >= 0


def test_every_game_of_this_package_for_two_with_luck_has_one() -> None:
    for id in OWN_GAMES:
        game = smallchange.game(id)
        assert bool(game.margin) == (len(game.seats) == 2 and bool(game.sources)), id
