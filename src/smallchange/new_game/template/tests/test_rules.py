"""The rules of Pig, one test for each ruling."""

import re

import smallchange
from smallchange import Position


def play(position: Position, *tokens: str) -> Position:
    for token in tokens:
        position.play(token)
    return position


def test_pi_1_no_points_cannot_be_kept() -> None:
    position = smallchange.game("pig").start()
    assert position.legal() == ["roll"]
    assert play(position, "roll", "die:2").legal() == ["hold", "roll"]


def test_pi_2_after_a_thousand_throws_the_game_is_a_draw() -> None:
    position = smallchange.game("pig").start()
    for _ in range(1000):
        assert position.result is None
        play(position, "roll", "die:null")
    assert position.result == {"winner": "draw", "points": {"sun": 0, "moon": 0}}


def test_the_worked_example_of_the_rulebook_can_be_played() -> None:
    game = smallchange.game("pig", goal=10)
    steps = re.findall(
        r"^(\S+)  ", game.rulebook().partition("```steps\n")[2].partition("```")[0], re.MULTILINE
    )
    assert play(game.start(), *steps).result == {"winner": "sun", "points": {"sun": 10, "moon": 4}}
