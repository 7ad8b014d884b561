"""Alpha-beta: the same compiled and interpreted, the same for a budget, and right where all is known."""

from __future__ import annotations

from pathlib import Path

import pytest

import smallchange
from smallchange import Position
from smallchange.contract.random_positions import node_budget, position_after
from smallchange.core.game import Game
from smallchange.engine.search.iterative_deepening import AlphaBetaSearcher, is_supported
from smallchange.tablebase.make_table import make_table
from smallchange.tablebase.table import PliesTable
from smallchange.tablebase.tablebase_view import tablebase_view
from tests.support.small_solved_games import SMALL_GAMES, positions_with_moves

GAMES = [id for id in smallchange.games() if is_supported(smallchange.game(id))]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[PliesTable]:
    folder = tmp_path_factory.mktemp("tables")
    made = [make_table(folder / f"{n}.table", game) for n, game in enumerate(SMALL_GAMES)]
    return [table for table in made if isinstance(table, PliesTable)]


@pytest.mark.parametrize("id", GAMES)
def test_compiled_and_interpreted_search_are_the_same(id: str) -> None:
    game = smallchange.game(id)
    quick, slow = AlphaBetaSearcher(game), AlphaBetaSearcher(game, compiled=False)
    for seed in range(8):
        s = position_after(game, seed, 10 * seed).s
        for n in (0, 1, 7, 1500):
            assert quick.search(s, node_budget(n)) == slow.search(s, node_budget(n))


def test_they_look_up_tables_alike(tables: list[PliesTable], tmp_path: Path) -> None:
    for whole in tables[-2:]:
        table = make_table(tmp_path / "part.table", whole.game, budget=whole.positions // 2)
        assert isinstance(table, PliesTable)
        quick, slow = (
            AlphaBetaSearcher(whole.game, tablebase_view(table), compiled) for compiled in (True, False)
        )
        for position in positions_with_moves(whole, 8, 3):
            assert quick.search(position.s, node_budget(300)) == slow.search(position.s, node_budget(300))


@pytest.mark.parametrize("id", GAMES)
def test_what_is_found_depends_on_the_positions_looked_at_alone(id: str) -> None:
    game = smallchange.game(id)
    deepener = AlphaBetaSearcher(game)
    s = position_after(game, 3, 20).s
    whole = deepener.search(s, node_budget(20_000))
    deepener.search(position_after(game, 4, 30).s, node_budget(9_000))
    assert deepener.search(s, lambda seen: min(777, 20_000 - seen)) == whole
    assert AlphaBetaSearcher(game).search(s, node_budget(20_000)) == whole
    assert whole.nodes == 20_000


@pytest.mark.parametrize("id", GAMES)
def test_only_the_steps_asked_for_are_searched(id: str) -> None:
    game = smallchange.game(id)
    deepener = AlphaBetaSearcher(game)
    position = position_after(game, 1, 12)
    actions = [game.actions[token] for token in position.legal()]
    for n in (0, 1, 5000):
        assert deepener.search(position.s, node_budget(n), actions[-1:]).action == actions[-1]


def test_near_wins_and_losses_are_those_of_the_solver(tables: list[PliesTable]) -> None:
    """A position decided within the depth is found, in as many steps; nothing else is called decided."""
    decided = 0
    for table in tables:
        deepener = AlphaBetaSearcher(table.game)
        for position in positions_with_moves(table, 60, 1):
            found, value = deepener.search(position.s, node_budget(20_000)), table.value(position)
            near = value.plies is not None and value.plies <= found.depth
            assert found.plies == (
                (value.plies or 0) * (1 if value.outcome == "win" else -1) if near else None
            )
            if near:
                assert table.after(position, table.game.tokens[found.action]) == value
                decided += 1
    assert decided > 20 * len(tables)


def test_with_little_memory_what_is_found_is_as_right(tables: list[PliesTable]) -> None:
    deepener, decided = AlphaBetaSearcher(tables[-1].game, memory=4096), 0
    for position in positions_with_moves(tables[-1], 40, 1):
        found, value = deepener.search(position.s, node_budget(20_000)), tables[-1].value(position)
        if found.plies is not None:
            assert found.plies == (value.plies or 0) * (1 if value.outcome == "win" else -1)
            decided += 1
    assert decided > 10
    with pytest.raises(ValueError, match="at least 32 bytes of memory, not 31"):
        AlphaBetaSearcher(tables[-1].game, memory=31)


def test_a_search_that_was_cut_short_takes_no_step_that_it_knows_to_lose(tables: list[PliesTable]) -> None:
    for table in tables[-3:]:
        deepener = AlphaBetaSearcher(table.game)
        for position in positions_with_moves(table, 40, 2):
            for n in (40, 400, 4000):
                found = deepener.search(position.s, node_budget(n))
                after = table.after(position, table.game.tokens[found.action])
                lost = after.outcome == "loss" and (after.plies or 0) <= found.depth
                assert not lost or table.value(position).outcome == "loss"


def test_the_rule_that_ends_long_play_is_seen_coming(tables: list[PliesTable]) -> None:
    """A win that takes longer than play may last is none."""
    for table in tables:
        last = [o.name for o in table.game.offered if getattr(o, "high", 0) >= 100]
        strict = Game(table.game.id, {**table.game.options, **dict.fromkeys(last, 4)})
        deepener = AlphaBetaSearcher(strict)
        known: dict[tuple[str, int], int | None] = {}
        for position in positions_with_moves(table, 8, 4):
            here = Position(strict, position.s)
            want = ahead(here, 6, known)
            found = deepener.search(here.s, node_budget(1 << 30), max_depth=6)
            assert found.plies == want


def ahead(position: Position, depth: int, known: dict[tuple[str, int], int | None]) -> int | None:
    """Return the soonest win (positive) or latest loss within so many steps, worked out in plain Python."""
    if depth == 0:
        return None
    here = position.key(), depth
    if here not in known:
        known[here] = _worked_out(position, depth, known)
    return known[here]


def _worked_out(position: Position, depth: int, known: dict[tuple[str, int], int | None]) -> int | None:
    worth: list[int | None] = []
    for token in position.legal():
        after = position.played(token)
        if after.actor is None:
            lead = after.score(position.actor) if position.actor else 0
            worth.append(1 if lead and lead > 0 else -1 if lead else None)
        else:
            v = ahead(after, depth - 1, known)
            worth.append(None if v is None else -v + (1 if v < 0 else -1))
    wins = [v for v in worth if v is not None and v > 0]
    if wins:
        return min(wins)
    return None if None in worth else min(v for v in worth if v is not None)


def test_a_game_with_chance_or_for_one_is_refused() -> None:
    for id in set(smallchange.games()) - set(GAMES):
        with pytest.raises(ValueError, match="not a game for two without chance"):
            AlphaBetaSearcher(smallchange.game(id))
