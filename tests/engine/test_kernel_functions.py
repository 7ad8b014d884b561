"""Functions of the kernels, run by Python on a few numbers whose result can be worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import smallchange
from smallchange.core.state import CHANCE, OVER
from smallchange.engine.kernels import mcts, playouts, random_streams, stratified_chance, tablebase_probe
from smallchange.engine.kernels import table_verification as verification
from smallchange.engine.search.mcts import Plan, TreeSearcher

PLAN = [
    100,
    16,
    2,
    8,
    0,
    1 << 20,
    32,
]  # simulations, exploration, width, widening, random, depth, prior bonus


def tree(mover: int, edges: Sequence[tuple[int, int, float]], visits: int = 0, room: int = 20) -> mcts.Tree:
    """Return a root with edges of (weight, visits, value of the child): child i + 1 at edge i where it was visited."""
    made = mcts.Tree(
        nodes=np.zeros((room, mcts.NODE_COLUMNS), np.int64),
        edges=np.zeros((40, mcts.EDGE_COLUMNS), np.int64),
        values=np.zeros(room),
        slots=np.zeros(2 * room, np.int32),
        counters=[0] * mcts.COUNTERS,
        path=[0] * 12,
        state=None,
        words=None,
    )
    mcts.reset(made, mover)
    first = 3  # those before are of other nodes
    made.edges[:first] = 77
    made.nodes[0, [mcts.FIRST_EDGE, mcts.EDGE_COUNT, mcts.VISITS]] = first, len(edges), visits
    for i, (weight, taken, value) in enumerate(edges):
        made.edges[first + i, [mcts.WEIGHT, mcts.EDGE_VISITS]] = weight, taken
        if taken:
            made.edges[first + i, mcts.CHILD] = mcts.add_node(made, 0)
            made.values[made.edges[first + i, mcts.CHILD]] = value
    return made


def next_edge(made: mcts.Tree, deviation: float = 0.0, **plan: int) -> int:
    """Return the number of the edge that the root tries next."""
    numbers = [plan.get(name, number) for name, number in zip(NAMES, PLAN, strict=True)]
    return mcts.select(0, numbers, deviation, made) - 3


NAMES = ("simulations", "exploration", "width", "widening", "rate", "depth", "prior")


def test_the_first_edges_are_tried_in_their_order_and_more_of_them_with_more_visits() -> None:
    unseen = [(0, 0, 0.0)] * 6
    assert next_edge(tree(0, unseen)) == 0
    assert next_edge(tree(0, [(0, 1, 900.0), *unseen[1:]], 1)) == 1
    seen = [(0, 1, 900.0), (0, 1, 800.0)]
    assert next_edge(tree(0, [*seen, *unseen[2:]], 3)) == 0  # the width is 2 + sqrt(3) / 2, rounded down
    assert next_edge(tree(0, [*seen, *unseen[2:]], 4)) == 2  # 2 + sqrt(4) / 2
    assert next_edge(tree(0, seen, 100)) == 0  # there are no more


def test_the_edge_of_the_greatest_value_for_the_player_to_move_is_taken() -> None:
    seen = [(0, 9, 400.0), (0, 9, 600.0), (0, 9, 500.0)]
    assert next_edge(tree(0, seen, 27), width=3) == 1
    assert next_edge(tree(1, seen, 27), width=3) == 0
    assert next_edge(tree(1, [(0, 9, 1000.0), (0, 9, 999.0)], 18)) == 1
    assert next_edge(tree(0, [(0, 9, 0.0), (0, 9, 0.0)], 18)) == 0


def test_the_bonus_is_the_deviation_times_the_fourth_root_over_the_root_of_the_visits() -> None:
    """16 visits of the node give 16/16 * 10 * 2 = 20: for edges of 4 and 12 visits 10 and 5.77."""
    for value, taken in ((504.2, 1), (504.3, 2)):
        seen = [(0, 4, 0.0), (0, 4, 500.0), (0, 12, value)]
        assert next_edge(tree(0, seen, 16), 10.0, width=3) == taken
    for value, taken in (
        (497.8, 0),
        (497.9, 1),
    ):  # the first has twice the bonus: 20 for 4 visits, 11.55 for 12
        seen = [(0, 12, 500.0), (0, 4, value + 3.7)]
        assert next_edge(tree(0, seen, 16), 10.0) == taken
    for exploration, taken in ((16, 0), (8, 0), (0, 1)):
        assert next_edge(tree(0, [(0, 1, 499.0), (0, 9, 500.0)], 16), 1.0, exploration=exploration) == taken


def test_where_there_is_no_room_no_new_edge_is_tried() -> None:
    full = tree(0, [(0, 0, 0.0), (0, 5, 10.0), (0, 5, 20.0)], 100, room=3)
    assert next_edge(full) == 2


def test_outcomes_of_chance_keep_to_their_shares() -> None:
    made, streams = tree(CHANCE, [(weight, 0, 0.0) for weight in (1, 2, 3)]), [5]
    for n in range(1, 200):
        edge = mcts.sample_chance(0, made, streams)
        made.edges[edge, mcts.EDGE_VISITS] += 1
        visits = made.edges[3:6, mcts.EDGE_VISITS]
        assert visits.sum() == n
        assert all(6 * visits <= np.array([1, 2, 3]) * (n - 1) + 6)


def test_the_first_outcome_of_chance_comes_by_the_odds() -> None:
    """The standard deviation of the rarest of 3,000 outcomes is 20."""
    made, streams = tree(CHANCE, [(1, 0, 0.0), (2, 0, 0.0), (3, 0, 0.0)]), [9]
    found = Counter(mcts.sample_chance(0, made, streams) - 3 for _ in range(3000))
    assert [abs(found[i] - 500 * (i + 1)) < 100 for i in range(3)] == [True] * 3


def test_a_position_has_one_node_until_the_tree_begins_anew() -> None:
    made = tree(0, [])
    keys = [7, 47, 8, 87, 48, 7 + 40 * 10**9]  # of 40 slots: most of them stand in others' places
    nodes = [mcts.find_or_add_node(made, key, 1) for key in keys]
    assert nodes == [1, 2, 3, 4, 5, 6]
    assert [mcts.find_or_add_node(made, key, 1) for key in keys] == nodes
    assert all(made.nodes[1:7, mcts.MOVER] == 1)
    mcts.reset(made, 0)
    assert not made.slots.any()
    assert made.counters[mcts.NODES_USED] == 1
    made.nodes[1] = 99
    assert mcts.find_or_add_node(made, 48, 0) == 1
    assert made.nodes[1, mcts.VISITS] == 0


def test_actions_are_ordered_by_move_score_and_equals_stay_as_they_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mcts, "play", lambda b, s, a: None, raising=False)
    monkeypatch.setattr(mcts, "move_score", lambda b, s, a, t: a // 10, raising=False)
    scratch = SimpleNamespace(actions=[12, 35, 11, 34, 99, 20], weights=[0] * 6, spare=[None])
    mcts.order_by_move_score(None, None, 5, scratch)
    assert scratch.actions == [99, 35, 34, 12, 11, 20]
    assert scratch.weights == [9, 3, 3, 1, 1, 0]


@pytest.mark.parametrize(("used", "fits"), [(0, True), (37, True), (38, False)])
def test_a_node_gets_its_edges_if_all_of_them_fit(
    used: int, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def odds(b: Any, s: Any, out: list[int], weights: list[int]) -> int:
        out[:3], weights[:3] = [7, 8, 9], [1, 2, 3]
        return 3

    monkeypatch.setattr(mcts, "odds", odds, raising=False)
    made, scratch = tree(CHANCE, []), SimpleNamespace(actions=[0] * 4, weights=[0] * 4)
    made.edges[:] = 77
    made.counters[mcts.EDGES_USED] = used
    mcts.expand(None, SimpleNamespace(turn=CHANCE), 0, made, scratch)
    assert made.counters[mcts.EDGES_USED] == (used + 3 if fits else used)
    assert made.nodes[0, mcts.EDGE_COUNT] == (3 if fits else 0)
    if fits:
        assert made.nodes[0, mcts.FIRST_EDGE] == used
        assert made.edges[used : used + 3].tolist() == [[7, 1, 0, 0, 0], [8, 2, 0, 0, 0], [9, 3, 0, 0, 0]]
        assert (np.delete(made.edges, range(used, used + 3), axis=0) == 77).all()


@pytest.mark.parametrize(
    ("mover", "rollouts", "value"),
    [
        (CHANCE, (0, 0), (1 * 100 + 3 * 500) / 4),  # by the odds of what has come up
        (CHANCE, (4, 4000), (1 * 100 + 3 * 500) / 4),
        (0, (0, 0), (1 * 100 + 16 * 500) / 17),  # by the squares of the visits
        (1, (0, 0), (1 * 100 + 16 * 500) / 17),
        (0, (5, 1000), (1 * 100 + 16 * 500 + 1000) / 22),
    ],
)
def test_a_node_is_worth_the_mean_of_its_children(
    mover: int, rollouts: tuple[int, int], value: float
) -> None:
    made = tree(mover, [(1, 1, 100.0), (2, 0, 0.0), (3, 4, 500.0)])
    made.nodes[0, [mcts.ROLLOUTS, mcts.REWARD]] = rollouts
    mcts.update_value(0, made)
    assert made.values[0] == value


def test_a_chance_node_whose_outcomes_were_not_seen_is_worth_its_own_rollouts() -> None:
    made = tree(CHANCE, [(1, 0, 0.0)])
    made.nodes[0, [mcts.ROLLOUTS, mcts.REWARD]] = 4, 1000
    mcts.update_value(0, made)
    assert made.values[0] == 250


@pytest.mark.parametrize(("reward", "won"), [(400, 0), (500, 0), (501, 1), (1000, 1)])
def test_a_reward_is_credited_to_the_path_from_its_end_to_the_root(reward: int, won: int) -> None:
    made = tree(0, [(0, 1, 100.0), (0, 1, 300.0)], 2)
    made.path[:3] = [0, 4, 2]
    before = made.edges.copy()
    mcts.backpropagate(made, 1, reward)
    assert made.nodes[:3, mcts.VISITS].tolist() == [3, 0, 1]
    assert made.nodes[:3, mcts.ROLLOUTS].tolist() == [0, 0, 1]
    assert made.nodes[2, mcts.REWARD] == made.values[2] == reward
    change = made.edges - before
    assert change[4, [mcts.EDGE_VISITS, mcts.WINS]].tolist() == [1, won]
    assert np.abs(change).sum() == 1 + won
    assert made.values[0] == (1 * 100 + 4 * reward) / 5


@pytest.mark.parametrize(("rate", "limit", "steps"), [(0, 99, 5), (64, 99, 5), (32, 99, 5), (0, 3, 3)])
def test_a_rollout_goes_by_move_score_and_at_random_by_its_own_stream(
    rate: int, limit: int, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[int] = []

    def legal(b: Any, s: Any, out: list[int]) -> int:
        out[:2] = [1, 2]
        return 2

    def play(b: Any, s: Any, a: int) -> None:
        taken.append(a)
        s.turn = OVER if len(taken) == 5 else 0

    monkeypatch.setattr(mcts, "legal", legal, raising=False)
    monkeypatch.setattr(mcts, "play", play, raising=False)
    monkeypatch.setattr(mcts, "greedy_action", lambda *_: 2)
    scratch = SimpleNamespace(actions=[0] * 3, streams=[3, 4])
    mcts.rollout(None, SimpleNamespace(turn=0), [0, 0, 0, 0, rate, limit, 0], scratch)
    assert len(taken) == steps
    assert set(taken) <= ({1, 2} if rate else {2})
    assert scratch.streams[1] == 4
    assert (scratch.streams[0] == 3) == (rate == 0)


def test_a_simulation_goes_no_deeper_than_its_path_has_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play that never ends, and every position of it has a node that was visited."""

    def legal(b: Any, s: Any, out: list[int]) -> int:
        out[0] = 1
        return 1

    def next_node(made: mcts.Tree, key: int, turn: int) -> int:
        node = mcts.add_node(made, turn)
        made.nodes[node, mcts.ROLLOUTS] = 1
        return node

    for name, function in {"legal": legal, "play": lambda *_: None, "move_score": lambda *_: 0}.items():
        monkeypatch.setattr(mcts, name, function, raising=False)
    monkeypatch.setattr(mcts, "hash_key", lambda words: 0)
    monkeypatch.setattr(mcts, "find_or_add_node", next_node)
    made = tree(0, [])._replace(path=[0] * 6)
    scratch = SimpleNamespace(actions=[0] * 2, weights=[0] * 2, spare=[None], streams=[0])
    assert mcts.descend(None, SimpleNamespace(turn=0), PLAN, 1.0, made, scratch) == 2
    assert made.path[:5:2] == [0, 1, 2]


