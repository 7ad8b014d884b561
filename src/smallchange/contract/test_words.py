"""Every game tells, in every language, the choices, the steps and the end."""

import json
from random import Random

import smallchange
from smallchange import Game
from smallchange.contract.phrases import SPEAK_JAPANESE, has_japanese, is_complete
from smallchange.core.options import Drawing, OneOf
from smallchange.i18n.text import LANGUAGES

from .variants import every_game, every_variant, walks


@every_game
def test_a_game_introduces_itself(id: str) -> None:
    words = smallchange.game(id).words
    assert is_complete(words.TITLE)
    assert is_complete(words.TAGLINE)
    assert is_complete(words.DESIGNER)
    assert has_japanese(words.TAGLINE)
    assert type(words.MINUTES) is int
    assert words.MINUTES > 0


@every_game
def test_every_option_has_words_and_every_choice_too(id: str) -> None:
    game = smallchange.game(id)
    assert list(game.words.OPTIONS) == [option.name for option in game.offered]
    choices = [n for option in game.offered if isinstance(option, OneOf | Drawing) for n in option.names]
    assert set(game.words.CHOICES) == set(choices)
    said = [*game.words.OPTIONS.values(), *game.words.CHOICES.values()]
    assert all(map(is_complete, said))
    assert all(map(has_japanese, game.words.OPTIONS.values()))


@every_game
def test_what_a_game_may_call_marking_is_said(id: str) -> None:
    said = getattr(smallchange.game(id).words, "MARKING", None)
    assert said is None or [(is_complete(text), has_japanese(text)) for text in said] == 2 * [(True, True)]


@every_game
def test_every_player_has_a_name(id: str) -> None:
    game = smallchange.game(id)
    assert list(game.words.PLAYERS) == list(game.seats)
    assert all(map(is_complete, game.words.PLAYERS.values()))
    assert all(player.isascii() and player.isidentifier() for player in game.seats)
    assert not {"chance", "nobody"} & set(game.seats)


@every_variant
def test_every_possible_step_is_said(game: Game) -> None:
    """A step stands in a log and on a button: a phrase, without a full stop."""
    for position in walks(game):
        for a in position.legal_actions() + position.outcome_actions()[0]:
            said = game.words.step(game.board, position.s, a)
            assert is_complete(said), (position, game.tokens[a])
            assert has_japanese(said), (position, game.tokens[a])
            assert not [end for end in (said.en[-1], said["ja"][-1]) if end in ".。"], (position, said)


@every_variant
def test_a_row_of_steps_is_told_in_phrases_and_one_step_in_one(game: Game) -> None:
    luck = Random(1)
    for position in walks(game):
        tokens, after = list[str](), position.copy()
        while after.actor is not None and len(tokens) < 4:
            tokens.append(luck.choice(list(after)))
            after.play(tokens[-1])
        for row in (tokens[:1], tokens):
            said = position.summarize(row)
            assert bool(row) <= len(said) <= len(row), (position, row)
            for phrase in said:
                assert is_complete(phrase), (position, row)
                assert has_japanese(phrase), (position, row)
                assert not [end for end in (phrase.en[-1], phrase["ja"][-1]) if end in ".。"], (
                    position,
                    said,
                )


@every_variant
def test_a_player_is_told_what_to_do_and_at_the_end_why_it_ended(game: Game) -> None:
    for position in walks(game):
        say = game.words.ending if position.actor is None else game.words.asks
        said = say(game.board, position.s)
        assert is_complete(said), position
        assert has_japanese(said), position


@every_variant
def test_what_decides_is_said_where_a_player_chooses(game: Game) -> None:
    for position in walks(game):
        if position.actor in game.seats:
            said = game.words.decides(game.board, position.s)
            assert is_complete(said), position
            assert has_japanese(said), position
            assert said.en[-1] == ".", position
            assert said["ja"][-1] == ("。" if SPEAK_JAPANESE else "."), position


@every_variant
def test_different_choices_are_said_differently(game: Game) -> None:
    for position in walks(game):
        said = [game.words.step(game.board, position.s, a) for a in position.legal_actions()]
        for lang in LANGUAGES:
            phrases = [text[lang] for text in said]
            assert len(set(phrases)) == len(phrases), (position, lang, phrases)


@every_variant
def test_every_moment_has_its_place_in_the_rulebook(game: Game) -> None:
    anchors = {f"{{#{game.words.phase(game.board, position.s)}}}" for position in walks(game)}
    for lang in LANGUAGES:
        assert not [anchor for anchor in anchors if anchor not in game.rulebook(lang)], lang


@every_variant
def test_a_game_that_is_over_is_at_the_end_of_the_rulebook(game: Game) -> None:
    for position in walks(game):
        over = position.actor is None
        assert (game.words.phase(game.board, position.s) == "end") == over, position


@every_variant
def test_a_result_can_be_written_down(game: Game) -> None:
    for position in walks(game):
        result = position.result
        assert json.loads(json.dumps(result)) == result
