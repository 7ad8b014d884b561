"""Features for learners stay in their bounds, and keys open the legal actions."""

from importlib import import_module
from typing import Any

import pytest

import smallchange
from smallchange.contract.random_positions import player_position

from .variants import GAMES

FEATURED = [id for id in GAMES if (smallchange.game(id).folder / "ai" / "features.py").exists()]
KEYED = [id for id in GAMES if (smallchange.game(id).folder / "ai" / "dice_moves.py").exists()]


def part(id: str, name: str) -> Any:
    return import_module(f"{smallchange.game(id).package}.{name}")


@pytest.mark.parametrize("id", FEATURED)
def test_features_are_small_numbers_and_depend_on_nothing_but_the_state(id: str) -> None:
    told = part(id, "ai.features")
    size = told.FEATURES + getattr(told, "FLAGS", 0)
    for seed in range(30):
        position = player_position(id, seed, seed * 4)
        before = position.copy()
        for seat in range(len(position.game.seats)):
            marks = [0] * size
            told.features(position.game.board, position.s, seat, marks)
            assert all(-(1 << 15) <= mark < 1 << 15 for mark in marks)
            flags = [mark for mark in marks[told.FEATURES :] if mark != 0]
            assert all(told.FEATURES <= flag < told.ROWS for flag in flags)
            again = [7] * size
            told.features(position.game.board, position.s, seat, again)
            assert again == marks
        assert position == before


@pytest.mark.parametrize("id", KEYED)
def test_the_keys_that_the_dice_show_open_the_legal_moves_and_no_others(id: str) -> None:
    keys, seen = part(id, "ai.dice_moves"), 0
    for seed in range(60):
        position = player_position(id, seed, seed % 25)
        board, s = position.game.board, position.s
        if keys.dice_stage(board, s) != 1:
            continue
        seen += 1
        actions, dice, faces = ([0] * keys.MAX_DICE_MOVES for _ in range(3))
        n = keys.dice_moves(board, s, actions, dice, faces)
        rows = zip(actions[:n], dice[:n], faces[:n], strict=True)
        opened = {
            position.game.tokens[a] for a, die, face in rows if die >= 0 and keys.die_face(s, die) == face
        }
        assert sorted(opened) == position.legal()
    assert seen > 5


@pytest.mark.parametrize("id", KEYED)
def test_all_choices_of_dice_are_legal_where_dice_are_chosen(id: str) -> None:
    keys, seen = part(id, "ai.dice_moves"), 0
    for seed in range(60):
        position = player_position(id, seed, 50 + seed % 25)
        if keys.dice_stage(position.game.board, position.s) == 2:
            seen += 1
            choices = [position.game.tokens[keys.roll_action(dice)] for dice in range(1 << keys.DICE)]
            assert sorted(choices) == position.legal()
            keys.pick_up_dice(position.game.board, position.s)
            assert position.actor == "chance"
    assert seen > 5
