"""Alpha-beta, exact values and expectimax over dice, run by Python and held against plain enumeration."""

from __future__ import annotations

import contextlib
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import smallchange
from smallchange import Position
from smallchange.core.game import Game
from smallchange.core.state import CHANCE, OVER
from smallchange.engine.kernels import alphabeta, exact_value, expectimax_dice
from smallchange.engine.kernels import expectimax_graph as graph_columns
from smallchange.engine.search.iterative_deepening import AlphaBetaSearcher, is_supported
from smallchange.tablebase.exact import Exact
from tests.tablebase.brute import TooMany, best, endings, score_value, win_value

GAMES = [id for id in smallchange.games() if is_supported(smallchange.game(id))]
SMALL_BOARD = {"size": 3, "quiet_limit": 6}
BITS = exact_value.DIGIT_BITS


def small_game(id: str) -> Game:
    offered = {option.name for option in smallchange.game(id).offered}
    return smallchange.game(id, **{name: value for name, value in SMALL_BOARD.items() if name in offered})


def positions(game: Game, n: int) -> list[Position]:
    """Positions at a player's step, after ever more random steps."""
    luck, found = Random(5), list[Position]()
    while len(found) < n:
        position = game.start()
        for _ in range(2 * len(found)):
            after = position.played(luck.choice(position.legal()))
            position = position if after.actor is None else after
        found.append(position)
    return found


def minimax(game: Game, s: Any, depth: int, level: int, draw: int) -> int:
    """Return the value of a state to the player to move, every line followed for `depth` steps."""
    rules, board = game.rules, game.board
    if s.turn == OVER:
        raise AssertionError("nobody is to move")
    if depth == 0:
        assert game.evaluation
        seen = game.evaluation.evaluate(board, s, s.turn)
        return int(max(-alphabeta.MAX_EVALUATION, min(alphabeta.MAX_EVALUATION, seen)))
    actions, best = [0] * (rules.MOST + 1), -alphabeta.WIN
    for i in range(rules.legal(board, s, actions)):
        t = s.copy()
        rules.play(board, t, actions[i])
        if t.turn == OVER:
            lead = rules.score(board, t, 0) - rules.score(board, t, 1)
            value = alphabeta.WIN - level - 1 if lead > 0 else level + 1 - alphabeta.WIN if lead < 0 else draw
            value = value if s.turn == 0 else -value
        else:
            value = minimax(game, t, depth - 1, level + 1, draw) * (1 if t.turn == s.turn else -1)
        best = max(best, value)
    return best


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize(("memory", "contempt"), [(1 << 16, 0), (64, 30)])
def test_alpha_beta_finds_the_value_of_plain_minimax(id: str, memory: int, contempt: int) -> None:
    game = small_game(id)
    searcher = AlphaBetaSearcher(game, compiled=False, memory=memory)
    for position in positions(game, 7):
        s = position.s
        for depth in (1, 2, 3, 4):
            draw = -contempt if s.turn == 0 else contempt
            found = searcher.search(s, lambda seen: 10**6, max_depth=depth, contempt=contempt)
            wanted = minimax(game, s, found.depth, 0, draw)
            assert (found.value, found.depth <= depth) == (wanted, True), (position.key(), depth)
            if found.depth < depth:  # no deeper search finds more
                assert abs(wanted) > alphabeta.MAX_EVALUATION or minimax(game, s, depth, 0, draw) == wanted


def test_the_order_of_steps_and_the_table_spare_most_positions() -> None:
    """Positions visited to depth 5. They change where the order of steps, the windows, the table or estimates do."""
    game = smallchange.game("dodgem", size=4)
    searcher = AlphaBetaSearcher(game, compiled=False)
    visited = [searcher.search(p.s, lambda seen: 10**6, max_depth=5).nodes for p in positions(game, 3)]
    assert visited == [311, 419, 416]


def test_an_entry_of_the_table_reads_back() -> None:
    for age, depth, bound, step, value in product(
        (1, 9000), (0, 60), (0, 1, 2), (0, 65535), (-999_999, 0, 7)
    ):
        entry = alphabeta.pack_entry(age, depth, bound, step, value)
        assert (entry >> 48, entry >> 40 & 255, entry >> 38 & 3) == (age, depth, bound)
        assert (entry >> 22 & 65535, (entry & ((1 << 22) - 1)) - (1 << 21)) == (step, value)


