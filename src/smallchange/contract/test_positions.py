"""Every game keeps the promises of positions, step by step."""

import pytest

import smallchange
from smallchange import Game, Position
from smallchange.core.state import CHANCE, OVER

from .check import HEAVIEST, MOST_BYTES, record_size, values
from .variants import every_game, every_variant, variants, walk, walks


@every_game
def test_every_value_of_every_option_has_a_variant(id: str) -> None:
    found = variants(id)
    for option in found[0].offered:
        missing = set(values(option)) - {game.options[option.name] for game in found}
        assert not missing, f"{option.name} cannot be {missing} in any variant"


@every_variant
def test_every_match_ends(game: Game) -> None:
    for seed in range(10):
        *_, last = walk(game, seed)
        assert (last.actor, last.legal(), last.weights(), list(last)) == (None, [], [], [])


@every_variant
def test_the_possible_actions_are_ascending_and_within_the_declared_numbers(game: Game) -> None:
    rules = game.rules
    for position in walks(game):
        if position.s.turn == OVER:
            continue
        out, weights = [-1] * (rules.ACTIONS + 1), [-1] * (rules.ACTIONS + 1)
        if position.s.turn == CHANCE:
            n = rules.odds(game.board, position.s, out, weights)
        else:
            n = rules.legal(game.board, position.s, out)
        found = out[:n]
        assert 1 <= n <= rules.MOST, position
        assert found == sorted(set(found)), position
        assert found[0] >= 0, position
        assert found[-1] < rules.ACTIONS, position
        assert set(found) <= set(game.tokens), position


@every_variant
def test_chance_has_positive_whole_odds_and_a_physical_source(game: Game) -> None:
    for position in walks(game):
        if position.actor == "chance":
            chances = position.weights()
            assert chances == sorted(chances), position
            assert all(type(weight) is int and weight > 0 for _, weight in chances), position
            assert sum(weight for _, weight in chances) <= HEAVIEST
            assert position.legal() == [], position
            assert position.source in game.sources, position
        else:
            assert (position.weights(), position.source) == ([], ""), position


@every_variant
def test_players_see_their_legal_tokens_sorted(game: Game) -> None:
    for position in walks(game):
        if position.actor in game.seats:
            legal = position.legal()
            assert legal, position
            assert legal == sorted(set(legal)) == list(position), position


@every_variant
def test_every_field_stays_within_its_bounds(game: Game) -> None:
    assert game.board.violations() == []
    for position in walks(game):
        assert position.s.violations() == [], position


@every_variant
def test_looking_at_a_position_changes_nothing(game: Game) -> None:
    for position in walks(game):
        before = position.s.copy()
        position.legal(), position.weights(), position.source, position.result, position.key()
        assert position.s == before
    for name in game.board.ranges:  # the board cannot change
        with pytest.raises(AttributeError, match="make another game"):
            setattr(game.board, name, 0)


@every_variant
def test_a_copy_goes_its_own_way(game: Game) -> None:
    for position in walk(game, 1):
        twin = position.copy()
        assert (twin, twin.key()) == (position, position.key())
        before = position.key()
        for token in list(twin)[:1]:
            twin.play(token)
            assert position.key() == before
            assert twin != position


@every_variant
def test_a_position_prints_what_reads_back_as_itself(game: Game) -> None:
    for i, position in enumerate(walk(game, 2)):
        if i % 5 == 0 or position.actor is None:
            again = Position.parse(position.key())
            assert (again, again.key(), str(again)) == (position, position.key(), position.text())
            assert list(again) == list(position)
            assert eval(repr(position), {"smallchange": smallchange}) == position


@every_variant
def test_nothing_contradicts_in_a_position_of_a_match(game: Game) -> None:
    for position in walks(game):
        assert game.invariants is None or game.invariants.can_be(game.board, position.s), position


@every_variant
def test_the_same_steps_lead_to_equal_positions(game: Game) -> None:
    for one, other in zip(walk(game, 3), walk(game, 3), strict=True):
        assert one == other
        assert one is not other
        assert one.key() == other.key()


@every_variant
def test_result_and_score_are_there_at_the_end_and_not_before(game: Game) -> None:
    for position in walks(game):
        scores = [position.score(player) for player in game.seats]
        if position.actor is None:
            assert isinstance(position.result, dict)
            assert all(type(score) is int for score in scores), position
        else:
            assert position.result is None, position
            assert scores == [None] * len(game.seats), position


@every_variant
def test_the_rule_of_thumb_gives_whole_numbers_and_touches_nothing(game: Game) -> None:
    for position in walk(game, 4):
        for a in position.legal_actions():
            before, after = position.s.copy(), position.s.copy()
            game.rules.play(game.board, after, a)
            then = after.copy()
            assert type(game.heuristic.move_score(game.board, position.s, a, after)) is int
            assert (position.s, after) == (before, then)


@every_game
def test_a_state_fits_into_its_record(id: str) -> None:
    assert record_size(smallchange.game(id).state_type.ranges.values()) <= MOST_BYTES
