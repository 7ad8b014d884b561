"""Tokens are the names of actions, which are printed, stored, typed and sent."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smallchange
from smallchange import Game, IllegalMove, Position, UnknownMove

from .check import TOKEN
from .variants import GAMES, VARIANTS, every_game, every_variant, label, variants, walks

ANYTHING = sorted({token for game in map(smallchange.game, GAMES) for token in game.tokens.values()})


@every_variant
def test_tokens_are_short_plain_words_of_no_other_meaning(game: Game) -> None:
    for token in game.tokens.values():
        assert TOKEN.fullmatch(token), token


@every_variant
def test_a_token_names_exactly_one_action(game: Game) -> None:
    assert len(game.actions) == len(game.tokens)
    assert {game.tokens[game.actions[token]] for token in game.actions} == set(game.actions)


@every_variant
def test_a_possible_token_parses_back_to_its_action(game: Game) -> None:
    for position in walks(game):
        for a in position.legal_actions() + position.outcome_actions()[0]:
            assert position.action(game.tokens[a]) == a, position


@every_game
def test_an_action_has_the_same_token_wherever_it_exists_on_the_same_board(id: str) -> None:
    for game in variants(id):
        again = smallchange.game(id, **game.options)
        assert again.tokens == game.tokens, label(game)


@pytest.mark.parametrize("id", GAMES)
@given(story=st.data())
@settings(max_examples=60, deadline=None)
def test_an_impossible_token_raises_the_right_error_and_changes_nothing(
    id: str, story: st.DataObject
) -> None:
    game = story.draw(st.sampled_from([g for g in VARIANTS if g.id == id]), "variant")
    tried = st.one_of(
        st.integers(0, 10_000),  # the n-th of those possible
        st.sampled_from(sorted(game.actions)),
        st.sampled_from(ANYTHING),
        st.text(max_size=12),
    )
    position = game.start()
    for attempt in story.draw(st.lists(tried, max_size=60), "attempts"):
        possible = list(position)
        if isinstance(attempt, int):
            if possible:
                position.play(possible[attempt % len(possible)])
        elif attempt not in possible:
            check_refusal(position, attempt)


def check_refusal(position: Position, token: str) -> None:
    before = position.copy()
    wrong = IllegalMove if token in position.game.actions else UnknownMove
    with pytest.raises(IllegalMove) as caught:
        position.play(token)
    assert caught.type is wrong
    assert repr(token)[:80] in str(caught.value)
    assert position == before
    assert position.key() == before.key()


@every_game
def test_nothing_can_be_taken_after_the_end(id: str) -> None:
    *_, last = walks(smallchange.game(id))
    for token in last.game.actions:
        check_refusal(last, token)
