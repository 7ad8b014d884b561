"""The bar that a person who waits at a terminal sees."""

import os
import pty
import subprocess
import sys
import time
from contextlib import suppress
from io import StringIO

import pytest

import smallchange
from smallchange.cli.options import progress_bar, report_compiling


@pytest.mark.parametrize(("term", "drawn"), [("xterm", True), ("dumb", False)])
def test_a_bar_is_drawn_only_where_a_terminal_can_draw_it(term: str, drawn: bool) -> None:
    mine, theirs = pty.openpty()
    words = [sys.executable, "-m", "smallchange", "simulate", smallchange.games()[0], "-n", "2000"]
    running = subprocess.Popen(
        words, stdout=subprocess.DEVNULL, stderr=theirs, env=os.environ | {"TERM": term}
    )
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # when nobody holds the terminal any more
        while True:
            shown += os.read(mine, 4096)
    os.close(mine)
    assert running.wait() == 0
    assert (b"100%" in shown) == (b"\x1b" in shown) == drawn


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_the_time_left_is_told_by_what_came_after_the_first_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first takes as long as code takes to be compiled, or is there at once from an earlier run."""
    shown, now = Terminal(), 0.0
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(time, "time", lambda: now)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar("games", 100) as advance:
        advance(0)
        now = 500.0
        advance(60)
        now = 510.0
        advance(70)
    assert "70%  00:00:30" in shown.getvalue()


def test_one_line_says_that_a_game_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    numba_compiler = pytest.importorskip("smallchange.engine.compile.numba_compiler")
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with report_compiling():
        numba_compiler.logger.info("compiling one entry point")
        numba_compiler.logger.info("compiling another")
    numba_compiler.logger.info("compiling a third")
    assert screen.getvalue().count("compiling for this processor") == 1
