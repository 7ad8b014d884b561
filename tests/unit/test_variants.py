"""Options that change nothing on the chosen board are named, and count as the same variant."""

from __future__ import annotations

import pytest

import smallchange
from smallchange.bots.levels import best_bot
from smallchange.contract.variants import every_game
from smallchange.core.variants import idle_options, without_idle_options

CASES = [
    ({"outside": "virtual"}, ["outside"]),
    ({"hole": "fly", "whip": True}, ["hole", "whip"]),
    ({"topology": "torus", "hole": "fly"}, ["hole"]),
    ({"board": "galaxy", "hole": "fly", "whip": True}, []),
    ({"board": "galaxy", "topology": "torus"}, []),
    ({"board": "#" * 20, "topology": "torus"}, []),
    ({"board": "#####\n" * 4}, ["board"]),
]


@pytest.mark.parametrize(("options", "idle"), CASES)
def test_solo_names_the_options_that_change_nothing_on_a_board(
    options: dict[str, object], idle: list[str]
) -> None:
    game = smallchange.game("solo", **options)
    assert idle_options(game) == idle
    rest = {name: value for name, value in options.items() if name not in idle}
    assert without_idle_options(game) == smallchange.game("solo", **rest)


@every_game
def test_the_base_game_has_no_idle_option(id: str) -> None:
    assert idle_options(smallchange.game(id)) == []
    assert without_idle_options(smallchange.game(id)) == smallchange.game(id)


def test_hints_of_a_variant_are_those_of_the_same_variant_without_idle_options() -> None:
    plain, idle = smallchange.game("solo"), smallchange.game("solo", outside="virtual", hole="fly")
    bot = best_bot(plain)
    assert not bot.has_rough_odds(idle)
    assert bot.has_rough_odds(smallchange.game("solo", free_moves=1))
    assert [bot.win_rate(idle, value / 8) for value in range(9)] == [
        bot.win_rate(plain, value / 8) for value in range(9)
    ]


@pytest.mark.parametrize("n", [9, 10, 12])
def test_a_number_that_makes_the_board_of_a_smaller_one_is_no_variant_of_its_own(n: int) -> None:
    more, eight = smallchange.game("solo", free_moves=n), smallchange.game("solo", free_moves=8)
    assert without_idle_options(more) == eight
    assert (
        without_idle_options(smallchange.game("solo", free_moves=n, stack_free_moves=True)).options[
            "free_moves"
        ]
        == n
    )


def test_letters_of_a_set_may_be_in_any_order() -> None:
    assert smallchange.game("thrag", weapons="ASC") == smallchange.game("thrag")
    assert smallchange.game("thrag", weapons="cs").options["weapons"] == "SC"
    with pytest.raises(smallchange.BadOption, match="weapons"):
        smallchange.game("thrag", weapons="SCAA")
