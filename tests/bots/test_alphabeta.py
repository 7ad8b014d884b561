"""The engine for games for two without chance: legal, steady, and never worse than a table that it has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smallchange
from smallchange.bots.engines import alphabeta as _alphabeta
from smallchange.bots.engines import tablebase as _solved
from smallchange.bots.engines.compile_cache import CompileCache
from smallchange.contract.random_positions import position_after
from smallchange.engine.search.iterative_deepening import AlphaBetaSearcher, is_supported
from smallchange.tablebase import open_table, tables_folder
from smallchange.tablebase.make_table import make_table
from smallchange.tablebase.table import PliesTable
from smallchange.tablebase.table_files import file_name
from smallchange.tablebase.tablebase_view import tablebase_view
from tests.support.small_solved_games import SMALL_GAMES, positions_with_moves

FITTING = [id for id in smallchange.games() if is_supported(smallchange.game(id))]
FOREVER = 3600.0


@pytest.fixture(autouse=True)
def _no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Begin each test without tables and engines."""
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path))
    monkeypatch.setattr(_alphabeta, "_engines", CompileCache(_alphabeta._make))
    for found in (_solved.existing_table, _solved.get_or_make_table):
        found.cache_clear()
    yield
    for found in (_solved.existing_table, _solved.get_or_make_table):
        found.cache_clear()


@pytest.mark.parametrize("id", FITTING)
def test_a_legal_step_is_played_whatever_the_position_and_the_budget(id: str) -> None:
    games = [smallchange.game(id), *SMALL_GAMES[::3]]
    for game in games:  # compiling beside Hypothesis, which changes the limit of recursion, can fail
        _alphabeta._engines.get(game.start(), FOREVER)

    @settings(max_examples=80, deadline=None)
    @given(
        n=st.integers(0, len(games) - 1),
        seed=st.integers(0, 10**6),
        steps=st.integers(0, 150),
        seconds=st.sampled_from([0.0, -1.0, 1e-6, 0.002, 0.01]),
        nodes=st.sampled_from([0, 1, 50, 1 << 40]),
        max_depth=st.sampled_from([0, 1, 5, 1000]),
    )
    def plays(n: int, seed: int, steps: int, seconds: float, nodes: int, max_depth: int) -> None:
        position = position_after(games[n], seed, steps)
        before, legal = position.copy(), position.legal()
        assert _alphabeta.choose(position, legal, seconds, Random(seed), nodes, max_depth) in legal
        assert position == before

    plays()


@pytest.mark.parametrize("id", FITTING)
def test_the_same_luck_and_positions_to_look_at_give_the_same_step(id: str) -> None:
    position = position_after(smallchange.game(id), 2, 15)

    def step() -> str:
        return _alphabeta.choose(position, position.legal(), FOREVER, Random(3), nodes=3000)

    assert len({step() for _ in range(4)}) == 1


@pytest.mark.parametrize("id", FITTING)
def test_with_no_time_a_step_is_played_at_once(id: str) -> None:
    position = smallchange.game(id).start()
    assert _alphabeta.choose(position, position.legal(), 0.0, Random(1)) in position.legal()
    assert _alphabeta.search(position, 0.0, Random(1)) is None


