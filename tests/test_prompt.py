"""Play at the prompt, as a person, a screen reader or a pipe does: the real command in its own process."""

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import smallchange
from smallchange import mind, record

SMALLCHANGE = [sys.executable, "-m", "smallchange"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, in English."""
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SMALLCHANGE_LANG", "en")
    return tmp_path


def typed(lines: str, *arguments: str, status: int = 0, cwd: Path | None = None) -> str:
    """What the command prints when these lines are typed into a pipe, both streams together."""
    done = subprocess.run(
        [*SMALLCHANGE, *arguments],
        input=lines,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=120,
        cwd=cwd,
    )
    assert "Traceback" not in done.stdout
    assert done.returncode == status, done.stdout
    return done.stdout


def kept(home: Path) -> list[smallchange.Match]:
    files = sorted((home / "data" / "games").glob("*.txt"))
    return [record.read(file.read_text(encoding="utf-8")) for file in files]


@pytest.mark.parametrize("id", smallchange.games())
def test_every_game_can_be_played_to_its_end_through_a_pipe(id: str, home: Path) -> None:
    said = typed("1\n" * 3000, "play", id)
    (match,) = kept(home)
    assert match.over
    assert match.game.words.ending(match.game.board, match.position.s).en.split()[0] in said
    assert record.verify(next((home / "data/games").glob("*.txt")).read_text(encoding="utf-8")) == match


@pytest.mark.parametrize("id", smallchange.games())
def test_every_game_speaks_japanese(id: str, home: Path) -> None:
    said = typed("1\n?\nquit\n", "play", id, "--lang", "ja", "--deal", "0" * 32)
    assert "手:" in said
    assert "続きは" in said
    assert not re.search(r"[{}]", said)


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_a_bot_plays_the_other_side(bot: str, home: Path) -> None:
    typed("1\n1\nquit\n", "play", "dodgem", "--bot", bot)
    (match,) = kept(home)
    assert [step.actor for step in match] == ["red", "green", "red", "green"]
    assert match.seats == {"red": "", "green": bot}


def test_a_table_that_is_damaged_is_named_in_one_line(home: Path) -> None:
    table = home / "data" / "tables" / "dodgem.table"
    table.parent.mkdir(parents=True)
    table.write_bytes(b"damaged")
    said = typed("1\nquit\n", "play", "dodgem", "--bot", mind.names()[-1])
    assert re.search(rf"^Warning: a table is left out: {re.escape(str(table))} .*\n", said, re.MULTILINE)
    assert "warnings.warn" not in said


def test_the_first_seat_may_be_the_bots(home: Path) -> None:
    typed("quit\n", "play", "dodgem", "--bot", "greedy", "--seat", "green")
    (match,) = kept(home)
    assert [step.actor for step in match] == ["red"]


def test_tokens_numbers_and_words_are_understood(home: Path) -> None:
    said = typed("a5-a6\n1\n?\nundo\nrules\nquit\n", "play", "dodgem")
    assert "Red moves from a5 to a6 [a5-a6]" in said
    assert "Taken back" in said
    assert "DG-1" in said
    (match,) = kept(home)
    assert [step.token for step in match] == ["a5-a6"]


def test_what_a_japanese_keyboard_types_is_understood(home: Path) -> None:
    typed("１\nａ１-b１\n？\nsave\u3000１.txt\nｑｕｉｔ\n1\n", "play", "dodgem", cwd=home)
    (match,) = kept(home)
    assert len(match) == 1
    assert (home / "１.txt").exists()


@pytest.mark.parametrize("columns", ["30", "39"])
def test_lines_are_as_wide_as_the_terminal_and_a_move_keeps_its_number(
    columns: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    said = typed("", "play", "solo", "--deal", "0" * 32)
    moves = said[said.index("Moves: ") :].split("\n>")[0].removeprefix("Moves: ").split("\n")
    assert len(moves) > 1
    assert all(len(line) <= int(columns) for line in moves)
    for line in moves:
        assert re.fullmatch(r"\d+ \S+(  \d+ \S+)*", line)


def test_what_is_not_possible_is_said_and_changes_nothing(home: Path) -> None:
    said = typed(
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
    (match,) = kept(home)
    assert len(match) == 0


@pytest.mark.parametrize("id", smallchange.games())
def test_an_undo_speaks_of_luck_where_there_is_some(id: str, home: Path) -> None:
    said = typed("1\nundo\nquit\n", "play", id, "--deal", "0" * 32)
    assert "Taken back to your last move." in said
    assert ("the same throws will come again" in said.replace("\n", " ")) == bool(
        smallchange.game(id).sources
    )


def test_a_game_that_was_broken_off_goes_on_with_the_same_luck(home: Path) -> None:
    whole = typed("1\n" * 3000, "play", "coin-collectors", "--deal", "0" * 32)
    (match,) = kept(home)
    file = next((home / "data/games").glob("*.txt"))
    file.unlink()
    typed("1\n", "play", "coin-collectors", "--deal", "0" * 32)
    typed("1\n", "resume")
    typed("1\n" * 3000, "resume", str(file))
    assert kept(home) == [match]
    assert "The record of this game" in whole


def test_the_words_that_go_on_with_a_game_can_be_copied_whatever_its_folder_is_called(home: Path) -> None:
    folder = home / ("a folder with blanks in its name, " * 4)
    folder.mkdir()
    file = folder / "game.txt"
    typed(f"save {file}\n", "play", "dodgem")
    said = typed("1\n", "resume", str(file)).splitlines()[-1]
    assert shlex.split(said)[-3:] == ["smallchange", "resume", str(file)]


def test_the_same_deal_again_is_another_game(home: Path) -> None:
    for moves in ("1\n", "1\n1\n", "1\n1\n1\n"):
        typed(moves, "play", "dodgem", "--deal", "0" * 32)
    assert sorted(map(len, kept(home))) == [1, 2, 3]


def test_resume_goes_on_with_the_newest_unfinished_game_and_names_what_it_cannot_read(home: Path) -> None:
    typed("1\n", "play", "dodgem", "--deal", "0" * 32)
    (good,) = (home / "data/games").glob("*.txt")
    stale, bytes_only = good.with_name("stale.txt"), good.with_name("bytes.txt")
    stale.write_text(good.read_text().replace("[Rules 1]", "[Rules 99]"))
    bytes_only.write_bytes(b"\xff")
    oldest = good.with_name("oldest.txt")
    oldest.write_text("nothing")
    for age, file in enumerate([stale, bytes_only, good, oldest]):
        os.utime(file, (1e9 - age, 1e9 - age))
    said = typed("quit\n", "resume")
    assert f"left out: {stale}: the record follows version 99 of the rules of dodgem; here is 1" in said
    assert f"cannot read {bytes_only}" in said
    assert f"smallchange resume {good}\n" in said
    assert "oldest.txt" not in said


@pytest.mark.parametrize("id", smallchange.games())
def test_a_game_that_was_given_up_is_shown_as_that(id: str, home: Path) -> None:
    match = smallchange.Match(smallchange.game(id), bytes(16))
    match.settle()
    match.end("resigned", match.game.seats[-1])
    file = home / "given-up.txt"
    file.write_text(record.write(match))
    assert match.ending.en in typed("", "resume", str(file))


def test_a_record_is_written_only_if_it_changes_and_as_it_was(home: Path) -> None:
    match = smallchange.Match(smallchange.game("dodgem"), bytes(16))
    match.play("a1-b1")
    for name, text in [
        ("mine.txt", "# mine\n" + record.write(match)),
        ("mine.json", json.dumps(record.to_json(match), indent=2)),
    ]:
        file = home / name
        file.write_text(text)
        typed("a9\nquit\n", "resume", str(file))
        assert file.read_text() == text
        typed("1\nquit\n", "resume", str(file))
        assert len(record.read_any(file.read_text())) == 2
        assert file.read_text().startswith("{") == text.startswith("{")


def test_only_a_game_with_its_luck_in_a_file_can_go_on(home: Path) -> None:
    file = home / "told.txt"
    file.write_text(record.write(smallchange.Match(smallchange.game("coin-age"))))
    assert f"{file} has no deal: its luck cannot go on" in typed("", "resume", str(file), status=1)
    assert "goes on in a file, where it is kept; not in -" in typed(file.read_text(), "resume", "-", status=2)


def test_save_takes_the_place_of_no_other_file(home: Path) -> None:
    (home / "notes.txt").write_text("precious")
    said = typed("SAVE notes.txt\nsave g.txt\n1\nsave g.txt\nQUIT\n", "play", "dodgem", cwd=home)
    assert "Could not save to notes.txt: there is a file that is no record" in said
    assert (home / "notes.txt").read_text() == "precious"
    assert said.count("Saved: g.txt") == 2, "of one record comes the next"
    assert "not possible" not in said


def test_save_writes_a_record_that_can_be_checked_and_resumed(home: Path) -> None:
    file = home / "mine.txt"
    typed(f"1\nsave {file}\nquit\n", "play", "dodgem")
    assert "1 game, 1 step, all as the rules have it" in typed("", "check", str(file))
    typed("1\nquit\n", "resume", str(file))
    assert len(record.read(file.read_text(encoding="utf-8"))) == 2


def test_only_a_game_that_is_kept_is_said_to_go_on_later(home: Path) -> None:
    (home / "data").write_text("no folder")
    said = typed("1\nquit\n", "play", "dodgem")
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
    command.wait(timeout=60)
    (match,) = kept(home)
    assert len(match) >= 1


@pytest.fixture
def terminal(home: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A game of Dodg'em at a terminal of its own: the process and the terminal's other end."""
    mine, theirs = pty.openpty()
    environment = os.environ | {"TERM": "dumb"}
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    command = subprocess.Popen(
        [*SMALLCHANGE, "play", "dodgem"], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    )
    signal.signal(signal.SIGINT, ours)
    os.close(theirs)
    yield command, mine
    command.wait(timeout=60)
    os.close(mine)


def heard(end: int, words: bytes) -> bytes:
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
        assert (b"\x1b[" in heard(mine, b"\r\n> ")) == coloured
        playing.communicate(b"quit\n", timeout=60)
    os.close(mine)
    os.close(theirs)


def test_ctrl_c_at_a_terminal_loses_nothing(
    terminal: tuple[subprocess.Popen[bytes], int], home: Path
) -> None:
    command, end = terminal
    heard(end, b"\r\n> ")
    os.write(end, b"1\n")
    heard(end, b"\r\n> ")
    command.send_signal(signal.SIGINT)
    os.write(end, b"\n")  # a signal between the prompt and the waiting for a key shows with the next key
    assert command.wait(timeout=60) == 0
    shown = os.read(end, 4096)
    assert b"smallchange resume" in shown
    assert b"Traceback" not in shown
    (match,) = kept(home)
    assert [step.token for step in match] == ["a1-b1"]
