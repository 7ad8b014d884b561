"""Our games beside those of the library `royalur`, with the sets of rules by name.

It has no Blitz, and its Masters throw four dice. Both are made from its parts, as its makers have them elsewhere.
"""

from random import Random
from typing import Any

import pytest

import smallchange
from smallchange import Game, Position

from ..presets import PRESETS

royalur = pytest.importorskip("royalur")

GAMES = 200  # of each set
GameSettings = royalur.GameSettings
MASTERS = GameSettings.create_masters()
SETS = {
    "Classic": GameSettings.create_finkel(),
    "Masters": MASTERS.with_dice(royalur.model.DiceType.THREE_BINARY_0MAX.dice_factory),
    "Masters, four coins": MASTERS,
    "Blitz": MASTERS.with_starting_piece_count(5).with_captures_grant_extra_rolls(True),
    "Aseb": GameSettings.create_aseb(),
}
SIDES = {"sun": royalur.PlayerType.LIGHT, "moon": royalur.PlayerType.DARK}


def tile_name(tile: Any) -> str:
    """Return our name of a square, which has its column first: theirs count rows first, from 1."""
    return f"{'abcdefghijkl'[tile.y - 1]}{tile.x}"


def card(title: str) -> Game:
    """Return the game of a card."""
    options = next(preset.options for preset in PRESETS if preset.title.en == title)
    return smallchange.game("royal-ur", **options)


@pytest.mark.parametrize("title", SETS)
def test_a_throw_has_the_odds_of_the_set_that_a_card_names(title: str) -> None:
    odds = SETS[title].dice().get_roll_probabilities()
    chances = {int(token[-1]): weight for token, weight in card(title).start().weights()}
    total = sum(chances.values())
    assert {n: weight / total for n, weight in chances.items()} == {n: p for n, p in enumerate(odds) if p}


@pytest.mark.slow
@pytest.mark.parametrize("title", SETS)
def test_games_are_those_of_the_set_that_a_card_names(title: str) -> None:
    luck, game, settings = Random(1), card(title), SETS[title]
    rules = royalur.SimpleRuleSetProvider().create(settings, royalur.GameMetadata())
    for _ in range(GAMES):
        ours, theirs = game.start(), rules.generate_initial_game_state()
        while ours.actor is not None:
            theirs = take_turn(ours, theirs, rules, luck)
        result = ours.result
        assert result is not None
        assert theirs.is_finished()
        assert SIDES[result["winner"]] == theirs.get_winner()


def take_turn(ours: Position, theirs: Any, rules: Any, luck: Random) -> Any:
    """Throw, then move if that is possible, in both games; return the state of theirs."""
    tokens, weights = zip(*ours.weights(), strict=True)
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
