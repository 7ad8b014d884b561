"""Names are taken in any case, and a near miss is answered with the name that was probably meant."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import smallchange
from smallchange import BadOption, UnknownGame


@pytest.mark.parametrize(
    ("id", "options"),
    [
        ("coin-age", {"map": "Forest"}),
        ("solo", {"board": "Galaxy", "topology": "TORUS"}),
        ("dodgem", {"start": "Crosswise", "blocked": "Wins"}),
        ("thrag", {"weapons": "sca"}),
    ],
)
def test_a_value_is_taken_in_any_case(id: str, options: dict[str, str]) -> None:
    lower = {name: value if id == "thrag" else value.lower() for name, value in options.items()}
    expected = {name: value.upper() if id == "thrag" else value for name, value in lower.items()}
    assert smallchange.game(id, **options) == smallchange.game(id, **expected)


@pytest.mark.parametrize(
    ("id", "options", "meant"),
    [
        ("coin-age", {"map": "forst"}, "did you mean forest?"),
        ("coin-age", {"map": "Lagon"}, "did you mean lagoon?"),
        ("solo", {"topology": "spheer"}, "did you mean sphere?"),
        ("solo", {"topologie": "torus"}, "did you mean 'topology'?"),
    ],
)
def test_a_near_miss_is_answered_with_the_name(id: str, options: dict[str, str], meant: str) -> None:
    with pytest.raises(BadOption) as refused:
        smallchange.game(id, **options)
    assert meant in str(refused.value)


def test_a_drawing_that_resembles_no_name_is_answered_without_a_guess() -> None:
    with pytest.raises(BadOption) as refused:
        smallchange.game("coin-age", map="a b\nc")
    assert "did you mean" not in str(refused.value)


def test_a_misspelt_game_is_answered_with_its_name() -> None:
    with pytest.raises(UnknownGame, match="did you mean 'solo'"):
        smallchange.game("Solo")


def test_a_misspelt_name_of_a_board_is_no_drawing() -> None:
    with pytest.raises(BadOption, match=r"no board has the name 'galaxi'\. .*; did you mean galaxy\?"):
        smallchange.game("solo", board="galaxi")
    with pytest.raises(BadOption, match="exactly 20 tiles"):
        smallchange.game("solo", board="##")


def test_numbers_of_numpy_are_whole_numbers() -> None:
    assert smallchange.game("dodgem", size=np.int64(4)) == smallchange.game("dodgem", size=4)
    with pytest.raises(BadOption, match="must be a whole number"):
        smallchange.game("dodgem", size=np.float64(4))


def test_the_options_of_a_game_do_not_change() -> None:
    game = smallchange.game("dodgem", size=4)
    with pytest.raises(TypeError, match="make another game"):
        game.options["size"] = 5
    with pytest.raises(TypeError, match="make another game"):
        game.options.update(size=5)
    assert pickle.loads(pickle.dumps(game)) == game
