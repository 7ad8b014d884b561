"""Solo's options and drawn boards: what is accepted, and what is said of anything else."""

import pytest

import smallchange
from smallchange import BadOption


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"board": "#####\n####\n"}, "'board'.*line 1 is 5 long and line 2 is 4"),
        ({"board": "#####\n" * 3}, "'board'.*exactly 20 tiles.*not 15"),
        ({"board": "#\n" * 20 + ".\n"}, "'board'.*at most 20 lines, not 21"),
        ({"board": "#" * 20 + "."}, "'board'.*at most 20 characters.*line 1 has 21"),
        ({"board": "#####\n##x##"}, "'board'.*line 2 has 'x' as character 3.*rectangle, galaxy"),
        ({"board": "#####\n" * 4 + "\n"}, "'board'.*line 5 is 0"),
        ({"board": "galaxy", "topology": "sphere"}, "'topology'.*even number of columns.*7"),
        ({"topology": "ball"}, "'topology'.*plane, torus, sphere"),
        ({"whip": True}, "'whip'.*hole = fly"),
        ({"free_moves": 13}, "'free_moves'.*0 to 12"),
        ({"outside": "void"}, "'outside'.*walls, virtual"),
        ({"hole": "deep"}, "'hole'.*off, fly"),
    ],
)
def test_a_wrong_option_is_named_with_what_is_wrong(options: dict[str, object], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        smallchange.game("solo", **options)


def test_a_drawing_may_end_with_one_newline_and_may_have_a_lonely_tile() -> None:
    lonely = "###########.\n............\n########...#\n"
    assert smallchange.game("solo", board=lonely).board.near.count(0) == 1


def test_on_a_sphere_the_rectangle_has_four_columns() -> None:
    names = smallchange.game("solo", topology="sphere").tokens.values()
    assert "@d5" in names
    assert "@e1" not in names
