"""All commands share their names of options, help, JSON, exit statuses and completion."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result

import smallchange
from smallchange.cli import COMMANDS, main
from smallchange.cli.admin import admin
from smallchange.cli.options import SEED, PerGame, WholeNumber
from smallchange.cli.play import check_opponent
from smallchange.cli.record import bots_match
from smallchange.cli.server import ServerCommands
from smallchange.contract.check import TAKEN
from smallchange.core import record
from smallchange.render.text_screen import wide
from tests.support.commands import output

JSON_COMMANDS = {
    "bots", "check", "compare", "exact", "experiment", "games", "ladder", "perft", "record", "review",
    "server doctor", "server tables", "simulate", "solve",
}  # fmt: skip
OUTPUT_COMMANDS = {
    "design",
    "experiment",
    "export",
    "ladder",
    "new-game",
    "record",
    "report",
    "sheet",
    "solve",
    "static",
}


NAMES = [*COMMANDS, *(f"server {name}" for name in ServerCommands.modules)]


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def commands() -> Iterator[tuple[str, list[click.Option]]]:
    for name in NAMES:
        command: click.Command | None = main
        for word in name.split():
            assert isinstance(command, click.Group)
            command = command.get_command(click.Context(command), word)
        assert command is not None
        own = command.own if isinstance(command, PerGame) else command.params
        yield name, [param for param in own if isinstance(param, click.Option)]


def test_one_thing_has_one_name_in_every_command() -> None:
    for name, options in commands():
        flags = {flag: option for option in options for flag in option.opts}
        assert "--processes" not in flags, name
        for flag in ("-o", "--out"):
            assert (flag in flags) == (name in OUTPUT_COMMANDS), name
        if "--seed" in flags:
            assert flags["--seed"].type is SEED, name
        if "--threads" in flags:
            assert "--workers" in flags, name
        assert ("--json" in flags) >= (name in JSON_COMMANDS), name
        assert all(option.help for option in options), name


def test_no_option_of_a_game_can_have_the_name_of_one_of_a_command() -> None:
    found = (main.get_command(click.Context(main), name) for name in NAMES)
    per_game = [command for command in found if isinstance(command, PerGame)]
    assert len(per_game) > 5
    flags = {
        flag.lstrip("-").replace("-", "_") for command in per_game for one in command.own for flag in one.opts
    }
    assert flags - {"d"} <= TAKEN


def test_help_has_each_command_under_a_heading_and_its_whole_first_sentence() -> None:
    said = output("--help").partition("\nGames:\n")[2]
    assert re.findall(r"^  ([a-z-]+)  ", said, re.M) == list(COMMANDS)
    assert "..." not in said
    assert "Measure:" in said


@pytest.mark.parametrize("name", NAMES)
def test_help_has_a_short_name_everywhere(name: str) -> None:
    done = invoke(*name.split(), "-h")
    assert done.exit_code == 0
    assert done.output.startswith("Usage: main" if "main" in done.output[:12] else "Usage: ")
    assert done.output == invoke(*name.split(), "--help").output


@pytest.mark.parametrize(
    ("written", "number"), [("1e5", 100_000), ("2.5e3", 2_500), ("100_000", 100_000), ("12", 12)]
)
def test_a_count_can_be_written_short(written: str, number: int) -> None:
    assert WholeNumber(1, 10**12).convert(written, None, None) == number


@pytest.mark.parametrize("written", ["1.5", "1e-2", "1.23e1", "e5", "1e99", "ten"])
def test_what_is_no_count_is_refused(written: str) -> None:
    with pytest.raises(click.BadParameter):
        WholeNumber(1, 10**12).convert(written, None, None)


def completions(*words: str) -> set[str]:
    shell = ShellComplete(main, {}, "smallchange", "_SMALLCHANGE_COMPLETE")
    return {item.value for item in shell.get_completions(list(words[:-1]), words[-1])}


def test_a_shell_completes_commands_games_levels_boards_and_options() -> None:
    assert {"simulate", "sheet", "show", "solve"} <= completions("s")
    for command in ("play", "rules", "bots", "sheet"):
        assert completions(command, "") >= set(smallchange.games())
    assert completions("play", "dodgem", "--bot", "level") == {f"level{i}" for i in range(1, 6)}
    assert completions("play", "solo", "--board", "") == {"rectangle", "galaxy"}
    assert "--free-moves" in completions("play", "solo", "--f")


def test_figures_of_games_and_records_are_json_where_asked(tmp_path: Path) -> None:
    told = json.loads(invoke("games", "--json").output)
    assert [game["id"] for game in told] == smallchange.games()
    match = smallchange.Match(smallchange.game("dodgem", size=3), bytes(16))
    match.play("a2-b2")
    file = tmp_path / "game.txt"
    file.write_text(smallchange.record.write(match), encoding="utf-8")
    said = json.loads(invoke("check", str(file), "--json").output)
    assert (said["games"], said["steps"]) == (1, 1)


@pytest.mark.parametrize(
    ("name", "place"),
    [("backup", "server backup"), ("verify", "check --luck"), ("explore", "exact"), ("simulat", "simulate")],
)
def test_a_name_that_has_gone_or_is_mistyped_is_answered_by_the_one_to_use(name: str, place: str) -> None:
    done = invoke(name)
    assert (done.exit_code, done.output.splitlines()[-1]) == (
        2,
        f"Error: No such command '{name}'. Did you mean '{place}'?",
    )
    assert len(COMMANDS) <= 30


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["simulate", "solo", "--whip"], 2),
        (["simulate", "solo", "--policy", "nobody"], 2),
        (["play", "sole"], 2),
        (["check", "nowhere.txt"], 1),
        (["games"], 0),
    ],
)
def test_bad_use_ends_with_2_and_failure_with_1(arguments: list[str], status: int) -> None:
    assert invoke(*arguments).exit_code == status


def test_a_reader_that_has_enough_ends_a_command_as_it_ends_other_programs() -> None:
    command = [sys.executable, "-m", "smallchange", "games"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(60) == 141


def test_every_help_has_its_sentences_where_python_drops_docstrings() -> None:
    code = "from tests.cli.test_conventions import every_help; print(every_help(), end='')"
    done = subprocess.run(
        [sys.executable, "-OO", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout == every_help()


def every_help() -> str:
    """Return the help of every command, of those within a command, and of a command with a game."""
    names = [[], ["play", "dodgem"], *(name.split() for name in NAMES)]
    names += [["server", "admin", name] for name in admin.commands]
    return "\n".join(invoke(*words, "--help").output for words in names)


def test_the_page_of_commands_and_the_manual_are_as_the_help_says() -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, root / "scripts" / "cli_page.py", "--check"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr


def test_options_that_change_nothing_on_the_board_are_named() -> None:
    words = ["perft", "solo", "-d", "1", "--hole", "fly", "--stack-free-moves"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0
    assert done.stderr == "note: --hole has no effect on this board\n"
    assert CliRunner().invoke(main, ["perft", "solo", "-d", "1"]).stderr == ""


def test_the_roles_that_can_be_named_are_those_that_are_played() -> None:
    from smallchange.cli.work import work
    from smallchange.server.database.role import RoleName

    (named,) = [parameter.type for parameter in work.params if parameter.name == "roles"]
    assert isinstance(named, click.Choice)
    assert tuple(named.choices) == tuple(RoleName)


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        ("coin-collectors --rolls 3 --stud", "--rolls has no effect with --stud"),
        ("solo --stack-free-moves --free-moves 1", "--stack-free-moves has no effect with --free-moves 1"),
        ("solo --free-moves 12", "--free-moves 12 is --free-moves 8 on this board"),
        ("solo --hole fly", "--hole has no effect on this board"),
        ("thrag --weapons acs", ""),
    ],
)
def test_the_cause_is_named_where_an_option_changes_nothing(arguments: str, note: str) -> None:
    done = invoke("simulate", *arguments.split(), "-n", "1", "--policy", "random")
    assert done.exit_code == 0
    assert done.stderr == (f"note: {note}\n" if note else "")


@pytest.mark.parametrize("id", smallchange.games())
@pytest.mark.parametrize("lang", ["en", "ja", "de"])
def test_rules_end_with_advice_and_a_list_of_games_names_designers(id: str, lang: str) -> None:
    game = smallchange.game(id)
    rules = "".join(invoke("rules", id, "--lang", lang).output.split())
    assert len(game.advice) >= 3
    assert all("".join(f"- {one[lang]}".split()) in rules for one in game.advice)
    listed = "".join(invoke("games", "--lang", lang).output.split())
    assert "".join(game.words.DESIGNER[lang].split()) in listed


def test_a_seat_may_be_tossed_for() -> None:
    game = smallchange.game("dodgem")
    tossed = {tuple(check_opponent(game, "random", "random", "en")) for _ in range(60)}
    assert tossed == {("red",), ("green",)}
    said = (
        CliRunner()
        .invoke(main, ["play", "dodgem", "--bot", "random", "--seat", "random"], input="quit\n")
        .output
    )
    assert said.startswith("The toss: you are ")


def test_maps_that_are_layouts_of_ours_are_told_so_in_the_terminal() -> None:
    said = " ".join(invoke("play", "coin-age", "--help").output.split())
    assert all(f"{name} (by Small Change)" in said for name in ("frozen", "lagoon", "volcano"))


PROMPTS = [*(f"play {id}" for id in smallchange.games()), "trainer solo", "analyse RECORD"]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("name", [*PROMPTS, "show RECORD", "check --luck RECORD", "exact RECORD --at 2"])
def test_nothing_but_a_board_is_wider_than_the_terminal(
    width: int, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("SMALLCHANGE_DATA", "data")
    monkeypatch.chdir(tmp_path)
    match = bots_match(smallchange.game("dodgem", size=3), ["greedy"], bytes(16))
    Path("RECORD").write_text(record.write(match), encoding="utf-8")
    lang = ("en", "de", "ja")[width // 20 % 3]
    languages = [] if name.startswith(("check", "exact")) else ["--lang", lang]
    typed = "?\npoints\nnonsense\n1\n?\nquit\n"
    done = CliRunner().invoke(main, [*name.split(), *languages], input=typed)
    assert done.exit_code == 0, done.output
    shown = (line.lstrip(">").removeprefix(" ") for line in done.stdout.splitlines())
    lines = [line for line in shown if wide(line) > width and ".txt" not in line]
    assert not [line for line in lines if re.search(r"[a-zäöüß]{3}|[ぁ-ん]", line)]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_is_read_breaks_between_words_at_any_width(
    width: int, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {name: output(*name.split(), "--lang", lang) for name in ("games", "bots", "rules dodgem")} | {
        "": output()
    }
    monkeypatch.setenv("COLUMNS", str(width))
    for name, text in whole.items():
        shown = output(*name.split(), *(["--lang", lang] if name else []))
        assert max(map(wide, shown.splitlines())) <= width, name
        assert "".join(shown.split()) == "".join(text.split()), name
        if lang == "en":
            assert shown.split() == text.split(), name
