"""A real server in a process of its own, and Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from tests.support.browser import CHROMIUM, TIMEOUT_S, Server, Visitor, launch, require


@pytest.fixture(scope="session")
def session_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture
def server(session_server: Server, request: pytest.FixtureRequest) -> Iterator[Server]:
    """Yield one server for all tests; a test that fails while it has stopped it takes it from no other."""
    session_server.name_test(request.node.name)
    yield session_server
    if not session_server.is_running():
        session_server.start()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = launch(playwright.chromium, require(CHROMIUM))
    yield browser
    browser.close()


@pytest.fixture
def visitor(browser: Browser, server: Server) -> Iterator[Visitor]:
    """Yield a maker of visitors with their own browsers; any fault on one of their pages fails the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def new_page(**look: Any) -> Page:
        chosen = {"locale": "en-US", "viewport": {"width": 1280, "height": 720}, "reduced_motion": "reduce"}
        quiet = {"base_url": server.url, "service_workers": "block"}  # or routes of a test are not asked
        contexts.append(browser.new_context(**(quiet | chosen | look)))
        contexts[-1].set_default_timeout(TIMEOUT_S * 1000)
        page = contexts[-1].new_page()
        page.on("pageerror", lambda wrong: faults.append(str(wrong)))
        page.on("response", lambda got: faults.append(f"500 {got.url}") if got.status == 500 else None)
        page.on("console", lambda said: faults.append(said.text) if _is_fault(said.text, said.type) else None)
        return page

    yield new_page
    for context in contexts:
        context.close()
    assert not faults, server.log_tail()


def _is_fault(text: str, kind: str) -> bool:
    """Return whether a message is a fault. Cut lines, missing pages and plain http are asked for by tests."""
    known = ("WebSocket", "ERR_", "404", "origin was untrustworthy")
    return kind == "error" and not any(part in text for part in known)
