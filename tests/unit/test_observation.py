"""Actions as numbers and positions as rows of zeros and ones, for programs that learn."""

from random import Random

import pytest

import smallchange
from smallchange.core.game import Position
from smallchange.core.observation import fields_of


def random_positions(id: str, seed: int) -> list[Position]:
    luck, here = Random(seed), smallchange.game(id).start()
    seen = [here.copy()]
    while here.actor is not None:
        here.play_action(luck.choice(here.legal_actions() or here.outcome_actions()[0]))
        seen.append(here.copy())
    return seen


@pytest.mark.parametrize("id", smallchange.games())
def test_an_observation_shows_every_field_of_a_state(id: str) -> None:
    for position in random_positions(id, 1):
        entries = position.observation()
        assert len(entries) == position.game.observation_size
        assert set(entries) <= {0, 1}
        assert fields_of(position.game.state_type, entries) == position.s


@pytest.mark.parametrize("id", smallchange.games())
def test_steps_by_number_are_the_steps_by_token(id: str) -> None:
    game = smallchange.game(id)
    by_number, by_token = game.start(), game.start()
    luck = Random(2)
    while by_number.actor is not None:
        assert [a for a, legal in enumerate(by_number.action_mask()) if legal] == by_number.legal_actions()
        action = luck.choice(by_number.legal_actions() or by_number.outcome_actions()[0])
        by_number.play_action(action)
        by_token.play(game.action_to_token(action))
        assert game.token_to_action(game.action_to_token(action)) == action
    assert by_number == by_token


def test_an_action_that_is_not_possible_is_refused_and_changes_nothing() -> None:
    game = smallchange.game("dodgem", size=3)
    start = game.start()
    with pytest.raises(smallchange.IllegalMove, match="99 is no possible action now; possible: 3 7 8"):
        start.play_action(99)
    assert start == game.start()
    with pytest.raises(smallchange.UnknownMove, match="999 is no action of dodgem"):
        game.action_to_token(999)
    with pytest.raises(smallchange.UnknownMove, match="'c9-c8' is no move of dodgem"):
        game.token_to_action("c9-c8")
