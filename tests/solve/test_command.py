"""The command that solves."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import smallchange
from smallchange.cli import main
from smallchange.game import Game
from smallchange.solve import find_table, open_table, solvable, tables_folder
from smallchange.solve.make import make_table

from .test_table import smallest


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["solve", *arguments])


def options(game: Game) -> list[str]:
    return [
        word for name, value in game.chosen.items() for word in (f"--{name.replace('_', '-')}", str(value))
    ]


@pytest.fixture(autouse=True)
def kept_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path / "kept"))


@pytest.mark.parametrize("id", solvable())
def test_a_solved_game_is_kept_where_bots_look_and_proved(id: str) -> None:
    game = smallest(id)
    ran = run(id, *options(game), "--verify")
    assert ran.exit_code == 0, ran.output
    assert "proved in" in ran.output
    assert f"start: {game.start().actor} to move, a " in ran.output
    table = find_table(game)
    assert table is not None
    assert game.start() in table
    again = run(id, *options(game))
    assert again.exit_code == 0
    assert "solved in" not in again.output


def test_what_a_table_leaves_out_is_said_and_makes_no_other() -> None:
    ran = run("dodgem", "--size", "3", "--quiet-limit", "4")
    assert ran.exit_code == 0, ran.output
    assert "left out: quiet_limit" in ran.output
    again = run("dodgem", "--size", "3").output
    assert "left out" not in again
    assert "solved in" not in again
    assert [file.name for file in tables_folder().iterdir()] == ["dodgem-size=3.table"]


def test_how_a_board_too_large_has_fewer_positions_is_said() -> None:
    ran = run("dodgem")
    assert ran.exit_code == 1
    assert "; a smaller --size has fewer, and a budget (--budget MB) takes those of few pieces" in ran.output


@pytest.mark.parametrize("id", solvable())
def test_a_damaged_or_foreign_file_is_refused_in_one_line(id: str, tmp_path: Path) -> None:
    game, file = smallest(id), tmp_path / "solved.table"
    assert run(id, *options(game), "--out", str(file)).exit_code == 0
    assert open_table(file).game == game
    foreign = run(id, "--out", str(file))
    file.write_bytes(file.read_bytes()[:-2])
    damaged = run(id, *options(game), "--out", str(file))
    for refused, why in ((foreign, "is a table of"), (damaged, "is damaged")):
        assert refused.exit_code == 1
        assert why in refused.output
        assert len(refused.output.strip().splitlines()) == 1
    assert damaged.output.endswith("; remove it and call this again, or name another file with --out\n")


@pytest.mark.parametrize("id", solvable())
def test_a_part_is_made_whole_where_the_whole_is_asked_for(
    id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game too large to be solved whole keeps its part: nothing more can be had."""
    game, file = smallest(id), tmp_path / "solved.table"
    whole = make_table(file, game).positions
    make_table(file, game, budget=whole // 2)
    with monkeypatch.context() as small:
        small.setattr("smallchange.solve.make.MOST", whole - 1)
        assert "solved in" not in run(id, *options(game), "--out", str(file)).output
    again = run(id, *options(game), "--out", str(file))
    assert again.exit_code == 0, again.output
    assert f"{whole:,} positions" in again.output
    assert open_table(file).positions == whole


@pytest.mark.parametrize("id", solvable())
@pytest.mark.parametrize("where", ["file/solved.table", "folder/solved.table"])
def test_a_file_that_cannot_be_written_is_said_in_one_line(id: str, where: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "folder" / "solved.table.part").parent.mkdir()
    (tmp_path / "folder" / "solved.table.part").write_text("in the way of the levels")
    refused = run(id, *options(smallest(id)), "--out", str(tmp_path / where))
    assert refused.exit_code == 1
    assert refused.output.startswith(f"Error: cannot write {tmp_path / where}: ")
    assert refused.output.count("\n") <= 2


def test_games_that_cannot_be_solved_say_which_can() -> None:
    for id in smallchange.games():
        if id not in solvable():
            refused = run(id)
            assert refused.exit_code == 1
            assert (
                refused.output
                == f"Error: {id} cannot be solved; the games that can are: {', '.join(solvable())}\n"
            )
