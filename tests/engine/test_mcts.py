"""The tree search: the same compiled and interpreted, the same for a seed, and right where all is known."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import smallchange
from smallchange import Position
from smallchange.contract.random_positions import node_budget, player_position
from smallchange.core.state import CHANCE
from smallchange.engine.kernels.mcts import (
    EDGE_COUNT,
    EDGE_VISITS,
    FIRST_EDGE,
    MOVER,
    NODES_USED,
    WEIGHT,
)
from smallchange.engine.search.mcts import Plan, TreeSearcher
from tests.tablebase.brute import TooMany, Worth, best

GAMES = smallchange.games()
SMALL = 1000  # positions that plain enumeration may look at


@pytest.fixture(scope="module")
def searchers() -> dict[str, TreeSearcher]:
    return {id: TreeSearcher(smallchange.game(id)) for id in GAMES}


def small_positions(id: str, aim: Worth, n: int) -> list[tuple[Position, Fraction]]:
    """Positions near the ends of games, with a choice that matters, and their exact worth."""
    found: list[tuple[Position, Fraction]] = []
    for seed in range(60):
        luck = random.Random(seed)
        position, line = smallchange.game(id).start(), []
        while position.actor is not None:
            line.append(position.copy())
            position.play(luck.choice(list(position)))
        choice = None
        for position in line[::-1][:24]:
            try:
                worth = best(position, aim, {}, SMALL)
            except (TooMany, RecursionError):
                break
            if position.s.turn >= 0 and len(position.legal()) > 1:
                choice = position, worth
        if choice:
            found.append(choice)
        if len(found) == n:
            break
    return found


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("rate", [0, 20, 64])
def test_compiled_and_interpreted_search_are_the_same(
    id: str, rate: int, searchers: dict[str, TreeSearcher]
) -> None:
    slow = TreeSearcher(smallchange.game(id), compiled=False)
    depth = 60 if rate == 64 else 12  # the rule of thumb is slow in plain Python
    for seed in range(2):
        s, plan = player_position(id, seed, 25).s, Plan(random_move_rate=rate, depth_limit=depth)
        assert searchers[id].search(s, plan, seed, node_budget(20)) == slow.search(
            s, plan, seed, node_budget(20)
        )


@pytest.mark.parametrize("id", GAMES)
def test_a_search_depends_on_its_seed_and_play_outs_alone(
    id: str, searchers: dict[str, TreeSearcher]
) -> None:
    s = player_position(id, 5, 20).s
    whole = searchers[id].search(s, Plan(), 7, node_budget(500))
    searchers[id].search(player_position(id, 6, 10).s, Plan(), 8, node_budget(300))
    portions = searchers[id].search(s, Plan(), 7, lambda done: min(100, 500 - done))
    assert whole == portions
    assert sum(look.visits for look in whole) == 500


@pytest.mark.parametrize("id", GAMES)
def test_a_search_of_nothing_has_the_legal_moves_the_rule_of_thumb_first(
    id: str, searchers: dict[str, TreeSearcher]
) -> None:
    position = player_position(id, 9, 15)
    looks = searchers[id].search(position.s, Plan(), 0, node_budget(0))
    game = position.game

    def move_score(token: str) -> int:
        after = position.played(token)
        return game.heuristic.move_score(game.board, position.s, game.actions[token], after.s)

    assert sorted(game.tokens[look.action] for look in looks) == position.legal()
    assert move_score(game.tokens[looks[0].action]) == max(map(move_score, position.legal()))


@pytest.mark.parametrize("id", GAMES)
def test_who_searches_nothing_plays_whole_games(id: str, searchers: dict[str, TreeSearcher]) -> None:
    games, searched = searchers[id].play_matches(
        [Plan(simulations=0)] * len(smallchange.game(id).seats), 1, 0, 1
    )
    assert 0 < searched <= games.steps[0]


@pytest.mark.parametrize("id", ["dodgem", "solo"])  # the others have no ends so small
def test_near_the_end_a_search_finds_what_exact_calculation_finds(
    id: str, searchers: dict[str, TreeSearcher]
) -> None:
    def aim(end: Position) -> Fraction:
        return Fraction(searchers[id].utility(end.s, 0))

    found = small_positions(id, aim, 2)
    assert len(found) == 2
    for position, worth in found:
        looks = searchers[id].search(position.s, Plan(), 1, node_budget(30_000))
        after = position.played(position.game.tokens[looks[0].action])
        chosen = best(after, aim, {}, SMALL)
        assert abs(chosen - worth) <= 10, position.key()  # the move gives away at most a hundredth
        mean = looks[0].mean if position.s.turn == 0 else 1000 - looks[0].mean
        assert abs(mean - worth) <= 40, position.key()


@pytest.mark.parametrize("id", [id for id in GAMES if smallchange.game(id).sources])
def test_no_outcome_of_chance_is_more_than_one_visit_ahead_of_its_share(
    id: str, searchers: dict[str, TreeSearcher]
) -> None:
    """Sampling alone would be ahead by the root of the visits."""
    searchers[id].search(player_position(id, 4, 12).s, Plan(), 3, node_budget(2000))
    tree = searchers[id]._tree
    most = 0
    for node in tree.nodes[: tree.counters[NODES_USED]]:
        if node[MOVER] == CHANCE and node[EDGE_COUNT] > 1:
            edges = tree.edges[node[FIRST_EDGE] : node[FIRST_EDGE] + node[EDGE_COUNT]]
            visits = edges[:, EDGE_VISITS].sum()
            shares = edges[:, WEIGHT] / edges[:, WEIGHT].sum()
            assert (edges[:, EDGE_VISITS] <= shares * visits + 1 + 1e-9).all()
            most = max(most, int(visits))
    assert most >= 50, "no chance node was visited often"


@pytest.mark.parametrize("id", GAMES)
def test_a_graph_that_is_full_goes_on_counting(id: str) -> None:
    full = TreeSearcher(smallchange.game(id), memory=100_000)
    looks = full.search(player_position(id, 2, 20).s, Plan(), 0, node_budget(2000))
    assert sum(look.visits for look in looks) == 2000


def test_memory_that_holds_no_choice_is_refused() -> None:
    with pytest.raises(ValueError, match=r"takes at least [\d,]+ bytes of memory, not 100"):
        TreeSearcher(smallchange.game(GAMES[0]), memory=100)
