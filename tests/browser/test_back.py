"""The browser's own Back and Forward: the same seat, the same position, and one plays on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from smallchange.web.guard import HEADERS
from tests.web.serving import serving

from .conftest import WHOLE, Visitor, launched, needed
from .playing import FOR_TWO, at_one_screen, connected, moved_on, ply
from .test_page import some_moves
from .test_together import invite, sit_down

GAME = FOR_TWO[-1]  # with a size


@pytest.fixture(scope="module")
def browser(browser: Browser) -> Iterator[Browser]:
    """One that keeps the pages that one has left, as people's do and Playwright's does not."""
    forgetful = ["--disable-back-forward-cache"]
    keeping = launched(browser.browser_type, needed(WHOLE), ignore_default_args=forgetful)
    yield keeping
    keeping.close()


def back(page: Page) -> None:
    page.go_back(wait_until="commit")


def two(visitor: Visitor, **look: str) -> tuple[Page, Page]:
    """At one table; the first of them is to move."""
    ann, bo = visitor(**look), visitor(**look)
    sit_down(bo, invite(ann, GAME, "Ann"))
    expect(ann.locator("#seats")).to_contain_text("Bo")
    return ann, bo


def test_who_comes_back_to_the_table_sits_there_still_and_plays_on(visitor: Visitor) -> None:
    ann, bo = two(visitor)
    for link in ("Small Change", "New game", "Your games"):
        table, since, you = ann.url, ply(ann), ann.locator("#you").inner_text()
        ann.get_by_role("banner").get_by_role("link", name=link).click()
        expect(ann.locator("#board")).to_have_count(0)
        back(ann)
        connected(ann)
        assert (ann.url, ply(ann), ann.locator("#you").inner_text()) == (table, since, you)
        expect(ann.get_by_text("No connection")).to_be_hidden()
        some_moves(ann, 1)
        moved_on(bo, since)
        some_moves(bo, 1)
        moved_on(ann, since + 1)


def test_a_table_that_the_browser_has_kept_shows_what_has_happened_since(
    visitor: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As browsers do that keep also what is not to be stored."""
    monkeypatch.setitem(HEADERS, "Cache-Control", "no-cache")
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
    expect(page.locator("#facts")).to_have_attribute("data-at", "0")
    back(page)
    expect(page).to_have_url(re.compile("/games/"))
    page.go_forward(wait_until="commit")
    connected(page)
    expect(page.locator("#facts")).to_have_attribute("data-at", "0")
    page.get_by_role("link", name="Back to now").click()
    expect(page.locator("#facts")).to_have_attribute("data-at", "3")
    some_moves(page, 1)
    expect(page.locator("#log li")).to_have_count(4)


def test_back_from_a_new_table_the_options_and_their_picture_are_as_they_were_chosen(
    visitor: Visitor,
) -> None:
    page = visitor()
    page.goto(f"/games/{GAME}?size=4")
    chosen = page.locator("#picture").inner_html()
    pictured = "chosen => document.getElementById('picture').innerHTML === chosen"
    page.goto(f"/games/{GAME}")
    page.locator("[name=size]").fill("4")
    page.wait_for_function(pictured, arg=chosen)
    for seat in page.locator("select[name^='seat.']").all():
        seat.select_option("me")
    page.get_by_role("button", name="Play", exact=True).click()
    connected(page)
    table = page.url
    back(page)
    expect(page.locator("[name=size]")).to_have_value("4")
    page.wait_for_function(pictured, arg=chosen)
    page.go_forward(wait_until="commit")
    connected(page)
    assert page.url == table
    some_moves(page, 1)
    expect(page.locator("#log li")).to_have_count(1)
