"""Play at the prompt, as a person, a screen reader or a pipe does."""

import contextlib
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import smallchange
from smallchange import bots
from smallchange.core import record
from tests.support.commands import SMALLCHANGE, run_with_input, saved_matches


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Yield a home of its own, in English."""
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SMALLCHANGE_LANG", "en")
    return tmp_path


@pytest.mark.parametrize("id", smallchange.games())
def test_every_game_can_be_played_to_its_end_through_a_pipe(id: str, home: Path) -> None:
    said = run_with_input("1\n" * 3000, "play", id)
    (match,) = saved_matches(home / "data")
    assert match.over
    assert match.game.words.ending(match.game.board, match.position.s).en.split()[0] in said
    assert record.verify(next((home / "data/games").glob("*.txt")).read_text(encoding="utf-8")) == match


@pytest.mark.parametrize("id", smallchange.games())
def test_every_game_speaks_japanese(id: str, home: Path) -> None:
    said = run_with_input("1\n?\nquit\n", "play", id, "--lang", "ja", "--deal", "0" * 32)
    assert "手:" in said
    assert "続きは" in said
    assert not re.search(r"[{}]", said)


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_a_bot_plays_the_other_side(bot: str, home: Path) -> None:
    run_with_input("1\n1\nquit\n", "play", "dodgem", "--bot", bot)
    (match,) = saved_matches(home / "data")
    assert [step.actor for step in match] == ["red", "green", "red", "green"]
    assert match.seats == {"red": "", "green": bot}


def test_a_table_that_is_damaged_is_named_in_one_line(home: Path) -> None:
    table = home / "data" / "tables" / "dodgem.table"
    table.parent.mkdir(parents=True)
    table.write_bytes(b"damaged")
    words = [*SMALLCHANGE, "play", "dodgem", "--bot", bots.names()[-1]]  # here a warning would be an error
    done = subprocess.run(words, input="1\nquit\n", capture_output=True, text=True, timeout=300)
    said = done.stderr
    assert re.search(rf"^Warning: a table is left out: {re.escape(str(table))} .*\n", said, re.MULTILINE)
    assert "warnings.warn" not in said


def test_the_first_seat_may_be_the_bots(home: Path) -> None:
    run_with_input("1\nquit\n", "play", "dodgem", "--bot", "greedy", "--seat", "green")
    (match,) = saved_matches(home / "data")
    assert [step.actor for step in match] == ["red", "green", "red"]


@pytest.mark.parametrize("lines", ["", "?\n", "quit\n"])
def test_a_game_in_which_nobody_has_decided_anything_is_not_saved(lines: str, home: Path) -> None:
    said = run_with_input(lines, "play", "dodgem", "--bot", "greedy", "--seat", "green")
    assert saved_matches(home / "data") == []
    assert "resume" not in said


def test_tokens_numbers_and_words_are_understood(home: Path) -> None:
    said = run_with_input("a5-a6\n1\n?\nundo\nrules\nquit\n", "play", "dodgem")
    assert "Red moves from a5 to a6 [a5-a6]" in said
    assert "Taken back" in said
    assert "DG-1" in said
    (match,) = saved_matches(home / "data")
    assert [step.token for step in match] == ["a5-a6"]


@pytest.mark.parametrize("command", ["play dodgem", "analyse dodgem.txt --simulations 5", "trainer dodgem"])
def test_every_prompt_knows_the_same_keys(command: str, home: Path) -> None:
    match = smallchange.Match("dodgem", bytes(16))
    (home / "dodgem.txt").write_text(record.write(match), encoding="utf-8")
    typed = ["?", "", "board", "p", "points", "r", "rules", "h", "u", "Q"]
    shown = run_with_input("\n".join(typed), *command.split(), cwd=home)
    assert "is not possible here" not in shown
    assert shown.count("nothing to look up but its rules") == 2
    assert shown.count("## ") > 4


def test_what_a_japanese_keyboard_types_is_understood(home: Path) -> None:
    run_with_input("１\nａ１-b１\n？\nsave\u3000１.txt\nｑｕｉｔ\n1\n", "play", "dodgem", cwd=home)
    (match,) = saved_matches(home / "data")
    assert len(match) == 1
    assert (home / "１.txt").exists()


@pytest.mark.parametrize("columns", ["30", "39"])
def test_lines_are_as_wide_as_the_terminal_and_a_move_keeps_its_number(
    columns: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    said = run_with_input("", "play", "solo", "--deal", "0" * 32)
    moves = said[said.index("Moves: ") :].split("\n>")[0].removeprefix("Moves: ").split("\n")
    assert len(moves) > 1
    assert all(len(line) <= int(columns) for line in moves)
    for line in moves:
        assert re.fullmatch(r"\d+ \S+(  \d+ \S+)*", line)


def test_what_is_not_possible_is_said_and_changes_nothing(home: Path) -> None:
    said = run_with_input(
        "a1-f6\n99\n0000000001\n0\n-1\nundo\nsave\nsave /dev/null/x\nsave .\nsave /\nquit\n", "play", "dodgem"
    )
    assert "a1-f6 is not possible here" in said
    assert "The moves here are numbered 1 to 6; there is no 99" in said
    assert "The moves here are numbered 1 to 6; there is no 0000000001" in said
    assert "There is nothing to take back" in said
    assert "Say where" in said
    assert "Could not save to /dev/null/x: Not a directory" in said
    assert "Could not save to .: Is a directory" in said
    assert "Could not save to /: Is a directory" in said
    assert saved_matches(home / "data") == []


@pytest.mark.parametrize("id", smallchange.games())
def test_an_undo_speaks_of_luck_where_there_is_some(id: str, home: Path) -> None:
    said = run_with_input("1\nundo\nquit\n", "play", id, "--deal", "0" * 32)
    assert "Taken back to your last move." in said
    assert ("the same throws will come again" in said.replace("\n", " ")) == bool(
        smallchange.game(id).sources
    )


def test_a_game_that_was_broken_off_goes_on_with_the_same_luck(home: Path) -> None:
    whole = run_with_input("1\n" * 3000, "play", "coin-collectors", "--deal", "0" * 32)
    (match,) = saved_matches(home / "data")
    file = next((home / "data/games").glob("*.txt"))
    file.unlink()
    run_with_input("1\n", "play", "coin-collectors", "--deal", "0" * 32)
    run_with_input("1\n", "resume")
    run_with_input("1\n" * 3000, "resume", str(file))
    assert saved_matches(home / "data") == [match]
    assert "The record of this game" in whole


def test_the_words_that_go_on_with_a_game_can_be_copied_whatever_its_folder_is_called(home: Path) -> None:
    folder = home / ("a folder with blanks in its name, " * 4)
    folder.mkdir()
    file = folder / "game.txt"
    run_with_input(f"save {file}\n", "play", "dodgem")
    said = run_with_input("1\n", "resume", str(file)).splitlines()[-1]
    assert shlex.split(said)[-3:] == ["smallchange", "resume", str(file)]


def test_the_same_deal_again_is_another_game(home: Path) -> None:
    for moves in ("1\n", "1\n1\n", "1\n1\n1\n"):
        run_with_input(moves, "play", "dodgem", "--deal", "0" * 32)
    assert sorted(map(len, saved_matches(home / "data"))) == [1, 2, 3]


def test_resume_goes_on_with_the_newest_unfinished_game_and_names_what_it_cannot_read(home: Path) -> None:
    run_with_input("1\n", "play", "dodgem", "--deal", "0" * 32)
    (good,) = (home / "data/games").glob("*.txt")
    stale, bytes_only = good.with_name("stale.txt"), good.with_name("bytes.txt")
    stale.write_text(good.read_text().replace("[Rules 1]", "[Rules 99]"))
    bytes_only.write_bytes(b"\xff")
    oldest = good.with_name("oldest.txt")
    oldest.write_text("nothing")
    for age, file in enumerate([stale, bytes_only, good, oldest]):
        os.utime(file, (1e9 - age, 1e9 - age))
    said = run_with_input("quit\n", "resume")
    assert f"left out: {stale}: the record follows version 99 of the rules of dodgem; here is 1" in said
    assert f"cannot read {bytes_only}" in said
    assert f"smallchange resume {good}\n" in said
    assert "oldest.txt" not in said


def test_resume_leaves_out_links_that_lead_nowhere_and_pipes(home: Path) -> None:
    run_with_input("1\n", "play", "dodgem", "--deal", "0" * 32)
    (good,) = (home / "data/games").glob("*.txt")
    good.with_name("nowhere.txt").symlink_to("missing")
    good.with_name("loop.txt").symlink_to("loop.txt")
    os.mkfifo(good.with_name("pipe.txt"))
    said = run_with_input("quit\n", "resume")
    for name in ("nowhere.txt", "loop.txt"):
        assert f"left out: cannot read {good.with_name(name)}: " in said
    assert f"left out: {good.with_name('pipe.txt')} is not a regular file" in said
    assert f"smallchange resume {good}\n" in said


def test_a_game_that_another_terminal_went_on_with_is_not_overwritten(home: Path) -> None:
    run_with_input("1\n", "play", "dodgem", "--deal", "0" * 32)
    (file,) = (home / "data/games").glob("*.txt")
    with subprocess.Popen(
        [*SMALLCHANGE, "resume", str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdin
        assert first.stdout
        while "Moves:" not in first.stdout.readline():
            pass
        run_with_input("1\n1\n1\n", "resume", str(file))
        there = file.read_text()
        said, _ = first.communicate(f"2\nsave {home / 'mine.txt'}\nquit\n", timeout=300)
    assert "another terminal has changed this file" in " ".join(said.split())
    assert file.read_text() == there
    assert len(record.read((home / "mine.txt").read_text())) == 2


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_the_same_deal_and_choices_meet_the_same_answers_of_a_simple_bot(bot: str, home: Path) -> None:
    for _ in range(3):
        run_with_input("1\n" * 8, "play", "dodgem", "--bot", bot, "--deal", "0" * 32)
    first, *others = sorted((home / "data/games").glob("*.txt"))
    assert [other.read_bytes() for other in others] == [first.read_bytes()] * 2


@pytest.mark.parametrize("id", smallchange.games())
def test_a_game_that_was_given_up_is_shown_as_that(id: str, home: Path) -> None:
    match = smallchange.Match(smallchange.game(id), bytes(16))
    match.settle()
    match.end("resigned", match.game.seats[-1])
    file = home / "given-up.txt"
    file.write_text(record.write(match))
    assert match.ending.en in run_with_input("", "resume", str(file))


def test_a_record_is_written_only_if_it_changes_and_as_it_was(home: Path) -> None:
    match = smallchange.Match(smallchange.game("dodgem"), bytes(16))
    match.play("a1-b1")
    for name, text in [
        ("mine.txt", "# mine\n" + record.write(match)),
        ("mine.json", json.dumps(record.to_json(match), indent=2)),
    ]:
        file = home / name
        file.write_text(text)
        run_with_input("a9\nquit\n", "resume", str(file))
        assert file.read_text() == text
        run_with_input("1\nquit\n", "resume", str(file))
        assert len(record.read_any(file.read_text())) == 2
        assert file.read_text().startswith("{") == text.startswith("{")


def test_only_a_game_with_its_luck_in_a_file_can_go_on(home: Path) -> None:
    file = home / "told.txt"
    file.write_text(record.write(smallchange.Match(smallchange.game("coin-age"))))
    assert f"{file} has no deal: its luck cannot go on" in run_with_input("", "resume", str(file), status=1)
    assert "goes on in a file, where it is kept; not in -" in run_with_input(
        file.read_text(), "resume", "-", status=2
    )


def test_save_takes_the_place_of_no_other_file(home: Path) -> None:
    (home / "notes.txt").write_text("precious")
    said = run_with_input("SAVE notes.txt\nsave g.txt\n1\nsave g.txt\nQUIT\n", "play", "dodgem", cwd=home)
    assert "Could not save to notes.txt: a file that is not a record is there already" in said
    assert (home / "notes.txt").read_text() == "precious"
    assert said.count("Saved: g.txt") == 2, "of one record comes the next"
    assert "not possible" not in said


def test_save_writes_a_record_that_can_be_checked_and_resumed(home: Path) -> None:
    file = home / "mine.txt"
    run_with_input(f"1\nsave {file}\nquit\n", "play", "dodgem")
    assert "1 game, 1 step, all as the rules have it" in run_with_input("", "check", str(file))
    run_with_input("1\nquit\n", "resume", str(file))
    assert len(record.read(file.read_text(encoding="utf-8"))) == 2


def test_only_a_game_that_is_kept_is_said_to_go_on_later(home: Path) -> None:
    (home / "data").write_text("no folder")
    said = run_with_input("1\nquit\n", "play", "dodgem")
    assert "Could not save to" in said
    assert "To go on later" not in said


def test_a_closed_pipe_loses_nothing(home: Path) -> None:
    command = subprocess.Popen(
        [*SMALLCHANGE, "play", "dodgem"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert command.stdin
    assert command.stdout
    assert command.stderr
    command.stdin.write(b"1\n")
    command.stdin.flush()
    while b"moves" not in command.stdout.readline():
        pass
    command.stdout.close()
    command.stdin.write(b"1\n" * 5)
    command.stdin.close()
    assert b"Traceback" not in command.stderr.read()
    command.stderr.close()
    command.wait(timeout=300)
    (match,) = saved_matches(home / "data")
    assert len(match) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("command", ["play", "tui"])
def test_whatever_ends_the_terminal_at_a_step_the_game_goes_on_from_it(command: str, home: Path) -> None:
    words = [command, "dodgem"]
    for steps, name in enumerate(["SIGHUP", "SIGTERM", "SIGKILL"] * 2, start=1):
        mine, theirs = pty.openpty()
        environment = os.environ | {"TERM": "xterm"}
        playing = subprocess.Popen(
            [*SMALLCHANGE, *words], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
        )
        os.close(theirs)
        reader = threading.Thread(target=drain, args=(mine,), daemon=True)
        reader.start()
        while len(next(iter(saved_matches(home / "data")), ())) < steps:
            assert playing.poll() is None
            os.write(mine, b"1\r")
            with contextlib.suppress(subprocess.TimeoutExpired):
                playing.wait(0.3)
        (before,) = saved_matches(home / "data")
        playing.send_signal(getattr(signal, name))
        playing.wait(60)
        os.close(mine)
        (after,) = saved_matches(home / "data")
        assert after.steps[: len(before)] == before.steps
        words = ["resume"] if command == "play" else ["tui", *map(str, (home / "data").rglob("*.txt"))]


def drain(end: int) -> None:
    """Read what a terminal shows, until it is closed."""
    with contextlib.suppress(OSError):
        while os.read(end, 4096):
            pass


@pytest.fixture
def terminal(home: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Yield a game of Dodg'em at a terminal of its own: the process and the terminal's other end."""
    mine, theirs = pty.openpty()
    environment = os.environ | {"TERM": "dumb"}
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    command = subprocess.Popen(
        [*SMALLCHANGE, "play", "dodgem"], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    )
    signal.signal(signal.SIGINT, ours)
    os.close(theirs)
    yield command, mine
    command.wait(timeout=300)
    os.close(mine)


