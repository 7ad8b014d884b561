"""The end of a game: coins fall into their tally, the best so far is said, and the result can be shared."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Visitor
from tests.support.play import WITHOUT_CHANCE, at_one_screen, begin, some_moves, until, wait_for_turn

FILLED = """import("/static/motion.js").then(({ fillTallies }) => {
  fillTallies();
  return document.getAnimations().filter((one) => one.effect.target.matches(".tally-dot"))
    .map(({ effect }) => effect.getComputedTiming().endTime);
})"""
SHARED = "navigator.share = async (shared) => { window.shared = shared; };"
NOT_SHARED = "delete Navigator.prototype.share;"


def give_up(page: Page) -> None:
    """Give the game up."""
    page.get_by_text("Resign", exact=True).click()
    page.locator("#resign-question button").click()
    expect(page.locator(".result")).to_be_visible()


@pytest.mark.parametrize(("motion", "falls"), [("no-preference", True), ("reduce", False)])
def test_coins_fall_into_their_tally_within_a_second(visitor: Visitor, motion: str, falls: bool) -> None:
    page = visitor(viewport={"width": 1280, "height": 800}, reduced_motion=motion)
    begin(page, "coin-collectors")
    some_moves(page, 1)
    wait_for_turn(page)
    expect(page.locator("#tally .tally-dot.on")).not_to_have_count(0)
    ends = page.evaluate(FILLED)
    assert bool(ends) is falls
    assert all(end < 1000 for end in ends)


def test_the_best_so_far_is_said_as_the_game_ends(visitor: Visitor) -> None:
    page = visitor()
    for said in ("", "Against Pip so far: 0 won, 2 lost."):
        begin(page, WITHOUT_CHANCE)
        expect(page.locator("#best-so-far")).to_be_hidden()
        some_moves(page, 3)
        wait_for_turn(page)
        give_up(page)
        expect(page.locator("#best-so-far")).to_have_text(said)


def test_a_result_is_shared_by_the_system(visitor: Visitor) -> None:
    page = visitor()
    page.add_init_script(SHARED)
    at_one_screen(page, WITHOUT_CHANCE)
    expect(page.locator("#share")).to_have_count(0)
    give_up(page)
    page.get_by_role("link", name="Share").click()
    until(page, lambda: page.evaluate("window.shared"))
    shared = page.evaluate("window.shared")
    assert shared["url"] == page.url
    assert shared["text"].startswith("Dodg")


def test_elsewhere_it_is_a_page_with_a_picture_and_a_text_to_copy(visitor: Visitor) -> None:
    page = visitor()
    page.add_init_script(NOT_SHARED)
    at_one_screen(page, WITHOUT_CHANCE)
    table = page.url
    give_up(page)
    page.get_by_role("link", name="Share").click()
    page.wait_for_url(re.compile("/card$"))
    picture = page.get_by_role("img", name="A picture of the result")
    expect(picture).to_be_visible()
    assert picture.evaluate("(img) => img.decode().then(() => img.naturalWidth)") == 600
    expect(page.get_by_role("textbox", name="Text to share")).to_have_value(re.compile(re.escape(table)))
    expect(page.get_by_role("button", name="Copy text")).to_be_visible()
