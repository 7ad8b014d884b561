"""The command that solves."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import smallchange
from smallchange.cli import main
from smallchange.core.game import Game
from smallchange.tablebase import find_table, open_table, solvable, tables_folder
from smallchange.tablebase.make_table import make_table

from .small_games import smallest


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["solve", *arguments])


def options(game: Game) -> list[str]:
    return [
        word
        for name, value in game.non_default_options.items()
        for word in (f"--{name.replace('_', '-')}", str(value))
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


def test_a_board_too_large_for_the_memory_is_refused_with_what_it_needs() -> None:
    ran = run("dodgem", "--memory", "1000")
    assert ran.exit_code == 2
    assert "positions need 7.6 GB of memory, and there are 1.0; a smaller --size has fewer" in ran.output


def test_counts_are_told_to_programs() -> None:
    ran = CliRunner().invoke(main, ["solve", "dodgem", "--size", "3", "--start", "crosswise", "--json"])
    told = json.loads(ran.stdout)
    assert {
        name: told[name] for name in ("positions", "won", "drawn", "lost", "ended", "start", "plies")
    } == {
        "positions": 1332,
        "won": 803,
        "drawn": 0,
        "lost": 529,
        "ended": 0,
        "start": "win",
        "plies": 19,
    }
    assert told["seconds"] > 0
    assert told["peak_memory_mb"] > 10
    words = ["solve", "dodgem", "--size", "3", "--start", "crosswise", "--blocked", "wins", "--json"]
    assert json.loads(CliRunner().invoke(main, words).stdout)["ended"] == 4, "blocked players that have won"


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
    assert damaged.output.endswith("; remove it and run the command again, or name another file with --out\n")


@pytest.mark.parametrize("id", solvable())
def test_a_part_is_made_whole_where_the_whole_is_asked_for(id: str, tmp_path: Path) -> None:
    game, file = smallest(id), tmp_path / "solved.table"
    whole = make_table(file, game).positions
    make_table(file, game, budget=whole // 2)
    assert open_table(file).positions < whole
    again = run(id, *options(game), "--out", str(file))
    assert again.exit_code == 0, again.output
    assert f"{whole:,} positions" in again.output
    assert open_table(file).positions == whole


@pytest.mark.parametrize("id", solvable())
@pytest.mark.parametrize("where", ["file/solved.table"])
def test_a_file_that_cannot_be_written_is_said_in_one_line(id: str, where: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    refused = run(id, *options(smallest(id)), "--out", str(tmp_path / where))
    assert refused.exit_code == 1
    assert refused.output.startswith(f"Error: cannot write {tmp_path / where}: ")
    assert refused.output.count("\n") <= 2


def test_games_with_too_many_positions_to_list_are_refused() -> None:
    refused = run("thrag")
    assert refused.exit_code == 2
    assert refused.output.startswith("Error: more than 50,000 positions come up in ")


def test_every_move_of_a_small_board_is_explored_without_a_table_made_before() -> None:
    start = smallchange.game("dodgem", size=3, start="crosswise").start().key()
    ran = CliRunner().invoke(main, ["exact", start])
    assert ran.exit_code == 0, ran.output
    first, *moves = ran.output.splitlines()
    assert first == "red to move: won in 19"
    assert len(moves) == len(smallchange.Position.parse(start).legal())
    assert moves[0].split()[1:] == ["won", "in", "19"]
    told = json.loads(CliRunner().invoke(main, ["exact", start, "--json"]).stdout)
    assert (told["outcome"], told["plies"], told["moves"][0]["plies"]) == ("win", 19, 19)


def test_a_large_board_is_explored_by_its_opening_book_and_what_makes_its_table_is_said() -> None:
    start = smallchange.game("dodgem").start().key()
    ran = CliRunner().invoke(main, ["exact", start])
    assert ran.exit_code == 0, ran.output
    assert ran.output.startswith("red to move: drawn\n")
    late = "dodgem / turn=0 coins=1,2 quiet=0 plies=0 winner=0 reason=0"
    ran = CliRunner().invoke(main, ["exact", late])
    assert ran.exit_code == 1
    assert "than this opening book goes; `smallchange solve dodgem` makes the whole table\n" in ran.output