def read_until(end: int, words: bytes) -> bytes:
    """Wait until the terminal shows these words last; all that it has shown."""
    shown = b""
    while not shown.endswith(words):
        shown += os.read(end, 4096)
    return shown


@pytest.mark.parametrize(
    ("term", "no_color", "coloured"), [("xterm", "", True), ("xterm", "1", False), ("dumb", "", False)]
)
def test_colours_are_for_terminals_and_persons_that_want_them(
    term: str, no_color: str, coloured: bool, home: Path
) -> None:
    mine, theirs = pty.openpty()
    environment = os.environ | {"TERM": term, "NO_COLOR": no_color}
    command = [*SMALLCHANGE, "play", "dodgem"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=theirs, env=environment) as playing:
        assert (b"\x1b[" in read_until(mine, b"\r\n> ")) == coloured
        playing.communicate(b"quit\n", timeout=300)
    os.close(mine)
    os.close(theirs)


def test_ctrl_c_at_a_terminal_loses_nothing(
    terminal: tuple[subprocess.Popen[bytes], int], home: Path
) -> None:
    command, end = terminal
    read_until(end, b"\r\n> ")
    os.write(end, b"1\n")
    read_until(end, b"\r\n> ")
    command.send_signal(signal.SIGINT)
    os.write(end, b"\n")  # a signal between the prompt and the waiting for a key shows with the next key
    assert command.wait(timeout=300) == 0
    shown = os.read(end, 4096)
    assert b"smallchange resume" in shown
    assert b"Traceback" not in shown
    (match,) = saved_matches(home / "data")
    assert [step.token for step in match] == ["a1-b1"]