@pytest.mark.parametrize("id", FITTING)
def test_it_waits_for_compiling_no_longer_than_it_may_think(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    never, waits = Event(), []

    class Waiting(CompileCache[Any]):
        def get(self, position: smallchange.Position, seconds: float) -> Any:
            waits.append(seconds)
            return super().get(position, seconds)

    monkeypatch.setattr(_alphabeta, "_engines", Waiting(lambda position: never.wait()))
    start = smallchange.game(id).start()
    assert _alphabeta.choose(start, start.legal(), 0.1, Random(1)) in start.legal()
    never.set()
    assert waits[0] > 0.05
    assert max(waits[1:]) <= 0


def test_the_table_of_a_small_game_is_made_and_kept(tmp_path: Path) -> None:
    for game in SMALL_GAMES[:1]:
        engine = _alphabeta._engines.get(game.start(), FOREVER)
        assert engine is not None
        assert engine.table is not None
        (file,) = (tmp_path / "tables").iterdir()
        assert open_table(file).admits(game)


def test_where_nothing_can_be_kept_it_says_so_and_plays_without(tmp_path: Path) -> None:
    (tmp_path / "tables").write_text("in the way of the folder")
    for game in SMALL_GAMES[:1]:
        with pytest.warns(RuntimeWarning) as said:
            engine = _alphabeta._engines.get(game.start(), FOREVER)
        (warning,) = (str(w.message) for w in said if "a table is not kept" in str(w.message))
        assert str(tmp_path / "tables") in warning
        assert engine is not None
        assert engine.table is None
        start = game.start()
        assert _alphabeta.choose(start, start.legal(), FOREVER, Random(1), nodes=1000) in start.legal()


def test_a_small_table_that_is_damaged_is_named_and_made_anew() -> None:
    (game, *_) = SMALL_GAMES
    own = _solved.make_small_table(game)
    assert own is not None
    file = tables_folder() / file_name(game)
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    with pytest.warns(RuntimeWarning, match="a table is left out: .* is damaged") as said:
        assert _solved.get_or_make_table(game) is not None
    assert len(said) == 1
    assert file.read_bytes() == whole


def test_a_small_table_that_can_be_neither_read_nor_replaced_is_named() -> None:
    (game, *_) = SMALL_GAMES
    file = tables_folder() / file_name(game)
    (file / "of somebody").mkdir(parents=True)
    with pytest.warns(RuntimeWarning) as said:
        assert _solved.get_or_make_table(game) is None
    assert [str(warning.message).partition(":")[0] for warning in said] == [
        "a table is left out", "a table is not kept, bots play without it",
    ]  # fmt: skip
    assert all(str(file) in str(warning.message) for warning in said)


def test_every_step_played_is_the_best_of_the_table() -> None:
    """The short form of `python bench/solve.py bot`."""
    for game in SMALL_GAMES:
        engine = _alphabeta._engines.get(game.start(), FOREVER)
        assert engine is not None
        table = engine.table
        assert table is not None
        luck = Random(4)
        for position in positions_with_moves(table, 40, 5):
            token = _alphabeta.choose(position, position.legal(), FOREVER, luck, nodes=50)
            assert table.after(position, token) == table.value(position), position


@pytest.mark.parametrize(("quiet", "certain"), [(32, False), (0, True)])
def test_a_win_that_long_play_may_undo_is_not_called_certain(quiet: int, certain: bool) -> None:
    """The table wins, whatever was quiet before; with 32 quiet plies gone the match is drawn first."""
    text = f"dodgem size=3 / turn=1 coins=130,36 quiet={quiet} plies=157 winner=0 reason=0"
    position = smallchange.Position.parse(text)
    hint = _alphabeta.best_move(position, 600, Random(1), wait=600, nodes=200_000)
    assert hint is not None
    assert (hint.better == 1.0) == certain
    assert hint.exact == certain
    judged = _alphabeta.evaluate_move(position, "a3-off", 600, Random(1), wait=600, nodes=200_000)
    assert judged is not None
    assert judged.exact == certain


def test_a_hint_takes_no_more_than_its_seconds_where_the_table_is_not_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Long play may save a lost position: it is looked at as the table says, and then for the odds."""
    given = []

    class Answered(CompileCache[Any]):
        def get(self, position: smallchange.Position, seconds: float) -> Any:
            given.append(seconds)
            return super().get(position, seconds)

    monkeypatch.setattr(_alphabeta, "_engines", Answered(_alphabeta._make))
    position = smallchange.Position.parse(
        "dodgem size=3 / turn=0 coins=10,272 quiet=30 plies=40 winner=0 reason=0"
    )
    _alphabeta.best_move(position, 600, Random(1), wait=600, nodes=2000)
    by_table, for_odds = given[-2:]
    assert for_odds < by_table
    assert len(given) == 4, "both are searched"


def test_a_table_of_few_pieces_helps_where_there_are_more(tmp_path: Path) -> None:
    """Looking two steps ahead, it keeps more values with the table than without."""
    for game in SMALL_GAMES[-2:]:
        whole = make_table(tmp_path / "whole.table", game)
        part = make_table(tmp_path / "part.table", game, budget=whole.positions // 2)
        assert isinstance(part, PliesTable)
        deepeners = AlphaBetaSearcher(game), AlphaBetaSearcher(game, tablebase_view(part))
        kept = [0, 0]
        for position in positions_with_moves(whole, 150, 6):
            value = whole.value(position).outcome
            for i, deepener in enumerate(deepeners):
                found = deepener.search(position.s, lambda seen: 1 << 20, max_depth=2)
                kept[i] += whole.after(position, game.tokens[found.action]).outcome == value
        assert kept[1] > kept[0]
