"""The search over all throws: exact where nothing is left out, the same compiled and interpreted."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import pytest

import smallchange
from smallchange import Game, Position
from smallchange.contract.random_positions import player_position
from smallchange.contract.variants import label, variants
from smallchange.core.measurements import VALUES_FILE
from smallchange.engine.search import expectimax
from smallchange.engine.search.expectimax import ExpectimaxSearcher
from smallchange.engine.search.learned_values import Lookahead
from smallchange.engine.search.value_weights import new_weights
from smallchange.lab.play_portion import one_game
from smallchange.tablebase.exact import Exact
from tests.support.matches import THROWN
from tests.tablebase.brute import best, win_value

MOST = 1 << 20  # positions that plain enumeration may look at
TAUGHT = [id for id in THROWN if (smallchange.game(id).folder / VALUES_FILE).exists()]


def untaught(id: str, compiled: bool = True) -> ExpectimaxSearcher:
    game = smallchange.game(id)
    return ExpectimaxSearcher(game, new_weights(game, 6, 1), compiled)


def near_ends(search: ExpectimaxSearcher, boards: int) -> Iterator[Position]:
    """Steps near the ends of games by the search, with so few boards to come."""
    luck = random.Random(2)
    for _ in range(24):
        position = search.game.start()
        while position.actor is not None:
            if position.actor == "chance":
                tokens, odds = zip(*position.weights(), strict=True)
                position.play(luck.choices(tokens, odds)[0])
                continue
            looks, exact = search.search_moves(position.s, 8)
            if exact and 1 < looks[0].visits <= boards and len(looks) > 1:
                yield position.copy()
            position.play(position.game.tokens[looks[0].action])


@pytest.mark.parametrize("id", TAUGHT)
def test_a_search_over_all_throws_is_exact_where_nothing_is_left_out(id: str) -> None:
    game = smallchange.game(id)
    taught = ExpectimaxSearcher(game)
    checked: dict[bool, int] = {}
    for position in near_ends(taught, 8):
        kind = len(position.legal()) == 16
        if checked.setdefault(kind, 0) == 2:
            continue
        checked[kind] += 1
        known: dict[str, Fraction] = {}
        for look in taught.search_moves(position.s, 64)[0]:
            after = position.played(game.tokens[look.action])
            assert look.won == pytest.approx(float(best(after, win_value, known, MOST)), abs=1e-5)
    assert sum(checked.values()) >= 3


@pytest.mark.parametrize("game", [game for id in TAUGHT for game in variants(id)[1:]], ids=label)
def test_what_it_calls_exact_is_so_in_every_variant(game: Game) -> None:
    """Also where the game goes on after a throw that opens nothing."""
    taught, exact = ExpectimaxSearcher(game), Exact(game)
    for position in islice(near_ends(taught, 60), 12):
        looks = {game.tokens[look.action]: look.won for look in taught.search_moves(position.s, 64)[0]}
        assert looks == pytest.approx({token: float(odds) for token, odds in exact.moves(position)}, abs=1e-5)


@pytest.mark.parametrize("id", THROWN)
def test_compiled_and_interpreted_search_over_all_throws_are_the_same(id: str) -> None:
    quick, slow = untaught(id), untaught(id, compiled=False)
    for seed in range(2):
        position = player_position(id, seed, 4)
        (fast, _), (strict, _) = (one.search_moves(position.s, 1, 2) for one in (quick, slow))
        assert [look.action for look in fast] == [look.action for look in strict]
        assert [look.mean for look in fast] == pytest.approx([look.mean for look in strict])


@pytest.mark.parametrize("id", THROWN)
def test_games_in_bulk_are_those_played_move_by_move(id: str) -> None:
    search = untaught(id)

    def best(position: Position) -> str:
        return position.game.tokens[search.search_moves(position.s, 2, 2)[0][0].action]

    games, _ = search.play_matches([Lookahead(width=2, depth=2)], 7, 3, 2)
    for i in range(2):
        last, steps = one_game(search.game, [best], 7, 3 + i)
        assert search.plain(games.states[i]) == last.s
        assert games.scores[i, 0] == last.score("player")
        assert games.steps[i] == steps


@pytest.mark.parametrize("id", THROWN)
def test_a_wider_search_over_all_throws_has_every_legal_action(id: str) -> None:
    wide = untaught(id)
    for seed in range(12):
        position = player_position(id, seed, seed)
        looks, _ = wide.search_moves(position.s, 1 + seed)
        assert sorted(position.game.tokens[look.action] for look in looks) == position.legal()
        assert all(0 <= look.won <= 1 for look in looks)


def test_boards_that_there_is_no_room_for_are_not_taken_for_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    game = smallchange.game("coin-collectors")
    position = player_position(game.id, 3, 0)
    roomy = ExpectimaxSearcher(game).search_moves(position.s, 256)[0][0]
    monkeypatch.setattr(expectimax, "MAX_BOARDS", 4096)
    cramped = ExpectimaxSearcher(game).search_moves(position.s, 2048)[0][0]
    assert cramped.visits < 4096 < roomy.visits
    assert cramped.won == pytest.approx(roomy.won, abs=0.03)
