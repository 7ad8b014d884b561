"""The package is whole: what `pip install .` installs serves its pages, away from here, and lets a bot move."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import venv
from collections.abc import Iterator
from pathlib import Path
from sysconfig import get_path
from typing import Any
from zipfile import ZipFile

import httpx
import pytest

from smallchange.core.game import Game, games
from smallchange.server.web.frame import PREVIEW_FILE

ROOT = Path(__file__).parents[2]
# of what is run here, which must not find the checkout
OUTSIDE = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def build(kind: str, folder: Path) -> Path:
    words = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    subprocess.run(words, cwd=ROOT, check=True)
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment with nothing but the wheel, which finds what that needs in the one here."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv")
    python = folder / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(python)]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", str(wheel)], check=True)
    (site,) = folder.glob("venv/lib/*/site-packages")
    (site / "others.pth").write_text(get_path("purelib"))
    return folder


def test_every_file_of_the_package_but_its_tests_is_in_the_wheel(wheel: Path) -> None:
    games = ROOT / "src" / "smallchange" / "games"
    files = [
        path
        for path in (ROOT / "src").rglob("*")
        if path.is_file()
        and "__pycache__" not in path.parts
        and not (games in path.parents and "tests" in path.relative_to(games).parts)
    ]
    with ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if ".dist-info/" not in name}
    manual = {name for name in names if name.endswith("/data/share/man/man1/smallchange.1")}
    assert len(manual) == 1
    assert names - manual == {path.relative_to(ROOT / "src").as_posix() for path in files}


def test_a_wheel_is_built_alike_each_time(wheel: Path, tmp_path: Path) -> None:
    assert build("wheel", tmp_path).read_bytes() == wheel.read_bytes()


def test_the_source_distribution_has_all_that_its_tests_read(tmp_path: Path) -> None:
    folders = ("bench", "deploy", "docs", "examples", "research", "scripts", "src", "tests", "tools")
    left_out = {"__pycache__", "node_modules"}
    files = {path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()}
    expected = {path.relative_to(ROOT).as_posix() for path in files if not left_out & {*path.parts}}
    with tarfile.open(build("sdist", tmp_path)) as packed:
        names = {name.split("/", 1)[1] for name in packed.getnames()}
    assert expected <= names
    assert {
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "pyproject.toml",
        ".dockerignore",
    } <= names


@pytest.fixture(scope="module")
def web(installed: Path) -> Iterator[httpx.Client]:
    """Yield the server that the installed command starts, asked as a browser does that reads Japanese."""
    data = {"SMALLCHANGE_DATA": str(installed / "data")}
    words = [str(installed / "venv" / "bin" / "smallchange"), "serve", "--no-open", "--port", "0"]
    server = subprocess.Popen(words, cwd=installed, env=OUTSIDE | data, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    found = re.match(r"Small Change is at (\S+)/ ", server.stdout.readline())
    assert found
    with httpx.Client(base_url=found[1], headers={"Accept-Language": "ja"}, timeout=300) as client:
        yield client
    server.terminate()
    server.stdout.close()
    assert server.wait(60) == 0


def test_the_wheel_is_what_is_run(installed: Path) -> None:
    words = [
        str(installed / "venv" / "bin" / "python"),
        "-c",
        "import smallchange; print(smallchange.__file__)",
    ]
    done = subprocess.run(words, cwd=installed, env=OUTSIDE, check=True, capture_output=True, text=True)
    assert Path(done.stdout).is_relative_to(installed)


@pytest.mark.parametrize("id", games())
def test_its_pages_have_all_that_they_name(id: str, web: httpx.Client) -> None:
    named = {f"/games/{id}/{file.name}" for file in Game(id).folder.glob(PREVIEW_FILE)}
    for path in ("/", f"/games/{id}", f"/rules/{id}", f"/m/{open_table(web, id)['match']}"):
        page = there(web, path)
        assert 'lang="ja"' in page
        named.update(re.findall(r'(?:src|href)="(/static/[^"]+)"', page))
    assert len(named) > 3
    for path in named:
        there(web, path)


@pytest.mark.parametrize("id", [id for id in games() if len(Game(id).seats) == 2])
def test_a_bot_answers_there(id: str, web: httpx.Client) -> None:
    first, second = Game(id).seats
    made = open_table(web, id, **{first: "bot:greedy", second: "me"})
    with web.stream("GET", f"/api/matches/{made['match']}/stream") as events:
        for line in events.iter_lines():
            if line.startswith("data: ") and json.loads(line[6:])["actor"] != first:
                break
    assert web.get(f"/api/matches/{made['match']}").json()["tokens"]


def open_table(web: httpx.Client, id: str, **seats: str) -> dict[str, Any]:
    made: dict[str, Any] = web.post("/api/matches", json={"game": id, "seats": seats}).json()
    return made


def there(web: httpx.Client, path: str) -> str:
    answer = web.get(path)
    assert answer.status_code == 200, path
    return answer.text
