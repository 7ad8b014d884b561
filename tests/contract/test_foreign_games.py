"""Games of other people: found, played, listed where they are wanted, and refused by name where they are broken."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

import smallchange
from smallchange.new_game import write_game

BROKEN = 'import nothing_of_this_name\n\nSEATS = ("one",)\n'


@pytest.fixture(scope="module")
def pig(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a game as it is written for others to begin with."""
    return write_game("pig", tmp_path_factory.mktemp("games"))


def run(*words: str, folder: Path | None, **more: str) -> subprocess.CompletedProcess[str]:
    known = {"SMALLCHANGE_GAMES": str(folder)} if folder else {}
    return subprocess.run(
        [sys.executable, *words],
        env=os.environ | {"SMALLCHANGE_LANG": "en"} | known | more,
        capture_output=True,
        text=True,
        check=False,
    )


def command(*words: str, folder: Path | None, **more: str) -> subprocess.CompletedProcess[str]:
    return run("-m", "smallchange", *words, folder=folder, **more)


def test_it_is_listed_beside_ours_by_variable_and_by_option(pig: Path) -> None:
    by_option = command("--games", str(pig), "games", folder=None)
    for listed in (command("games", folder=pig), by_option):
        assert (listed.returncode, listed.stderr) == (0, "")
        assert re.search("^pig  .*Throw a die", listed.stdout, re.MULTILINE)
        assert all(f"{id} " in listed.stdout for id in smallchange.games())


def test_only_the_chosen_ones_are_listed(pig: Path) -> None:
    assert "pig" not in command("games", folder=pig, SMALLCHANGE_FOREIGN_GAMES="none").stdout
    assert "pig" in command("games", folder=pig, SMALLCHANGE_FOREIGN_GAMES="cow, pig").stdout


def test_worker_processes_know_it(pig: Path, tmp_path: Path) -> None:
    (tmp_path / "pig.toml").write_text('n = 40\n[[grid]]\ngame = "pig"\npolicies = ["random", "greedy"]\n')
    played = command(
        "experiment",
        str(tmp_path / "pig.toml"),
        "--workers",
        "2",
        "-o",
        str(tmp_path / "pig.parquet"),
        folder=pig,
    )
    assert played.returncode == 0, played.stderr


def test_a_record_has_the_digest_of_the_rules_and_is_refused_under_others(pig: Path, tmp_path: Path) -> None:
    written = command("record", "pig", "--deal", "00" * 16, folder=pig)
    assert written.returncode == 0, written.stderr
    assert re.search(r'^\[RulesDigest "[0-9a-f]{64}"\]$', written.stdout, re.MULTILINE)
    (tmp_path / "match.txt").write_text(written.stdout)
    assert command("check", "--luck", str(tmp_path / "match.txt"), folder=pig).returncode == 0
    other = shutil.copytree(pig, tmp_path / "other")
    with (other / "smallchange_pig" / "rules.py").open("a") as rules:
        rules.write("\n")
    refused = command("check", "--luck", str(tmp_path / "match.txt"), folder=other)
    assert refused.returncode == 1
    assert "follows other rules of pig: their digest is" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("folder_name", "file", "text", "fault"),
    [
        (
            "cow",
            "model.py",
            BROKEN,
            "cow is left out: model.py cannot be loaded: ModuleNotFoundError: No module",
        ),
        ("cow", "rules.py", "def f(:\n", "cow is left out: rules.py cannot be loaded: SyntaxError: "),
        ("cow", "words.py", "1 / 0\n", "cow is left out: words.py cannot be loaded: ZeroDivisionError: "),
        ("cow", "notation.py", None, "cow is left out: notation.py is missing"),
        ("cow", "layout.py", None, "cow is left out: layout.py is missing"),
        ("dodgem", "model.py", "", "is left out: another game has its name"),
        ("Cow", "model.py", "", "Cow is left out: an id has small letters, digits and hyphens"),
    ],
)
def test_a_broken_one_is_refused_by_name_and_takes_nothing_down(
    pig: Path, tmp_path: Path, folder_name: str, file: str, text: str | None, fault: str
) -> None:
    folder = tmp_path / "games"
    shutil.copytree(pig / "smallchange_pig", folder / "pig")
    broken = shutil.copytree(pig / "smallchange_pig", folder / folder_name) / file
    if text is None:
        broken.unlink()
    elif text:
        broken.write_text(text)
    listed = command("games", folder=folder)
    assert listed.returncode == 0
    assert "pig  " in listed.stdout
    assert all(f"{id} " in listed.stdout for id in smallchange.games())
    assert fault in listed.stderr
    assert len(listed.stderr.splitlines()) == 1


