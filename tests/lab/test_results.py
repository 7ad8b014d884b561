"""Results that are damaged, or of somebody else: never read as if they were whole."""

import re
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import smallchange
from smallchange import BadExperiment
from smallchange.cli import main
from smallchange.lab.experiment import Run, run
from smallchange.lab.experiment_grid import read
from smallchange.lab.result_store import SCHEMA, games_in, with_metadata
from smallchange.lab.results import read_results

GAME = smallchange.games()[-1]
ROW = {"game": GAME, "options": "{}", "policy": "random", "seed": 1, "number": 0, "outcome": "won"}
ROWS = pa.Table.from_pylist([{**ROW, "winner": 0, "steps": 3, "scores": [1]}] * 20, SCHEMA)
EXPERIMENT = read(f'n = 3_000\n[[grid]]\ngame = "{GAME}"\npolicies = "random"\n')


def run_experiment(out: Path) -> Run:
    return run(EXPERIMENT, out, "smallchange experiment small.toml", workers=1)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("whole") / "small.parquet"
    run_experiment(out)
    return out


@pytest.fixture
def results(whole: Path, tmp_path: Path) -> Path:
    """Results with their parts and times, to do harm to."""
    out = tmp_path / "small.parquet"
    out.write_bytes(whole.read_bytes())
    parts = out.with_suffix(".parts")
    parts.mkdir()
    for part in whole.with_suffix(".parts").iterdir():
        (parts / part.name).write_bytes(part.read_bytes())
    out.with_suffix(".times.json").write_bytes(whole.with_suffix(".times.json").read_bytes())
    return out


def flip_bit(content: bytes, bit: int) -> bytes:
    harmed = bytearray(content)
    harmed[bit // 8] ^= 1 << bit % 8
    return bytes(harmed)


def test_no_flipped_bit_is_read_as_other_games(whole: Path, tmp_path: Path) -> None:
    content, (games, _) = whole.read_bytes(), games_in(whole)
    luck, harmed = Random(1), tmp_path / "harmed.parquet"
    refused = []
    for _ in range(100):
        harmed.write_bytes(flip_bit(content, luck.randrange(8 * len(content))))
        try:
            read_results(harmed)
            assert games_in(harmed)[0].equals(games)
        except BadExperiment as wrong:
            refused.append(str(wrong))
    assert len(refused) > 80
    assert all(str(harmed) in wrong for wrong in refused)


def test_no_flipped_bit_of_the_footer_changes_what_is_said_or_how_many_games_there_are(
    tmp_path: Path,
) -> None:
    """It has no checksum of Parquet's: each bit of a title, of all numbers of games, and some others."""
    file, harmed = tmp_path / "small.parquet", tmp_path / "harmed.parquet"
    pq.write_table(with_metadata(ROWS, {"title": "odds"}), file, write_page_checksum=True)
    content, (games, said) = file.read_bytes(), games_in(file)
    end = len(content) - 8
    begin = end - int.from_bytes(content[-8:-4], "little")
    title, games_there = content.index(b'{"title": "odds"}'), 2 * len(ROWS)  # as the footer writes numbers
    bytes_ = {*range(title, title + 17), *(i for i in range(begin, end) if content[i] == games_there)}
    bits = {8 * i + k for i in bytes_ for k in range(8)}
    for bit in [*bits, *range(8 * begin, 8 * end, 61)]:
        harmed.write_bytes(flip_bit(content, bit))
        with suppress(BadExperiment):
            read, told = games_in(harmed)
            assert (told, read.equals(games)) == (said, True), bit


def test_damaged_results_are_made_anew_from_the_parts(results: Path, whole: Path) -> None:
    results.write_bytes(flip_bit(whole.read_bytes(), 8 * 1000))
    report = CliRunner().invoke(main, ["report", str(results)])
    assert (report.exit_code, report.stderr.count("\n")) == (1, 1)
    assert f"{results} is damaged: " in report.stderr
    assert run_experiment(results).games_played == 0
    assert results.read_bytes() == whole.read_bytes()


def test_results_that_were_cut_off_are_damaged_ones(results: Path, whole: Path) -> None:
    results.write_bytes(whole.read_bytes()[:2000])
    report = CliRunner().invoke(main, ["report", str(results)])
    said = f"Error: {results} is damaged: smallchange experiment, called again, mends it\n"
    assert (report.exit_code, report.stderr) == (1, said)
    assert run_experiment(results).games_played == 0
    assert results.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("kind", ["parquet", "text"])
def test_no_file_of_somebody_else_is_written_over(kind: str, tmp_path: Path) -> None:
    out = tmp_path / "small.parquet"
    if kind == "parquet":
        pq.write_table(pa.table({"mine": [1]}), out)
    else:
        out.write_text("mine")
    before = out.read_bytes()
    with pytest.raises(
        BadExperiment, match=r"small\.parquet holds no results .*: remove it and run the command"
    ):
        run_experiment(out)
    assert out.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["small.parquet"]


def test_other_results_take_the_place_of_earlier_ones(results: Path) -> None:
    for beside in (results.with_suffix(".times.json"), *results.with_suffix(".parts").iterdir()):
        beside.unlink()
    results.with_suffix(".parts").rmdir()
    assert run(read(EXPERIMENT.text.replace("3_000", "30")), str(results), workers=1).n == 30
    assert len(games_in(results)[0]) == 30


def test_there_is_at_least_one_worker(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="workers must be a whole number from 1 on"):
        run(EXPERIMENT, tmp_path / "small.parquet", workers=0)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"cells": 3}', '{"cells": [{}]}'])
