"""Games of ours beside those of `royalur`, another's engine, which knows the sets of rules by their names."""

from random import Random
from typing import Any

import pytest

import smallchange
from smallchange import Position

royalur = pytest.importorskip("royalur")

GAMES = 300
SIDES = {"sun": royalur.PlayerType.LIGHT, "moon": royalur.PlayerType.DARK}


def tile_name(tile: Any) -> str:
    """Return our name of a square, which has its column first: theirs count rows first, from 1."""
    return f"{'abcdefghijkl'[tile.y - 1]}{tile.x}"


def test_games_are_those_of_finkels_rules() -> None:
    luck, game = Random(1), smallchange.game("royal-ur")
    settings = royalur.GameSettings.create_finkel()
    rules = royalur.SimpleRuleSetProvider().create(settings, royalur.GameMetadata())
    for _ in range(GAMES):
        ours, theirs = game.start(), rules.generate_initial_game_state()
        while ours.actor is not None:
            theirs = take_turn(ours, theirs, rules, luck)
        result = ours.result()
        assert result is not None
        assert theirs.is_finished()
        assert SIDES[result["winner"]] == theirs.get_winner()


def take_turn(ours: Position, theirs: Any, rules: Any, luck: Random) -> Any:
    """Throw, then move if that is possible, in both games; return the state of theirs."""
    tokens, weights = zip(*ours.chances(), strict=True)
    assert SIDES[ours.game.seats[ours.s.mover]] == theirs.get_turn()
    thrown = luck.choices(tokens, weights)[0]
    ours.play(thrown)
    theirs = rules.apply_roll(theirs, royalur.model.Roll(int(thrown[-1])))[-1]
    moves = {tile_name(move.source) if move.has_source() else "enter": move for move in moves_of(theirs)}
    assert sorted(moves) == ours.legal()
    if moves:
        token = luck.choice(ours.legal())
        ours.play(token)
        theirs = rules.apply_move(theirs, moves[token])[-1]
    return theirs


def moves_of(state: Any) -> list[Any]:
    return list(state.available_moves) if hasattr(state, "available_moves") else []