@pytest.mark.server
@pytest.mark.parametrize("end", ["SystemExit(3)", "KeyboardInterrupt", "GeneratorExit"])
def test_a_server_runs_nothing_of_a_game_that_it_does_not_list(pig: Path, tmp_path: Path, end: str) -> None:
    """One that is listed, and ends Python as it is loaded, is named and left out."""
    folder = shutil.copytree(pig / "smallchange_pig", tmp_path / "games" / "cow")
    for name in ("model.py", "rules.py", "notation.py", "words.py", "__init__.py"):
        (folder / name).write_text(f"print('{name} ran', flush=True)\nraise {end}\n")
    check = ("work", "--check", "--database", f"sqlite:///{tmp_path / 'tables.db'}")
    unlisted = command(*check, folder=tmp_path / "games")
    assert "ran" not in unlisted.stdout + unlisted.stderr
    listed = command("games", folder=tmp_path / "games")
    assert listed.returncode == 0
    assert f"cow is left out: model.py cannot be loaded: {end.partition('(')[0]}: " in listed.stderr


def test_a_folder_that_is_missing_is_said(tmp_path: Path) -> None:
    listed = command("games", folder=tmp_path / "nowhere")
    assert listed.returncode == 0
    assert listed.stderr == f"{tmp_path / 'nowhere'} is left out: there is no such folder\n"


def test_it_speaks_the_languages_of_its_catalogues(pig: Path, tmp_path: Path) -> None:
    project = shutil.copytree(pig, tmp_path / "pig")
    catalogue = project / "smallchange_pig" / "locale" / "de.po"
    catalogue.parent.mkdir()
    catalogue.write_text('msgid "Pig"\nmsgstr "Böse Eins"\n', encoding="utf-8")
    assert "Böse Eins" in command("games", "--lang", "de", folder=project, PYTHONIOENCODING="utf-8").stdout


def test_a_new_game_plays_and_passes_the_suite(tmp_path: Path) -> None:
    id = "three-2-"  # with all that a name may have
    written = command("new-game", id, "-o", str(tmp_path), folder=None)
    assert written.returncode == 0, written.stderr
    project = tmp_path / id
    assert "1000" in command("simulate", id, "-n", "1000", folder=project).stdout
    suite = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "smallchange.contract")
    tested = run(*suite, "--game", id, "--rootdir", str(project), folder=project)
    assert tested.returncode == 0, tested.stdout[-2000:]


def test_figures_in_copied_files_are_of_no_other_game(tmp_path: Path) -> None:
    nim, dodgem = Path(__file__).parent / "games" / "nim", smallchange.game("dodgem").folder
    for name in ("levels.json", "win_rates.json"):
        shutil.copy(dodgem / name, shutil.copytree(nim, tmp_path / "nim", dirs_exist_ok=True))
    listed = command("bots", "nim", folder=tmp_path)
    assert "level5" in listed.stdout, listed.stderr
    assert "%" not in listed.stdout


@pytest.mark.slow
def test_five_million_steps_on_every_board_end_no_process(pig: Path) -> None:
    for folder in (pig, Path(__file__).parent / "games"):
        checked = command("check-game", str(folder), "--steps", "5e6", folder=None)
        assert (checked.returncode, checked.stderr) == (0, "")
        assert re.search(r"no fault on \d+ boards\n.* 5,0\d\d,\d{3} compiled steps\n$", checked.stdout)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Three Heaps", "an id has small letters"),
        ("dodgem", "there is a game 'dodgem' already"),
        ("../x", "an id has"),
    ],
)
def test_a_new_game_needs_a_name_of_its_own(tmp_path: Path, name: str, why: str) -> None:
    refused = command("new-game", name, "-o", str(tmp_path), folder=None)
    assert refused.returncode == 2
    assert why in refused.stderr
    assert list(tmp_path.iterdir()) == []


@contextmanager
def site(pig: Path, folder: Path, **more: str) -> Iterator[httpx.Client]:
    server = subprocess.Popen(
        [sys.executable, "-m", "smallchange", "serve", "--no-open", "--port", "0"],
        env=os.environ | {"SMALLCHANGE_GAMES": str(pig), "SMALLCHANGE_DATA": str(folder)} | more,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    address = re.match(r"Small Change is at (\S+)/ ", server.stdout.readline())
    assert address
    try:
        with httpx.Client(base_url=address[1], timeout=60) as client:
            yield client
    finally:
        server.terminate()
        server.stdout.close()
        assert server.wait(60) == 0


@pytest.mark.server
def test_a_server_lists_it_only_if_told(pig: Path, tmp_path: Path) -> None:
    with site(pig, tmp_path) as web:
        assert "/games/pig" not in web.get("/").text
        assert web.get("/games/pig").status_code == 404


@pytest.mark.server
def test_it_is_played_against_a_bot_on_a_server(pig: Path, tmp_path: Path) -> None:
    with site(pig, tmp_path, SMALLCHANGE_FOREIGN_GAMES="pig") as web:
        assert "/games/pig" in web.get("/").text
        assert web.get("/rules/pig?lang=ja").status_code == 200
        bot = Path(__file__).parents[2] / "examples" / "bot.py"
        played = run(str(bot), str(web.base_url).rstrip("/"), "pig", folder=pig)
        assert played.returncode == 0, played.stderr
        assert re.search(r"(Sun|Moon) wins with \d+ points", played.stdout)
