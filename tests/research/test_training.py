"""The command that learns: what it writes, and what it says when it cannot."""

import re
from dataclasses import asdict
from pathlib import Path

import pytest
from click.testing import CliRunner

import smallchange
from research.__main__ import main
from research.train import parse_training_plan
from smallchange.engine.search.value_weights import has_features, read_weights

GAMES = smallchange.games()
LEARNABLE = [id for id in GAMES if has_features(smallchange.game(id))]
TINY = {"games": 2, "heuristic_games": 2, "batch": 1, "width": 1, "depth": 1, "hidden": 2}
SHORT = [word for name, number in TINY.items() for word in ("--set", f"{name}={number}")]


@pytest.mark.parametrize("id", LEARNABLE)
def test_what_was_learned_is_a_file_that_says_how(id: str, tmp_path: Path) -> None:
    file = tmp_path / "learned.json"
    done = CliRunner().invoke(main, ["train", id, "--seed", "5", "--out", str(file), *SHORT])
    assert done.exit_code == 0, done.output
    assert "weights after 2 games" in done.output
    made = read_weights(smallchange.game(id), file).provenance
    assert made["seed"] == 5
    assert made["command"] == f"python -m research train {id} --seed 5 {' '.join(SHORT)}"


@pytest.mark.parametrize("id", LEARNABLE)
def test_learning_on_begins_with_the_values_there_are(id: str, tmp_path: Path) -> None:
    game, file = smallchange.game(id), tmp_path / "learned.json"
    words = ["--set", "games=2", "--set", "batch=1", "--set", "width=1", "--set", "depth=1"]
    done = CliRunner().invoke(main, ["train", id, "--seed", "5", "--out", str(file), "--on", *words])
    assert done.exit_code == 0, done.output
    before, after = read_weights(game), read_weights(game, file)
    assert not (after.first == before.first).all()
    assert after.first == pytest.approx(before.first, abs=0.05)
    assert after.provenance["games"] == before.provenance["games"] + 2
    said = f"{before.provenance['command']} && python -m research train {id} --seed 5 --on {' '.join(words)}"
    assert after.provenance["command"] == said


def test_what_only_a_beginner_needs_is_refused_for_learning_on(tmp_path: Path) -> None:
    file = tmp_path / "learned.json"
    for word in ("heuristic_games=2", "hidden=2", "blend=1", "max_scale=1"):
        words = ["--on", "--out", str(file), "--set", word]
        done = CliRunner().invoke(main, ["train", LEARNABLE[0], *words])
        assert done.exit_code == 2
        name = word.split("=")[0]
        assert done.output == f"Error: --set {name} is for learning from nothing, not for --on\n"
    assert not file.exists()


@pytest.mark.parametrize("word", ["games", "hope=3"])
def test_a_name_that_is_none_or_without_a_number_is_refused_in_one_line(word: str) -> None:
    done = CliRunner().invoke(main, ["train", LEARNABLE[0], "--set", word])
    assert done.exit_code == 2
    assert "--set takes NAME=NUMBER, the names being heuristic_games, games" in done.output
    assert len(done.output.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("games=0", "from 1 to 1,000,000,000"),
        ("games=-5", "from 1 to 1,000,000,000"),
        ("games=many", "from 1 to 1,000,000,000"),
        ("games=2.5", "from 1 to 1,000,000,000"),
        ("hidden=0", "from 1 to 1,024"),
        ("hidden=100000000000", "from 1 to 1,024"),
        ("random_moves=99999999999999999999", "from 0 to 1,024"),
        ("learning_rate=nan", "from 0 to 1"),
        ("learning_rate=fast", "from 0 to 1"),
        ("learning_rate=1e300", "from 0 to 1"),
        ("trace_decay=5", "from 0 to 1"),
        ("blend=7", "from 0 to 1"),
        ("batch=101", "from 1 to 100"),
        ("depth=65", "from 1 to 64"),
    ],
)
def test_a_number_that_is_out_of_bounds_is_refused_before_anything_is_written(
    word: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "learned.json"
    done = CliRunner().invoke(main, ["train", LEARNABLE[0], "--out", str(file), "--set", word])
    assert done.exit_code == 2
    assert re.match(f"Error: --set {word.split('=')[0]} is a (whole )?number {said}, not ", done.output)
    assert len(done.output.strip().splitlines()) == 1
    assert not file.exists()


def test_more_games_between_two_steps_than_there_are_games_are_refused(tmp_path: Path) -> None:
    words = ["--out", str(tmp_path / "learned.json"), "--set", "games=9", "--set", "batch=10"]
    done = CliRunner().invoke(main, ["train", LEARNABLE[0], *words])
    assert done.exit_code == 2
    assert done.output == "Error: --set batch is no more than the games, 9, not 10\n"


def test_fewer_games_than_usual_between_two_steps_need_not_be_said() -> None:
    assert (
        parse_training_plan(["games=3"], False).batch,
        parse_training_plan(["games=3", "batch=2"], False).batch,
    ) == (3, 2)
    assert parse_training_plan(["games=9"], False).batch == parse_training_plan([], False).batch


def test_every_number_that_can_be_set_stands_in_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "laboratory.md").read_text(encoding="utf-8")
    for name, usual in asdict(parse_training_plan([], False)).items():
        if name not in ("width", "depth"):
            assert f"| `{name}` | {usual:g} |" in text
    assert "| `width`, `depth` | 16, 6 |" in text


def test_a_game_without_features_says_so() -> None:
    for id in set(GAMES) - set(LEARNABLE):
        done = CliRunner().invoke(main, ["train", id])
        assert done.exit_code == 1
        assert "has no ai/features.py" in done.output


@pytest.mark.parametrize("where", ["none/learned.json", "file/learned.json"])
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_learned(
    where: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    done = CliRunner().invoke(main, ["train", LEARNABLE[0], "--out", str(tmp_path / where)])
    assert done.exit_code == 1
    why = {"none": "No such file or directory", "file": "Not a directory"}[where.split("/")[0]]
    assert done.output == f"Error: cannot write {tmp_path / where}: {why}\n", "it names no draft"


@pytest.mark.parametrize("text", ["a drawing", '{"game": "solo"}', "[]"])
def test_only_learned_values_are_written_over(text: str, tmp_path: Path) -> None:
    file = tmp_path / "learned.json"
    file.write_text(text)
    words = ["train", LEARNABLE[0], "--out", str(file), *SHORT]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1
    assert done.output.startswith(
        f"Error: {file} is there already, and holds something else: remove it and run the command again, or "
    )
    assert file.read_text() == text
    file.unlink()
    assert [CliRunner().invoke(main, words).exit_code for _ in range(2)] == [0, 0]


def test_nothing_that_bots_go_by_is_written_unless_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    id = LEARNABLE[0]
    beside = smallchange.game(id).folder / "values.json"
    before = beside.read_bytes()
    done = CliRunner().invoke(main, ["train", id, *SHORT])
    assert done.exit_code == 0, done.output
    assert [file.name for file in tmp_path.iterdir()] == [f"{id}-values.json"]
    assert beside.read_bytes() == before
    done = CliRunner().invoke(main, ["train", id, "--install", "--out", "x.json"])
    assert done.exit_code == 2
    assert "--install says where the file goes" in done.output
