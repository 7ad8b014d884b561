"""Played portions are kept until code that decides them changes: in a copy of the program, file by file."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import smallchange
from smallchange.lab.result_store import read_metadata
from smallchange.tablebase import open_table
from smallchange.tablebase.opening_book import shipped_book

HERE = Path(smallchange.__file__).parent
TWO = next(id for id in smallchange.games() if len(smallchange.Game(id).seats) == 2)
SOLVED = next(
    id for id in smallchange.games() if (smallchange.Game(id).folder / "ai" / "ranking.py").exists()
)
RULES = f"games/{TWO.replace('-', '_')}"
PROGRAM = f"""
from smallchange.lab.experiment_grid import read
for game, policy in [("{TWO}", "greedy"), ("{TWO}", "level1"), ("{SOLVED}", "level1")]:
    print(read(f"[[grid]]\\ngame = '{{game}}'\\npolicies = '{{policy}}'").portions()[0].digest)
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the program."""
    copy = tmp_path_factory.mktemp("copy") / "smallchange"
    shutil.copytree(HERE, copy, ignore=shutil.ignore_patterns("__pycache__", "static"))
    return copy


def digests(program: Path) -> list[str]:
    """Return the digests of a compiled portion, of one that asks bots, and of one with a solver's tables."""
    words = [sys.executable, "-B", "-c", PROGRAM]
    done = subprocess.run(words, cwd=program.parent, check=True, capture_output=True, text=True)
    return done.stdout.split()


@pytest.fixture(scope="module")
def before(program: Path) -> list[str]:
    return digests(program)


@pytest.mark.parametrize(
    ("file", "was", "now", "changed"),
    [
        (f"{RULES}/notation.py", '"winner": (', '"winner": ("nobody", *', [True, True, TWO == SOLVED]),
        (f"{RULES}/notation.py", '"""Return the token', '"""Give the token', [True, True, TWO == SOLVED]),
        (f"{RULES}/words.py", "TAGLINE = Text(", "TAGLINE = Text('' ", [False, False, False]),
        (f"{RULES}/model.py", "b.quiet_limit = ", "b.quiet_limit = 1 + ", [True, True, TWO == SOLVED]),
        (f"{RULES}/invariants.py", "from smallchange", "from  smallchange", [False, False, False]),
        ("lab/outcomes.py", '"won"', '"win"', [True, True, True]),
        ("lab/play_portion.py", "-1", "-2", [True, True, True]),
        ("core/state.py", "bit_count()", "bit_length()", [False, True, True]),
        (f"{RULES}/win_rates.json", "{", "{ ", [False, False, False]),
        ("tablebase/table.py", "from __future__", "from  __future__", [False, False, True]),
        ("bots/engines/greedy.py", "from __future__", "from  __future__", [False, True, True]),
    ],
)
def test_changed_code_changes_the_digest_of_what_it_decides(
    file: str, was: str, now: str, changed: list[bool], program: Path, before: list[str]
) -> None:
    text = (program / file).read_text("utf-8")
    assert was in text
    (program / file).write_text(text.replace(was, now, 1), "utf-8")
    try:
        after = digests(program)
    finally:
        (program / file).write_text(text, "utf-8")
    assert [one != other for one, other in zip(before, after, strict=True)] == changed


def test_what_players_with_tables_did_is_played_again_when_another_table_is_there(tmp_path: Path) -> None:
    """Where a table is so small that it is made at once, it is so before the first game."""
    file, data = tmp_path / "small.toml", {"SMALLCHANGE_DATA": str(tmp_path / "data")}
    file.write_text('n = 1\npolicies = "level4"\n[[grid]]\ngame = "dodgem"\noptions = {size = [3, 6]}\n')

    def command_output(*words: str) -> str:
        line = [sys.executable, "-m", "smallchange", *words]
        done = subprocess.run(line, env=os.environ | data, check=True, capture_output=True, text=True)
        return done.stdout

    def run_again() -> tuple[str, dict[str, str]]:
        out = tmp_path / "small.parquet"
        now = command_output("experiment", str(file), "-o", str(out), "--workers", "1")
        return now.split(" cells, ")[1].split()[0], (read_metadata(out) or {})["tables"]

    first, tables = run_again()
    small, large = repr(smallchange.game("dodgem", size=3)), repr(smallchange.game("dodgem"))
    book = shipped_book(smallchange.game("dodgem"))
    assert book is not None
    assert (first, set(tables), tables[large]) == ("2", {small, large}, book.header["digest"])
    assert run_again() == ("0", tables)
    command_output("solve", "dodgem", "--budget", "1")
    again, others = run_again()
    assert (again, others[small]) == ("1", tables[small])
    made = {open_table(path).header["digest"] for path in (tmp_path / "data" / "tables").glob("*.table")}
    assert set(others.values()) == made
