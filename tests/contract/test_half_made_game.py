"""A folder with a model, rules and a notation alone plays from Python, and nothing else breaks."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import smallchange

FILES = ("model.py", "rules.py", "notation.py")
MISSING = "words.py, layout.py, ai/heuristic.py, rulebook.en.md"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the package with a folder `half_made` beside the games."""
    package, folder = Path(smallchange.__file__).parent, tmp_path_factory.mktemp("site")
    shutil.copytree(package, folder / "smallchange", ignore=shutil.ignore_patterns("__pycache__", "tests"))
    games = folder / "smallchange" / "games"
    (games / "half_made").mkdir()
    for name in FILES:
        shutil.copy(games / "dodgem" / name, games / "half_made" / name)
    return folder


def run(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        env=os.environ | {"PYTHONPATH": str(site), "SMALLCHANGE_LANG": "en"},
        capture_output=True,
        text=True,
        check=False,
    )


def command(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run(site, "-m", "smallchange", *words)


def test_it_plays_from_python(site: Path) -> None:
    code = """import smallchange
position = smallchange.game("half-made", size=3).start()
while position.actor:
    assert smallchange.Position.parse(position.key()) == position
    position.play(position.legal()[0])
print(position.result["reason"], position._repr_svg_())"""
    played = run(site, "-c", code)
    assert (played.returncode, played.stdout, played.stderr) == (0, "quiet None\n", "")


def test_games_lists_the_others_and_names_the_missing_files_in_one_line(site: Path) -> None:
    listed = command(site, "games")
    assert listed.returncode == 0
    assert all(f"{id} " in listed.stdout for id in smallchange.games())
    assert "half-made" not in listed.stdout
    assert listed.stderr == f"half-made is left out: {MISSING} are missing\n"


@pytest.mark.parametrize("words", [("bots",), ("play", "--help"), ("simulate", "--help")])
def test_other_lists_leave_it_out_without_a_word(site: Path, words: tuple[str, ...]) -> None:
    listed = command(site, *words)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert all(id in listed.stdout for id in smallchange.games())
    assert "half-made" not in listed.stdout


@pytest.mark.parametrize("words", [("play", "half-made"), ("bots", "half-made"), ("rules", "half-made")])
def test_a_command_that_needs_more_names_the_missing_files(site: Path, words: tuple[str, ...]) -> None:
    refused = command(site, *words)
    assert refused.returncode == 2
    assert (
        refused.stderr.splitlines()[-1]
        == f"Error: the game 'half-made' cannot be played: {MISSING} are missing"
    )


@pytest.fixture(scope="module")
def web(site: Path) -> Iterator[httpx.Client]:
    server = subprocess.Popen(
        [sys.executable, "-m", "smallchange", "serve", "--no-open", "--port", "0"],
        env=os.environ | {"PYTHONPATH": str(site), "SMALLCHANGE_DATA": str(site / "data")},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    address = re.match(r"Small Change is at (\S+)/ ", server.stdout.readline())
    assert address
    with httpx.Client(base_url=address[1], timeout=300) as client:
        yield client
    server.terminate()
    server.stdout.close()
    assert server.wait(60) == 0


@pytest.mark.server
def test_the_lobby_lists_the_others(web: httpx.Client) -> None:
    lobby = web.get("/")
    assert lobby.status_code == 200
    assert all(f"/games/{id}" in lobby.text for id in smallchange.games())
    assert "half-made" not in lobby.text


@pytest.mark.server
def test_a_page_and_a_table_of_it_are_refused(web: httpx.Client) -> None:
    assert web.get("/games/half-made").status_code == 404
    refused = web.post("/api/matches", json={"game": "half-made"})
    assert refused.status_code in (400, 409, 422)
    assert "words.py" in refused.text
