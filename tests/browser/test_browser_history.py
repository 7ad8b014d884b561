"""The browser's own Back and Forward: the same seat, the same position, and one plays on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from smallchange.server.web.security import SECURITY_HEADERS
from tests.server.serving import serving
from tests.support.browser import WHOLE, Visitor, launch, require
from tests.support.play import (
    WITHOUT_CHANCE,
    at_one_screen,
    invite,
    moved_on,
    ply,
    sit_down,
    some_moves,
    unfold,
    wait_for_connection,
)

GAME = WITHOUT_CHANCE  # with a size


@pytest.fixture(scope="module")
def browser(browser: Browser) -> Iterator[Browser]:
    """Yield a browser that keeps left pages, as people's do and Playwright's does not."""
    forgetful = ["--disable-back-forward-cache"]
    keeping = launch(browser.browser_type, require(WHOLE), ignore_default_args=forgetful)
    yield keeping
    keeping.close()


def back(page: Page) -> None:
    page.go_back(wait_until="commit")


def two(visitor: Visitor, **look: str) -> tuple[Page, Page]:
    """Return two pages at one table; the first of them is to move."""
    ann, bo = visitor(**look), visitor(**look)
    sit_down(bo, invite(ann, GAME, "Ann"))
    expect(ann.locator("#seats")).to_contain_text("Bo")
    return ann, bo


def test_who_comes_back_to_the_table_sits_there_still_and_plays_on(visitor: Visitor) -> None:
    ann, bo = two(visitor)
    for link in ("Small Change", "New game", "Your games"):
        table, since, you = ann.url, ply(ann), ann.locator("#viewer").inner_text()
        ann.get_by_role("banner").get_by_role("link", name=link).click()
        expect(ann.locator("#board")).to_have_count(0)
        back(ann)
        wait_for_connection(ann)
        assert (ann.url, ply(ann), ann.locator("#viewer").inner_text()) == (table, since, you)
        expect(ann.get_by_text("No connection")).to_be_hidden()
        some_moves(ann, 1)
        moved_on(bo, since)
        some_moves(bo, 1)
        moved_on(ann, since + 1)


def test_a_table_that_the_browser_has_kept_shows_what_has_happened_since(
    visitor: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As browsers do that keep also what is not to be stored."""
    monkeypatch.setitem(SECURITY_HEADERS, "Cache-Control", "no-cache")
    with serving(tmp_path) as served:
        ann, bo = two(visitor, base_url=served.url)
        ann.evaluate(
            "addEventListener('pageshow', ({ persisted }) => (document.cookie = `kept=${persisted}`))"
        )
        some_moves(ann, 1)
        ann.get_by_role("banner").get_by_role("link", name="Small Change").click()
        expect(ann.locator("#board")).to_have_count(0)
        other = ann.context.new_page()
        other.goto("/about")
        other.get_by_role("button", name="Dark").click()
        expect(other.locator("html")).to_have_attribute("data-theme", "dark")
        some_moves(bo, 1)
        back(ann)
        expect(ann.locator("#log li")).to_have_count(2)
        expect(ann.locator("html")).to_have_attribute("data-theme", "dark")
        assert "kept=true" in ann.evaluate("document.cookie"), "or there is nothing to see here"
        expect(ann.get_by_text("No connection")).to_be_hidden()
        some_moves(ann, 1)
        expect(bo.locator("#log li")).to_have_count(3)


def test_a_step_that_one_looked_at_is_shown_again_and_now_is_one_click_away(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, GAME)
    some_moves(page, 3)
    page.get_by_role("link", name="First").click()
    expect(page.locator("#table-data")).to_have_attribute("data-at", "0")
    back(page)
    expect(page).to_have_url(re.compile("/games/"))
    page.go_forward(wait_until="commit")
    wait_for_connection(page)
    expect(page.locator("#table-data")).to_have_attribute("data-at", "0")
    page.get_by_role("link", name="Back to now").click()
    expect(page.locator("#table-data")).to_have_attribute("data-at", "3")
    some_moves(page, 1)
    expect(page.locator("#log li")).to_have_count(4)


def test_back_from_a_new_table_the_options_and_their_picture_are_as_they_were_chosen(
    visitor: Visitor,
) -> None:
    page = visitor()
    page.goto(f"/games/{GAME}?size=4")
    unfold(page)
    chosen = page.locator("#picture").inner_html()
    pictured = "chosen => document.getElementById('picture').innerHTML === chosen"
    page.goto(f"/games/{GAME}")
    unfold(page)
    page.locator("[name=size]").fill("4")
    page.wait_for_function(pictured, arg=chosen)
    for seat in page.locator("select[name^='seat.']").all():
        seat.select_option("me")
    page.get_by_role("button", name="Play", exact=True).click()
    wait_for_connection(page)
    table = page.url
    back(page)
    expect(page.locator("[name=size]")).to_have_value("4")
    page.wait_for_function(pictured, arg=chosen)
    page.go_forward(wait_until="commit")
    wait_for_connection(page)
    assert page.url == table
    some_moves(page, 1)
    expect(page.locator("#log li")).to_have_count(1)
