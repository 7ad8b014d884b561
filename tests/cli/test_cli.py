"""The commands: what they print, and one clear line for every mistake."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import smallchange
from smallchange.core.atomic_files import replacing
from smallchange.extras import install_hint
from tests.support.commands import RECORDS, SMALLCHANGE, output, run


def test_without_arguments_it_says_in_ten_lines_what_one_can_do() -> None:
    assert len(output().strip().splitlines()) <= 10


def test_the_games_are_listed_in_both_languages() -> None:
    for id in smallchange.games():
        assert id in output("games")
        assert smallchange.game(id).words.TITLE["ja"] in output("games", "--lang", "ja")


@pytest.mark.parametrize("id", smallchange.games())
def test_the_rules_can_be_read_in_both_languages(id: str) -> None:
    assert "Rulings" in output("rules", id, "--lang", "en")
    assert "裁定" in output("rules", id, "--lang", "ja")


@pytest.mark.parametrize("id", smallchange.games())
def test_each_games_options_are_explained(id: str) -> None:
    help = output("play", id, "--help")
    for option in smallchange.game(id).offered:
        assert "--" + option.name.replace("_", "-") in help


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("ladder", ("--bots", "--games", "--seed", "--out", "--backend", "--workers")),
        ("compare", ("--and", "--policy", "--name", "--games", "--seed", "--workers", "--json")),
        ("perft", ("--depth", "--split", "--json")),
        ("play", ("--bot", "--seat", "--deal", "--lang")),
        ("simulate", ("--games", "--policy", "--seed", "--workers", "--json", "--csv")),
        ("solve", ("--out", "--verify", "--budget", "--threads")),
    ],
)
def test_a_commands_own_options_are_explained_before_a_game_is_chosen(
    command: str, options: tuple[str, ...]
) -> None:
    help = output(command, "--help")
    assert f"Usage: smallchange {command} GAME [OPTIONS]\n" in help
    for option in (*options, f"smallchange {command} GAME --help", *smallchange.games()):
        assert option in help


def test_perft_counts_as_published() -> None:
    published = json.loads((RECORDS / "dodgem-perft.json").read_text())
    for position in published["positions"]:
        options = [f"--{name}={value}" for name, value in position["options"].items()]
        for depth in (1, 4):
            assert output("perft", "dodgem", "-d", str(depth), *options).split() == [
                str(position["counts"][depth - 1])
            ]
    split = output("perft", "dodgem", "--size", "3", "-d", "3", "--split").splitlines()
    assert split[-1] == "31"
    assert sum(int(line.split()[1]) for line in split[:-1]) == 31


def test_conformance_records_are_checked_as_they_are() -> None:
    said = output("check", *map(str, sorted(RECORDS.glob("*.jsonl"))))
    assert said.count("all as the rules have it") == len(list(RECORDS.glob("*.jsonl")))


def test_the_first_bad_step_of_a_file_is_named_and_the_others_are_still_checked(tmp_path: Path) -> None:
    good = RECORDS / "dodgem.jsonl"
    bad = tmp_path / "bad.jsonl"
    bad.write_text(good.read_text().replace('"take":"a5-b5"', '"take":"a5-c5"', 1))
    done = run("check", str(tmp_path), str(tmp_path / "nowhere"), str(bad), str(good))
    assert done.returncode == 1
    assert f"cannot read {tmp_path}: Is a directory\n" in done.stderr
    assert "nowhere: No such file or directory\n" in done.stderr
    assert "bad.jsonl: line 1: step 1: 'a5-c5' is no move of dodgem; possible now: a1-b1" in done.stderr
    assert "50 games" in done.stdout


def test_a_bad_line_among_records_is_named_by_its_place_in_the_file(tmp_path: Path) -> None:
    good = (RECORDS / "dodgem.jsonl").read_text().splitlines()[0]
    bad = tmp_path / "bad.jsonl"
    for text, place in ((f"{good}\n\nx\n", 3), (f"x\n{good}\n", 1)):
        bad.write_text(text)
        done = run("check", str(bad))
        assert done.returncode == 1
        assert f"bad.jsonl: line {place}: " in done.stderr


def test_a_list_of_possible_moves_that_lacks_one_is_named(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text((RECORDS / "dodgem.jsonl").read_text().replace('"legal":["a1-b1",', '"legal":[', 1))
    done = run("check", str(bad))
    assert done.returncode == 1
    assert "bad.jsonl: line 1: step 1: the record says ['a2-b2', " in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "chess"], "unknown game 'chess'; the games are: coin-age, "),
        (["rules", "chess"], "unknown game 'chess'"),
        (["play", "dodgem", "--size", "9"], "9 is not in the range 3 to 7"),
        (["play", "dodgem", "--seat", "blue"], "unknown seat 'blue'; the seats are: red, green"),
        (["play", "dodgem", "--seat", "red"], "name one with --bot"),
        (["play", "solo", "--bot", "greedy"], "solo is for one player"),
        (["play", "solo", "--whip"], "whip"),
        (["play", "solo", "--board", "@nowhere"], "cannot read nowhere: No such file or directory\n"),
        (["play", "coin-age", "--map", "a"], "map"),
        (["play", "dodgem", "--deal", "12"], "a deal is 32 hexadecimal digits"),
        (["show", "nowhere.txt"], "cannot read nowhere.txt"),
        (["check", str(RECORDS)], "Is a directory"),
        (["check", "--luck", str(RECORDS / "dodgem-perft.json")], "steps"),
        (["sing"], "No such command 'sing'"),
        (
            ["simulate", "dodgem", "--policy", "level9"],
            "unknown policy 'level9'; a policy is one of random, greedy",
        ),
        (["simulate", "dodgem", "--policy", ""], "unknown policy ''; a policy is one of"),
        (["simulate", "solo", "--policy", "x"], "unknown policy 'x'; a policy is one of"),
        (
            ["simulate", "dodgem", "--policy", "greedy,greedy,random"],
            "names 3 players; dodgem has",
        ),
        (["simulate", "solo", "--json", "--csv"], "--json and --csv are two forms: ask for one"),
        (["simulate", "-n", "5", "solo"], "the game comes first, then the options; not '-n'"),
        (["simulate", "dodgem", "-n", "1" + "0" * 26], "is not in the range 1 to 1,000,000,000,000"),
        (["simulate", "dodgem", "-n", "1e-6"], "'1e-6' is not a valid whole number"),
        (["simulate", "dodgem", "-n", "1.5e0"], "'1.5e0' is not a valid whole number"),
        (["solev", "dodgem"], "No such command 'solev'. Did you mean 'solve'?"),
        (["play", "dodgem", "--bot", "grady"], "Did you mean 'greedy'?"),
    ],
)
def test_a_mistake_is_one_clear_line(arguments: list[str], says: str) -> None:
    done = run(*arguments)
    about_a_file = arguments[0] in ("show", "check") or "@nowhere" in arguments
    assert done.returncode == (1 if about_a_file else 2)
    assert says in done.stderr


@pytest.mark.parametrize("command", ["play", "rules", "bots"])
def test_a_game_that_there_is_not_has_one_status(command: str) -> None:
    done = run(command, "sol")
    assert (done.returncode, done.stderr.count("unknown game 'sol'; the games are: ")) == (2, 1)


def test_a_record_is_shown_at_any_step(tmp_path: Path) -> None:
    line = (RECORDS / "dodgem.jsonl").read_text().splitlines()[0]
    file = tmp_path / "game.json"
    file.write_text(line)
    assert "Red moves from a5 to b5 [a5-b5]" in output("show", str(file), "--at", "1")
    assert "is beyond them" in run("show", str(file), "--at", "999").stderr


def test_a_record_in_json_may_have_several_lines(tmp_path: Path) -> None:
    line = (RECORDS / "dodgem.jsonl").read_text().splitlines()[0]
    file = tmp_path / "game.json"
    file.write_text(json.dumps(json.loads(line), indent=2))
    assert ": 1 game, " in output("check", str(file))
    file.write_text(f"{line}\n\n{line}\n")
    assert ": 2 games, " in output("check", str(file))
    file.write_text(json.dumps(json.loads(line), indent=2)[:-1])
    assert "expected JSON" in run("check", str(file)).stderr


def test_a_mark_of_utf_8_at_the_beginning_is_no_part_of_a_record(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    text = (RECORDS / "dodgem.jsonl").read_text().splitlines()[0]
    file.write_text(text, encoding="utf-8-sig")
    assert output("check", str(file)).endswith("all as the rules have it\n")


@pytest.mark.parametrize("command", ["show", "review", "resume", "exact"])
def test_of_several_games_in_a_file_only_some_commands_take_all(command: str) -> None:
    file = str(RECORDS / "dodgem.jsonl")
    done = run(command, file)
    assert done.returncode == 1
    takers = "only `smallchange check` and `export` take several"
    assert done.stderr == f"Error: {file}: 50 records, one a line: {takers}\n"


def test_two_pictures_are_not_written_into_one_another(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text((RECORDS / "dodgem.jsonl").read_text().splitlines()[0])
    done = run("show", str(tmp_path / "game.json"), "--svg", "-", "--png", "-")
    assert (done.returncode, done.stdout) == (2, "")
    assert "would both be written to -" in done.stderr


@pytest.mark.parametrize("form", ["svg", "png"])
def test_a_picture_does_not_take_the_place_of_its_record(form: str, tmp_path: Path) -> None:
    line = (RECORDS / "dodgem.jsonl").read_text().splitlines()[0]
    (tmp_path / "game.json").write_text(line)
    (tmp_path / "link").symlink_to("game.json")
    done = run("show", str(tmp_path / "game.json"), f"--{form}", str(tmp_path / "link"))
    assert done.returncode == 1
    assert "link is there already, and holds something else: remove it" in done.stderr
    assert (tmp_path / "game.json").read_text() == line


@pytest.mark.parametrize("form", ["svg", "png"])
def test_a_records_picture_is_written(form: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text((RECORDS / "dodgem.jsonl").read_text().splitlines()[0])
    picture = tmp_path / f"game.{form}"
    assert output("show", str(file), f"--{form}", str(picture)) == ""
    assert picture.read_bytes().startswith({"svg": b"<svg", "png": b"\x89PNG"}[form])
    assert "cannot write" in run("show", str(file), f"--{form}", str(tmp_path / "none" / "x")).stderr
    piped = subprocess.run(
        [*SMALLCHANGE, "show", str(file), f"--{form}", "-"], cwd=tmp_path, check=True, capture_output=True
    )
    assert piped.stdout == picture.read_bytes()
    assert not (tmp_path / "-").exists()


def test_a_write_that_fails_names_its_file_and_leaves_the_old_one_alone(tmp_path: Path) -> None:
    line = (RECORDS / "dodgem.jsonl").read_text().splitlines()[0]
    (tmp_path / "game.json").write_text(line)
    (tmp_path / "old.svg").write_text("<svg>old")
    full = ["bash", "-c", 'ulimit -f 1; exec "$@"', "bash", *SMALLCHANGE]
    done = subprocess.run(
        [*full, "show", "game.json", "--svg", "old.svg"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Error: cannot write old.svg: ")
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "old.svg").read_text() == "<svg>old"
    assert {file.name for file in tmp_path.iterdir()} == {"game.json", "old.svg"}


def test_a_file_is_on_disk_before_it_takes_the_old_ones_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, synced, sync = tmp_path / "it", list[str](), os.fsync
    file.write_text("old")

    def sync_and_read(number: int) -> None:
        sync(number)
        synced.append(file.read_text())

    monkeypatch.setattr(os, "fsync", sync_and_read)
    with replacing(file) as new:
        new.write(b"new")
    assert (synced, file.read_text()) == (["old"], "new")


@pytest.mark.parametrize(
    ("streams", "status", "says"),
    [
        (">/dev/full", 1, "Error: [Errno 28] No space left on device\n"),
        (">/dev/full 2>&1", 1, ""),
        (">&-", 0, ""),
        ("2>&-", 0, ""),
        ("<&-", 0, ""),
    ],
)
@pytest.mark.parametrize("command", ["play dodgem", "show $0 --svg -", "simulate dodgem -n 9 --csv"])
def test_streams_that_are_closed_or_full(
    command: str, streams: str, status: int, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path / "data"))
    file = tmp_path / "game.json"
    file.write_text((RECORDS / "dodgem.jsonl").read_text().splitlines()[0])
    line = f"{shlex.join(SMALLCHANGE)} {command} {streams}"
    done = subprocess.run(
        ["bash", "-c", line, file], input="", capture_output=True, text=True, encoding="utf-8", timeout=300
    )
    assert (done.returncode, done.stderr) == (status, says)


@pytest.mark.parametrize(
    ("encoding", "lang", "typed", "says"),
    [("latin-1", "ja", b"x", b"x???????"), ("utf-8", "en", b"\xff", b"\xef\xbf\xbd is not possible here")],
)
def test_what_an_encoding_lacks_is_a_question_mark(
    encoding: str, lang: str, typed: bytes, says: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path))
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    line = [*SMALLCHANGE, "play", "dodgem", "--lang", lang]
    assert says in subprocess.run(line, input=typed, capture_output=True, check=True, timeout=300).stdout


def test_a_device_is_written_to_and_stays_one(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text((RECORDS / "dodgem.jsonl").read_text().splitlines()[0])
    assert output("show", str(file), "--svg", "/dev/null") == ""
    assert Path("/dev/null").is_char_device()


DROPPING = """
import signal, threading
from smallchange.cli import Commands

