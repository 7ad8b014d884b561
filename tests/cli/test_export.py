"""The command that writes a match for other programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import smallchange
from smallchange import Match, record
from smallchange.cli import main
from smallchange.contract.piecepack_reader import read


def save_match(folder: Path, id: str) -> Path:
    match = Match(smallchange.game(id), bytes(16))
    match.settle()
    match.play(match.position.legal()[0])
    file = folder / "game.txt"
    file.write_text(record.write(match), encoding="utf-8")
    return file


def export(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["export", *map(str, arguments)])


def test_the_ending_of_the_file_chooses_the_form(tmp_path: Path) -> None:
    game = save_match(tmp_path, "dodgem")
    for form, begins in (("svg", b"<svg "), ("ppn", b"---\n")):
        out = tmp_path / f"out.{form}"
        done = export(game, "-o", out)
        assert done.exit_code == 0, done.output
        assert out.read_bytes().startswith(begins)
    assert read((tmp_path / "out.ppn").read_text(encoding="utf-8")).piles[-1]


def test_a_form_can_be_named_for_standard_output(tmp_path: Path) -> None:
    done = export(save_match(tmp_path, "solo"), "-o", "-", "--format", "ppn")
    assert done.exit_code == 0
    assert "SetUp: None" in done.output


@pytest.mark.parametrize(
    ("game", "arguments", "status", "says"),
    [
        ("dodgem", ["-o", "match.txt"], 2, "svg, gif, ppn"),
        ("dodgem", ["-o", "out.svg", "--from", "9"], 2, "steps 0 to 1"),
        ("dodgem", ["-o", "out.ppn", "--to", "1"], 2, "all steps"),
        ("coin-age", ["-o", "out.ppn"], 1, "not played with a piecepack"),
    ],
)
def test_a_wish_that_cannot_be_met_is_one_line(
    game: str, arguments: list[str], status: int, says: str, tmp_path: Path
) -> None:
    done = export(
        save_match(tmp_path, game), *[a if a[0] == "-" or "." not in a else tmp_path / a for a in arguments]
    )
    assert done.exit_code == status
    assert says in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["sheet", "solo", "-o", "x.pdf"], "x.pdf would hold HTML: name it NAME.html"),
        (["report", "no.parquet", "-o", "x.svg"], "x.svg would hold HTML: name it NAME.html"),
        (
            ["record", "solo", "-o", "x.csv"],
            "x.csv would hold a record: name it NAME.txt or NAME.json or NAME.jsonl",
        ),
        (["show", "-", "--png", "x.svg"], "x.svg would hold PNG: name it NAME.png"),
    ],
)
def test_an_ending_of_another_form_is_refused(words: list[str], says: str) -> None:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert says in done.output


@pytest.mark.parametrize(
    ("words", "again"),
    [
        ("record solo -o", True),
        ("record solo -n 2 -o", True),
        ("sheet solo -o", True),
        ("show game.txt --svg", True),
        ("show game.txt --png", True),
        *((f"export game.txt --format {form} -o", True) for form in ("svg", "gif", "ppn", "csv", "parquet")),
        ("report small.parquet -o", True),
        ("experiment small.toml -o", False),
        ("ladder solo --bots random,greedy -n 2 -o", False),
        ("solve dodgem --size 3 -o", True),
        ("design solo -o", False),
        ("server dump", False),
        ("static -o", False),
    ],
)
def test_no_command_replaces_a_file_of_another_form(
    words: str, again: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save_match(tmp_path, "solo").rename("game.txt")
    Path("small.toml").write_text('n = 2\n[[grid]]\ngame = "solo"\n', encoding="utf-8")
    ending = {"experiment": ".parquet", "ladder": ".parquet", "design": ".html"}.get(words.split()[0], "")
    file = Path(name := f"it{ending}")
    if words.startswith("report"):
        assert CliRunner().invoke(main, ["experiment", "small.toml", "--workers", "1"]).exit_code == 0
    if words.startswith("static"):
        file.mkdir()
        file = file / "index.html"
    file.write_text("precious")
    done = CliRunner().invoke(main, [*words.split(), name])
    assert done.exit_code == 1, done.output
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    assert file.read_text() == "precious"
    if again:
        file.unlink()
        codes = [CliRunner().invoke(main, [*words.split(), name]).exit_code for _ in range(2)]
        assert codes == [0, 0]


def test_a_file_that_cannot_be_read_has_one_exit_status(tmp_path: Path) -> None:
    for command in ("experiment", "report", "show", "check", "review"):
        for file in ("nowhere.txt", str(tmp_path)):
            assert CliRunner().invoke(main, [command, file]).exit_code == 1, command
