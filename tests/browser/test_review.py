"""The review of a finished game, as its player finds it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .conftest import Visitor
from .playing import GAMES, begin, over, settled
from .test_page import assert_no_barrier, some_moves


def played(page: Page, game: str) -> None:
    """Some decisions at random, so that much is given away; then the end, if it has not come yet."""
    begin(page, game)
    for _ in range(8):
        settled(page)
        if over(page):
            return
        some_moves(page, 1)
    settled(page)
    if not over(page):
        page.locator("#sure summary").click()
        page.get_by_role("button", name="Yes, end this game").click()
        expect(page.locator("#act .result")).to_be_visible()  # else it may go on when its review is asked for


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_game_leads_to_its_review_and_that_to_what_could_have_been_better(
    visitor: Visitor, game: str
) -> None:
    page = visitor(viewport={"width": 360, "height": 640})
    played(page, game)
    table = page.url
    page.get_by_role("link", name=re.compile("^Odds and ")).click()
    page.wait_for_url(re.compile("/review$"))
    expect(page.locator(".course")).to_be_visible(timeout=60_000)  # it comes by itself
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert_no_barrier(page)
    page.get_by_text("Every choice").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    step = page.locator(".all tbody a").last
    at = int(step.inner_text()) - 1
    step.click()
    expect(page.locator("#facts")).to_have_attribute("data-at", str(at))
    page.go_back()
    expect(page.locator(".course")).to_be_visible()
    page.go_back()
    expect(page.locator("#act .result")).to_be_visible()
    assert page.url == table


def test_without_script_one_asks_how_far_it_is(visitor: Visitor) -> None:
    page = visitor()
    played(page, GAMES[-1])
    plain = visitor(java_script_enabled=False, storage_state=page.context.storage_state())
    plain.goto(page.url.partition("?")[0] + "/review")
    while plain.locator("#going").count():
        plain.get_by_role("link", name="See how far it is").click()
    expect(plain.locator(".course")).to_be_visible()


def test_a_review_comes_in_the_language_in_which_it_was_waited_for(visitor: Visitor) -> None:
    page = visitor()
    played(page, GAMES[-1])
    page.goto(f"{page.url}/review?lang=ja")
    expect(page.locator(".course")).to_be_visible(timeout=60_000)
    expect(page.locator("h1")).to_contain_text("勝率")