class Freed:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

def command():
    Freed()
    threading.Event().wait(60)
    print("it went on")

signal.signal(signal.SIGINT, signal.default_int_handler)
Commands(callback=command, invoke_without_command=True).main([])
"""


def test_ctrl_c_is_heard_where_python_drops_what_is_raised() -> None:
    done = subprocess.run([sys.executable, "-c", DROPPING], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "\nAborted!\n")


def test_without_an_extra_a_command_says_what_to_install(tmp_path: Path) -> None:
    lacking = "import sys; sys.modules.update(numpy=None, starlette=None, cairosvg=None); "
    program = lacking + "from smallchange.cli import main; main()"
    line = (RECORDS / "dodgem.jsonl").read_text().splitlines()[0]
    (tmp_path / "game.json").write_text(line)
    for arguments, extra in [
        (["simulate", "dodgem"], "[fast]"),
        (["solve", "dodgem"], "[fast]"),
        (["experiment", "game.json"], "[lab]"),
        (["serve"], "[web]"),
        (["show", "game.json", "--png", "x.png"], "[png]"),
    ]:
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=300,
        )
        assert done.returncode == 1
        assert extra in done.stderr
        assert "Traceback" not in done.stderr
    bare = [sys.executable, "-c", program, "--help"]
    assert "solve" in subprocess.run(bare, check=True, capture_output=True, text=True).stdout


LACKING = """
import importlib, sys
sys.modules[sys.argv[1]] = None
for module in sys.argv[2:]:
    try:
        importlib.import_module(f"smallchange.{module}")
    except ModuleNotFoundError as error:
        print(error)
