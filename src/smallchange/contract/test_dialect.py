"""The rules and the rule of thumb of every game keep to the scalar dialect."""

import pytest

import smallchange
from smallchange.engine.compile.dialect import find_faults

from .variants import every_game

FUNCTIONS = ("setup", "legal", "odds", "source", "play", "score")
MODULES = [
    "rules.py",
    "ai/heuristic.py",
    "ai/utility.py",
    "ai/features.py",
    "ai/dice_moves.py",
    "ai/ranking.py",
    "ai/chance_layers.py",
    "ai/symmetry.py",
    "ai/evaluation.py",
]  # the last where there are any


@every_game
@pytest.mark.parametrize("module", MODULES)
def test_a_game_keeps_to_the_dialect(id: str, module: str) -> None:
    game = smallchange.game(id)
    fields = {"Board": type(game.board).ranges, "State": game.state_type.ranges}
    file = game.folder / module
    assert (find_faults(file.read_text(encoding="utf-8"), fields) if file.exists() else []) == []


@every_game
def test_the_rules_are_the_functions_that_everything_relies_on(id: str) -> None:
    game = smallchange.game(id)
    assert all(callable(getattr(game.rules, name)) for name in FUNCTIONS)
    assert callable(game.heuristic.move_score)
    assert game.version >= 1


@every_game
@pytest.mark.parametrize("module", ["rules", "heuristic"])
def test_constants_are_whole_numbers_or_rectangular_tuples_of_them(id: str, module: str) -> None:
    for name, value in vars(getattr(smallchange.game(id), module)).items():
        if name.isupper():
            assert rectangular(value), name


def rectangular(value: object) -> bool:
    if not isinstance(value, tuple):
        return type(value) is int
    rows = [row for row in value if isinstance(row, tuple)]
    if not rows:
        return bool(value) and all(type(number) is int for number in value)
    return len(rows) == len(value) and len(set(map(len, rows))) == 1 and all(map(rectangular, rows))


def test_a_constant_is_rectangular_or_not() -> None:
    assert all(map(rectangular, (3, (1, 2), ((1, 2), (3, 4)))))
    assert not any(map(rectangular, (True, 1.0, (), "ab", ((1, 2), (3,)), (1, (2,)), (1, 2.0))))
