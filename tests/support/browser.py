"""Chromium, and a server in a process of its own that can be killed."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserType, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

CHOSEN = os.environ.get("CHROMIUM")
WHOLE = CHOSEN or shutil.which("chromium") or shutil.which("chromium-browser")
CHROMIUM = CHOSEN or shutil.which("chromium-headless-shell") or WHOLE  # half the time, as there is no window
QUIET = "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync"
HOST = "play.test"  # the server by a name, where plain http is no secure context
TIMEOUT_S = 300.0  # seconds in which the server has to answer
PATIENCE_MS = 15_000
expect.set_options(timeout=PATIENCE_MS)
ROOT = Path(__file__).parents[2]
START = """import sys
from pathlib import Path
from smallchange.server.serve import run
from smallchange.server.settings import settings
from tests.support.repeatable_deals import use_repeatable_deals
use_repeatable_deals(Path(sys.argv[1]))
run(settings())"""


class Server:
    """`smallchange`'s server on a free port. It can be killed and started again on the same port."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.database = f"sqlite:///{folder / 'tables.db'}"
        self._log = folder / "log"
        self._test_file = folder / "test"
        self.name_test("")
        self._settings = {
            "SMALLCHANGE_PORT": str(self.port),
            "SMALLCHANGE_DATABASE": self.database,
            "SMALLCHANGE_NEW_TABLES": "100000",
            "SMALLCHANGE_ARENA_PACE": "0",
            "SMALLCHANGE_PLAYING": "100000",
            "SMALLCHANGE_WATCHING": "100000",
            "SMALLCHANGE_LISTED_TABLES": "100000",
            "SMALLCHANGE_PAGES": "100000",
            "SMALLCHANGE_SOCKETS": "1000",
            "SMALLCHANGE_SIGN_INS": "1000",
            "SMALLCHANGE_CONNECTIONS": "1000",
            "SMALLCHANGE_HOSTS": HOST,
            "SMALLCHANGE_SITE": self.url,
            "SMALLCHANGE_SIGN_UPS": "1000",
            "SMALLCHANGE_BOT_SIMULATIONS": "100",  # so that bots do the same at every run
        }
        self.start()

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", START, str(self._test_file)],
                cwd=ROOT,
                env=os.environ | self._settings,
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + TIMEOUT_S
        while not self._answers():
            assert self.is_running(), self._log.read_text()
            assert time.monotonic() < until, "the server does not answer"

    def name_test(self, name: str) -> None:
        """Let the deals from now on be those of this test."""
        self._test_file.write_text(name, encoding="utf-8")

    def log_tail(self) -> str:
        """Return the end of the server's log, to tell why a page found a fault."""
        return self._log.read_text()[-5000:]

    def is_running(self) -> bool:
        return self._process.poll() is None

    def stop(self, how: int = signal.SIGTERM) -> None:
        self._process.send_signal(how)
        self._process.wait(TIMEOUT_S)

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.url}/healthz") as answer:
            return bool(answer.status == 200)
        return False


def require(path: str | None) -> str:
    if path is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no Chromium here; scripts/install gets it")
    return path


def launch(chromium: BrowserType, path: str, **how: Any) -> Browser:
    args = [*QUIET.split(), f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
    return chromium.launch(executable_path=path, args=args, **how)


def assert_fits(page: Page) -> None:
    """Wait until a page is no wider than its window: styles, scripts and what the server tells may come later."""
    with contextlib.suppress(PlaywrightTimeout):
        page.wait_for_function(
            "() => document.documentElement.scrollWidth <= innerWidth", timeout=PATIENCE_MS
        )
        return
    width = page.evaluate("document.documentElement.scrollWidth")
    raise AssertionError(f"{page.url} is {width} pixels wide")


Visitor = Callable[..., Page]