"""


@pytest.mark.parametrize(
    ("lacking", "modules", "extras"),
    [
        *(
            (
                lacking,
                "engine tablebase.exact tablebase.make_table lab.simulate lab.play_portion",
                "fast fast fast lab lab",
            )
            for lacking in ("numba", "numpy")
        ),
        ("pyarrow", "lab.experiment lab.ladder lab.results", "lab lab lab"),
        ("scipy", "lab.comparisons lab.ratings", "lab lab"),
        ("jinja2", "lab.report", "lab"),
        ("matplotlib", "lab.report", "lab"),
    ],
)
def test_without_an_extra_the_library_says_what_to_install(lacking: str, modules: str, extras: str) -> None:
    words = [sys.executable, "-c", LACKING, lacking, *modules.split()]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=True)
    said = [install_hint(lacking, extra) for extra in extras.split()]
    assert done.stdout.splitlines() == said


def test_without_dask_the_library_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['distributed'] = None; from smallchange.lab.backends import distribute; "
    )
    program += "list(distribute(abs, [1], 'dask'))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    said = f"ModuleNotFoundError: {install_hint('distributed', 'dask')}"
    assert done.stderr.splitlines()[-1] == said


def test_simulate_says_the_same_in_every_form_and_whatever_the_workers() -> None:
    asked = ["simulate", "dodgem", "--size", "3", "-n", "500", "--seed", "7", "--policy", "greedy,random"]
    said = json.loads(output(*asked, "--json"))
    wanted = {"game", "options", "policy", "n", "seed", "workers", "seconds", "games_per_s", "steps_per_s"}
    assert wanted | {"mean_steps", "outcomes", "win_rate", "score"} <= set(said)
    assert sum(said["outcomes"].values()) == said["n"] == 500
    assert set(said["win_rate"]) == {"red", "green"}
    assert said["win_rate"]["red"].keys() == {"p", "low", "high"}
    again = json.loads(output(*asked, "--json", "--workers", "3"))
    for name in ("outcomes", "mean_steps", "win_rate", "score"):
        assert again[name] == said[name]
    rows = [line.split(",") for line in output(*asked, "--csv").splitlines()]
    assert {row[0]: int(row[1]) for row in rows[1:]} == said["outcomes"]
    in_words = output(*asked)
    assert f"again: {said['command']}" in in_words
    assert output(*said["command"].split()[1:]).split("\n")[:8] == in_words.split("\n")[:8]