def test_weights_lie_side_by_side_on_a_line() -> None:
    assert playouts.total_weight([2, 0, 3, 50], 3) == 5
    assert [playouts.action_at([7, 8, 9], [2, 0, 3], point) for point in range(5)] == [7, 7, 9, 9, 9]


def test_rollouts_meet_every_combination_of_halves_alike() -> None:
    rows = [[stratified_chance.upper_half(rollout, step) for step in range(8)] for rollout in range(256)]
    assert sorted(map(tuple, rows)) == sorted(product((0, 1), repeat=8))
    for first in range(0, 256, 16):
        for steps in combinations(range(8), 3):
            found = Counter(tuple(row[step] for step in steps) for row in rows[first : first + 16])
            assert set(found.values()) == {2}
            assert len(found) == 8


def test_a_word_rejected_is_mixed_again_and_takes_no_word_of_the_next_draw() -> None:
    """Every fourth word is rejected below 3 * 2^30; the stream moves on by one word each time all the same."""
    streams, bound = [3], 3 << 30
    for n in range(1, 40):
        assert 0 <= random_streams.below(streams, 0, bound) < bound
        assert streams[0] == (3 + n * random_streams.GOLDEN) & random_streams.ALL


@pytest.mark.parametrize("bits", [1, 3, 7, 11])
def test_a_table_is_probed_for_each_of_its_codes(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every position has the code of its number; the highest stands for the values in a list of their own."""
    highest, n = (1 << bits) - 1, 300
    codes = [(7 * i) % (highest + 1) for i in range(n)]
    packed = sum(code << bits * i for i, code in enumerate(codes)).to_bytes(bits * n // 8 + 4, "little")
    rare = [i for i in range(n) if codes[i] == highest]
    view = tablebase_probe.TablebaseView(
        codes=list(packed),
        bits=bits,
        meaning=[*(100 + code for code in range(highest)), n],
        rare=rare,
        rare_values=[-1000 - i for i in rare],
    )
    monkeypatch.setattr(tablebase_probe, "place", lambda b, s: s.number, raising=False)

    def probe(number: int) -> Any:
        return tablebase_probe.probe(None, SimpleNamespace(number=number), view)

    assert [probe(i) for i in range(n)] == [
        -1000 - i if codes[i] == highest else 100 + codes[i] for i in range(n)
    ]
    assert [probe(i) for i in (-1, n, n + 1)] == [tablebase_probe.UNKNOWN] * 3


def test_a_table_with_a_single_rare_value_is_probed_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    view = tablebase_probe.TablebaseView(codes=[2, 0, 0], bits=1, meaning=[5, 2], rare=[1], rare_values=[-9])
    monkeypatch.setattr(tablebase_probe, "place", lambda b, s: s, raising=False)
    assert [tablebase_probe.probe(None, number, view) for number in (0, 1)] == [5, -9]


def test_sooner_wins_then_later_wins_draws_later_losses_and_sooner_losses() -> None:
    """The other gets a loss in 1 step, 3 steps, a draw, a win in 4 steps, 2 steps."""
    given = [(-1, 2), (-3, 4), (0, 1), (4, 5), (2, 3)]
    worth = [verification.preference(v, d) for v, d in given]
    assert worth == sorted(worth, reverse=True)
    assert len(set(worth)) == 5


def before_the_end(game: smallchange.Game, seed: int) -> tuple[smallchange.Position, str]:
    """Return a position of random play in which a step wins, and that step."""
    luck, position = Random(seed), game.start()
    while True:
        for token in position.legal():
            after = position.played(token)
            won = (after.result or {}).get("winner") == position.actor
            if won and len(position.legal()) > 2:
                return position, token
        position.play(luck.choice(position.legal()))
        if position.actor is None:
            position = game.start()


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("rate", [0, 64])
def test_a_search_counts_each_simulation_and_finds_the_step_that_wins(seed: int, rate: int) -> None:
    game = smallchange.game("dodgem", size=3)
    position, best = before_the_end(game, seed)
    searcher = TreeSearcher(game, compiled=False, memory=100_000)
    found = searcher.search(position.s, Plan(random_move_rate=rate), seed, lambda done: 80 - done)
    assert sum(move.visits for move in found) == 80
    assert found[0].visits > 40
    assert (game.tokens[found[0].action], found[0].mean, found[0].won) == (
        best,
        1000.0,
        float(position.actor == "red"),
    )
    counters = searcher._tree.counters
    assert counters[mcts.SIMULATED] == 80
    assert searcher._tree.nodes[0, mcts.VISITS] == 80
    assert (
        1000 * 80 * 1000 >= counters[mcts.REWARD_SQUARES] == 1000 * counters[mcts.REWARD_SUM]
    )  # 0 or 1000 each
    cut = searcher.search(position.s, Plan(depth_limit=0), seed, lambda done: 80 - done)
    assert sum(move.visits for move in cut) == 80
