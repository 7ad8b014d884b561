"""Offline play in Chromium with the network cut: whole games of the three, then their records at the server."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.support.browser import Server
from tests.support.play import FOR_ONE

LONGEST_MS = 60_000  # for what a busy machine has to fetch, load or draw


@pytest.fixture(scope="module")
def scripts(session_server: Server) -> None:
    """Let the server make the scripts, which takes seconds the first time."""
    httpx.get(f"{session_server.url}/offline/python.js", timeout=300).raise_for_status()


@pytest.fixture
def cut_off(browser: Browser, server: Server, scripts: None) -> Iterator[BrowserContext]:
    """Yield a browser that keeps the games, and has no network."""
    context = browser.new_context(
        base_url=f"http://localhost:{server.port}", locale="en-US", reduced_motion="reduce"
    )
    context.set_default_timeout(LONGEST_MS)
    page = context.new_page()
    page.goto("/offline")
    page.get_by_role("button", name="Keep the games").click()
    expect(page.get_by_text("The games are kept.")).to_be_visible(timeout=LONGEST_MS)
    context.set_offline(True)
    yield context
    context.close()


def play_to_the_end(page: Page) -> None:
    """Take the first move that the page offers until the game is over."""
    listed = page.locator("#actions button[name=token]:not([value=marks])")
    while not page.locator(".result").count():
        ply = page.locator("#table-data").get_attribute("data-ply")
        if not listed.count():  # pieces are to be marked first
            for id in (page.locator(".sets li").first.get_attribute("data-marks") or "").split():
                page.locator(f"input[name=marks][value='{id}']").check(force=True)
        (listed if listed.count() else page.locator("#marked")).first.dispatch_event("click")
        page.locator(f"#table-data:not([data-ply='{ply}'])").wait_for(state="attached")


@pytest.mark.slow
@pytest.mark.parametrize("game", FOR_ONE[1:])
def test_a_whole_game_without_a_network_is_brought_and_checked(cut_off: BrowserContext, game: str) -> None:
    faults: list[str] = []
    page = cut_off.new_page()
    page.on("pageerror", lambda wrong: faults.append(str(wrong)))
    page.goto("/anywhere")
    expect(page.get_by_text("You are offline")).to_be_visible()
    page.locator(f"a[href='/m/offline-{game}']").click()
    page.locator("#connection[data-is=open]").wait_for(state="attached")
    first = page.locator("#table-data").get_attribute("data-ply")
    play_to_the_end(page)
    said = page.locator(".result").inner_text()
    page.reload()
    expect(page.locator(".result")).to_have_text(said)
    assert first != page.locator("#table-data").get_attribute("data-ply")

    cut_off.set_offline(False)
    page.goto("/offline")
    page.get_by_role("button", name="Save it to your games").click()
    expect(page.get_by_text("Played offline:")).to_be_visible()
    expect(page.locator(".result")).to_have_text(said)
    page.goto("/mine")
    expect(page.get_by_text("played offline")).to_be_visible()
    assert not faults