def test_seconds_that_cannot_be_read_are_written_anew(text: str, results: Path, whole: Path) -> None:
    times = results.with_suffix(".times.json")
    times.write_text(text)
    assert read_results(results).seconds == {}
    assert run_experiment(results).games_played == 0
    assert times.read_bytes() == whole.with_suffix(".times.json").read_bytes()


def test_a_folder_in_the_place_of_the_seconds_is_named(results: Path) -> None:
    times = results.with_suffix(".times.json")
    times.unlink()
    times.mkdir()
    assert read_results(results).seconds == {}
    with pytest.raises(IsADirectoryError, match=re.escape(str(times))):
        run_experiment(results)


def with_column(games: pa.Table, name: str, column: Any) -> pa.Table:
    return games.set_column(games.column_names.index(name), name, column)


def change_metadata(change: Any) -> Any:
    return lambda games: with_metadata(games, change)


def change_column(name: str, text: str) -> Any:
    """Return a column of words with another word in it."""
    return lambda games: with_column(
        games, name, pa.array([text] * len(games), games.schema.field(name).type)
    )


@pytest.mark.parametrize(
    ("harm", "wrong"),
    [
        (lambda games: games.drop_columns("steps"), ""),
        (lambda games: with_column(games, "steps", pa.array(["few"] * len(games))), ""),
        (lambda games: with_column(games, "steps", pa.nulls(len(games), pa.int32())), "not whole"),
        (
            lambda games: with_column(games, "scores", pa.array([[]] * len(games), pa.list_(pa.int64()))),
            "reshape",
        ),
        (lambda games: games.slice(0, 0), "it has no games"),
        (change_metadata([]), ""),
        (change_metadata({}), "it does not say its title"),
        (change_column("game", "chess"), "unknown game 'chess'"),
        (change_column("options", "[]"), r"options are a table, not \[\]"),
        (change_column("options", '{"x": 1}'), "unknown option 'x'"),
        (change_column("options", "{"), "Expecting property name"),
    ],
)
def test_a_file_of_somebody_else_is_refused_in_one_line(
    harm: Any, wrong: str, results: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.parquet"
    pq.write_table(harm(pq.read_table(results)), other)
    done = CliRunner().invoke(main, ["report", str(other)])
    assert done.exit_code == 1
    assert re.fullmatch(
        rf"Error: .*other\.parquet holds no results of an experiment .*{wrong}.*\n", done.stderr
    )


def test_fewer_games_than_the_experiment_had_are_refused_in_one_line(results: Path) -> None:
    pq.write_table(pq.read_table(results).slice(0, 10), results)
    done = CliRunner().invoke(main, ["report", str(results)])
    assert (done.exit_code, done.stderr) == (1, f"Error: {results} is damaged: it has 10 games, not 3,000\n")


def test_no_command_writes_over_what_it_reads(results: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    grid = tmp_path / "grid.parquet"
    grid.write_text(EXPERIMENT.text)
    kept = results.read_bytes()
    for words in (
        ["experiment", str(grid)],
        ["experiment", str(grid), "-o", "./grid.parquet"],
        ["report", str(results), "-o", str(results)],
    ):
        done = CliRunner().invoke(main, words)
        assert re.search("remove it and run the command again|would hold HTML", done.stderr)
    assert (grid.read_text(), results.read_bytes()) == (EXPERIMENT.text, kept)


@pytest.mark.parametrize("name", ["", "small.toml", "res.v1"])
def test_results_have_one_ending(name: str, tmp_path: Path) -> None:
    """Else two of them could have the same parts and seconds."""
    file = tmp_path / "small.toml"
    file.write_text(EXPERIMENT.text)
    for words in (["experiment", str(file)], ["ladder", GAME]):
        done = CliRunner().invoke(main, [*words, "-o", name])
        assert done.exit_code == 2
        assert "results are a file NAME.parquet, not " in done.stderr