def test_an_end_is_worth_more_to_its_winner_the_sooner_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alphabeta, "score", lambda b, s, seat: s[seat], raising=False)
    assert alphabeta.end_value(None, (3, 1), 5, 7) == alphabeta.WIN - 5
    assert alphabeta.end_value(None, (1, 3), 5, 7) == 5 - alphabeta.WIN
    assert alphabeta.end_value(None, (2, 2), 5, 7) == 7


def digits(number: int, n: int = 3) -> np.ndarray[Any, Any]:
    return np.array([number >> BITS * i & exact_value.MAX_DIGIT for i in range(n)], np.int64)


def number_of(row: Any) -> int:
    return sum(int(digit) << BITS * i for i, digit in enumerate(row))


@pytest.mark.parametrize("by", [1, 7, 36])
def test_numbers_of_several_digits_are_multiplied_and_divided(by: int) -> None:
    luck = Random(by)
    for _ in range(20):
        number = luck.randrange(1 << 3 * BITS - 8)
        row = digits(number)
        assert exact_value.divide(row, by) == (number % by == 0)
        assert number_of(row) == number // by
        unit = digits(luck.randrange(1 << 3 * BITS - 8))
        exact_value.multiply(row, unit, by)
        assert number_of(row) == number_of(unit) * by


def test_chance_adds_up_and_each_seat_takes_its_best() -> None:
    low, high = 5 << BITS | 9, 6 << BITS | 1
    for turn, first, then in ((0, low, high), (0, high, low), (1, low, high), (1, high, low)):
        sums = digits(0)
        exact_value.update_value(turn, sums, digits(first), 1, True)
        assert number_of(sums) == first, "whatever it was before"
        exact_value.update_value(turn, sums, digits(then), 1, False)
        assert number_of(sums) == (max if turn == 0 else min)(first, then)
    sums = digits(0)
    for weight, value in ((2, low), (3, high)):
        exact_value.update_value(CHANCE, sums, digits(value), weight, False)
    assert not exact_value.divide(sums, 1) or number_of(sums) == 2 * low + 3 * high


def test_a_choice_is_settled_at_the_bound_of_its_seat_alone() -> None:
    bound = digits(4 << BITS | 7)
    for number, settled in ((4 << BITS | 7, (True, False)), (0, (False, True)), (4 << BITS, (False, False))):
        assert tuple(bool(exact_value.is_settled(turn, digits(number), bound)) for turn in (0, 1)) == settled
        assert not exact_value.is_settled(CHANCE, digits(number), bound)
    assert not exact_value.is_settled(0, digits(7), bound)


def test_a_position_is_told_from_others_by_both_its_keys() -> None:
    table = np.zeros((8, 4), np.int64)
    keys = [(16 * 2 + 7, 1), (16 * 2 + 7, 3), (16 * 4 + 6, 5), (16 + 5, 5)]
    rows = []
    for key in keys:
        row = exact_value.find_row(table, key)
        assert table[row, 0] == 0
        table[row, :2] = key
        rows.append(row)
    assert rows == [3, 4, 5, 2]
    assert [exact_value.find_row(table, key) for key in keys] == rows
    written: list[int] = []
    for words in ([1, 2], [2, 1], [1, 3]):
        both = [0, 0]
        exact_value.write_keys(np.array(words, np.uint64), both)
        written += both
    assert len(set(written)) == 6
    assert all(0 < key < 1 << 63 and key & 1 for key in written)


@pytest.mark.parametrize(
    ("lost", "points", "goal", "worth"),
    [(1, 9, "WIN", 0), (0, 9, "WIN", 2), (0, 8, "WIN", None), (1, 9, "SCORE", None), (0, 9, "SCORE", None)],
)
def test_what_is_lost_or_far_enough_needs_no_search(
    lost: int, points: int, goal: str, worth: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("is_lost", lost), ("canonicalize", None)):
        monkeypatch.setattr(exact_value, name, lambda *_, value=value: value, raising=False)
    monkeypatch.setattr(exact_value, "score", lambda b, s, seat: points - 9 * seat, raising=False)
    search = SimpleNamespace(
        states=[SimpleNamespace(turn=0)],
        words=[np.array([1], np.uint64)],
        keys=np.zeros((1, 2), np.int64),
        sums=np.full((1, 3), 77),
        unit=digits(5),
        table=np.zeros((8, 5), np.int64),
    )
    known = exact_value.is_known(None, search, 0, getattr(exact_value, goal), 9)
    assert known == (worth is not None)
    assert number_of(search.sums[0]) == 5 * worth if worth is not None else (search.sums == 77).all()


