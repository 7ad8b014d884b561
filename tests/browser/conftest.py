"""A real server in a process of its own, and Chromium."""

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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect, sync_playwright

CHOSEN = os.environ.get("CHROMIUM")
WHOLE = CHOSEN or shutil.which("chromium") or shutil.which("chromium-browser")
CHROMIUM = CHOSEN or shutil.which("chromium-headless-shell") or WHOLE  # half the time, as there is no window
QUIET = "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync"
HOST = "play.test"  # the server by a name, where plain http is no secure context
PATIENCE = 30.0  # seconds in which the server has to answer
expect.set_options(timeout=15_000)  # what comes late on busy cores is no fault
START = (
    "from smallchange.web.serve import run; from smallchange.web.settings import settings; run(settings())"
)


class Server:
    """`smallchange`'s server on a free port. It can be killed and started again on the same port."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = folder / "log"
        self._settings = {
            "SMALLCHANGE_PORT": str(self.port),
            "SMALLCHANGE_DATABASE": f"sqlite:///{folder / 'tables.db'}",
            "SMALLCHANGE_NEW_TABLES": "100000",
            "SMALLCHANGE_PLAYING": "100000",
        }
        self.start()

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", START], env=os.environ | self._settings, stdout=log, stderr=log
            )
        until = time.monotonic() + PATIENCE
        while not self._answers():
            assert self.is_running(), self._log.read_text()
            assert time.monotonic() < until, "the server does not answer"

    def is_running(self) -> bool:
        return self._process.poll() is None

    def stop(self, how: int = signal.SIGTERM) -> None:
        self._process.send_signal(how)
        self._process.wait(PATIENCE)

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.url}/healthz") as answer:
            return bool(answer.status == 200)
        return False


@pytest.fixture(scope="session")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture
def server(lasting: Server) -> Iterator[Server]:
    """One server for all tests; a test that fails while it has stopped it takes it away from no other."""
    yield lasting
    if not lasting.is_running():
        lasting.start()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launched(playwright.chromium, needed(CHROMIUM))
        yield browser
        browser.close()


def needed(path: str | None) -> str:
    if path is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no Chromium here; scripts/install gets it")
    return path


def launched(chromium: BrowserType, path: str, **how: Any) -> Browser:
    args = [*QUIET.split(), f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
    return chromium.launch(executable_path=path, args=args, **how)


Visitor = Callable[..., Page]


@pytest.fixture
def visitor(browser: Browser, server: Server) -> Iterator[Visitor]:
    """Makes somebody with a browser of their own; any fault on one of their pages fails the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def come(**look: Any) -> Page:
        chosen = {"locale": "en-US", "viewport": {"width": 1280, "height": 720}, "reduced_motion": "reduce"}
        contexts.append(browser.new_context(**({"base_url": server.url} | chosen | look)))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda wrong: faults.append(str(wrong)))
        page.on("console", lambda said: faults.append(said.text) if _is_fault(said.text, said.type) else None)
        return page

    yield come
    for context in contexts:
        context.close()
    assert not faults


def _is_fault(text: str, kind: str) -> bool:
    """A cut line, a page that is not there and plain http are reported as errors, and tests ask for them."""
    known = ("WebSocket", "ERR_", "404", "origin was untrustworthy")
    return kind == "error" and not any(part in text for part in known)
