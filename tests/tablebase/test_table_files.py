"""The table that fits a game is found in the folder; one that is no good is left out, and said to be."""

import os
from pathlib import Path

import pytest

from smallchange.core.game import Game
from smallchange.tablebase import find_table, solvable, tables_folder
from smallchange.tablebase.make_table import make_table

from .small_games import smallest


@pytest.fixture(params=solvable())
def game(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Return a game with two tables where they are looked for: of all its positions, and of some."""
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path))
    tables_folder().mkdir()
    game = smallest(request.param)
    whole = make_table(file(game, "whole"), game)
    make_table(file(game, "part"), game, budget=whole.positions // 2)
    return game


def file(game: Game, name: str) -> Path:
    return tables_folder() / f"{game.id}-{name}.table"


def spoil(file: Path, at: int) -> None:
    """Change one byte of a file, so that neither its length nor its time tells."""
    times, content = file.stat(), bytearray(file.read_bytes())
    content[at] ^= 1
    file.write_bytes(content)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def test_a_damaged_table_is_left_out_with_a_warning(game: Game) -> None:
    spoil(file(game, "whole"), -20)
    with pytest.warns(RuntimeWarning, match="left out: .*whole.table is damaged: its digest") as said:
        found = find_table(game)
    assert len(said) == 1
    assert found is not None
    assert game.start() not in found


def test_a_file_is_read_whole_once_until_it_changes(game: Game) -> None:
    assert game.start() in (find_table(game) or ())
    spoil(file(game, "whole"), -20)
    assert game.start() in (find_table(game) or ()), "it was read again"
    os.utime(file(game, "whole"), (1, 1))
    with pytest.warns(RuntimeWarning, match="whole.table is damaged"):
        assert game.start() not in (find_table(game) or ())


def test_a_file_that_cannot_be_read_is_left_out_with_a_warning(game: Game) -> None:
    file(game, "whole").unlink()
    file(game, "whole").mkdir()
    with pytest.warns(RuntimeWarning, match=r"left out: .*whole\.table"):
        assert find_table(game) is not None


def test_a_folder_that_cannot_be_read_is_no_folder_without_tables(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path / "another"))
    assert find_table(game) is None
    (tmp_path / "another").mkdir()
    tables_folder().write_text("in the way of the folder")
    with pytest.warns(RuntimeWarning, match="left out: .*another/tables"):
        assert find_table(game) is None
