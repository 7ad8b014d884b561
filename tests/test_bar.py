"""The bar that a person who waits at a terminal sees."""

import os
import pty
import subprocess
import sys
from contextlib import suppress

import pytest

import smallchange


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