@pytest.fixture
def three_faces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two dice of three faces."""
    monkeypatch.setattr(expectimax_dice, "DICE", 2, raising=False)
    monkeypatch.setattr(expectimax_dice, "FACES", 3, raising=False)


def room() -> np.ndarray[Any, Any]:
    return np.zeros((2, 16))


@pytest.mark.usefixtures("three_faces")
def test_rolling_a_die_is_worth_the_mean_of_its_faces() -> None:
    table, choices = np.array([float(k * k) for k in range(9)]), room()
    row = choices[expectimax_dice.add_rolls(table, choices)]
    for one, two in product(range(4), repeat=2):
        throws = product(range(3) if one == 3 else (one,), range(3) if two == 3 else (two,))
        values = [table[3 * i + k] for i, k in throws]
        assert row[4 * one + two] == pytest.approx(sum(values) / len(values))


@pytest.mark.usefixtures("three_faces")
@pytest.mark.parametrize("may_keep", [0, 1])
def test_after_a_throw_the_best_dice_to_roll_are_chosen(
    may_keep: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expectimax_dice, "may_keep_dice", lambda b: may_keep, raising=False)
    before = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0])
    table, choices = before.copy(), room()
    side = expectimax_dice.add_rolls(table, choices)
    row = choices[side].copy()
    mean = expectimax_dice.choose_dice(None, table, choices, side)
    for one, two in product(range(3), repeat=2):
        kept = [row[4 * i + k] for i, k in product((one, 3), (two, 3))]
        assert table[3 * one + two] == pytest.approx(max(kept) if may_keep else before.mean())
    assert mean == pytest.approx(table.mean())


@pytest.mark.usefixtures("three_faces")
@pytest.mark.parametrize("gives_up", [False, True])
def test_a_throw_is_worth_the_best_move_that_it_opens(
    gives_up: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Die 0 showing 2 opens a board worth 0.5; die 1 showing 1 one with a table; else the game is lost, or saved."""
    monkeypatch.setattr(expectimax_dice, "terminal_value", lambda b, s, seat, net: 0.125)
    c = graph_columns
    moves = np.full((6, c.MOVE_COLUMNS), 99)
    moves[1] = [7, 1, 0, 2]
    moves[2] = [8, 2, 1, 1]
    moves[3] = [9, 3, c.NO_DIE, 0]
    nodes = np.zeros((4, c.NODE_COLUMNS), np.int64)
    nodes[:, c.TABLE] = [0, -1, 1, -1]
    nodes[0, [c.FIRST_MOVE, c.MOVE_COUNT]] = 1, 3 if gives_up else 2
    after = np.array([[9.0] * 9, [0.1 * k for k in range(9)]])
    graph = SimpleNamespace(
        nodes=nodes,
        moves=moves,
        values=[0.0, 0.5, 9.0, 9.0],
        rolled_values=[9.0, 9.0, 9.0, 0.3],
        boards=[None] * 4,
    )
    table = np.zeros(9)
    expectimax_dice.write_table(None, 0, 0, SimpleNamespace(graph=graph, net=None), after, table)
    for one, two in product(range(3), repeat=2):
        opened = [0.5] * (one == 2) + [after[1, 3 * one + two]] * (two == 1)
        stuck = 0.3 if gives_up else 0.125
        worth = max(opened) if opened and gives_up else max([*opened, 0.0 if gives_up else stuck])
        assert table[3 * one + two] == pytest.approx(worth if opened else stuck)


def test_an_end_is_worth_what_the_goal_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_value, "score", lambda b, s, seat: s, raising=False)
    monkeypatch.setattr(exact_value, "utility", lambda b, s, seat: s, raising=False)
    for s, wins in ((1000, 2), (501, 2), (500, 1), (499, 0), (0, 0)):
        assert exact_value.end_value(None, s, exact_value.WIN) == wins
        assert exact_value.end_value(None, s, exact_value.UTILITY) == s
    assert exact_value.end_value(None, -24, exact_value.SCORE) == 1000


@pytest.mark.parametrize("goal", ["win", "score"])
def test_exact_odds_by_python_are_those_of_plain_enumeration(goal: str) -> None:
    checked = 0
    for id in smallchange.games():
        game = small_game(id)
        solver, end = Exact(game, goal, compiled=False), win_value if goal == "win" else score_value
        for position in endings(game, 1)[:3]:
            with contextlib.suppress(TooMany):
                wanted = best(position, end, {}, 200)
                assert solver.value(position) == wanted, position.key()
                checked += 1
    assert checked >= 8
