"""While the server is away, the page's own requests break nothing, and the next try succeeds."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.browser import Visitor
from tests.support.play import (
    WITH_REFERENCE,
    WITHOUT_CHANCE,
    begin,
    moved_on,
    ply,
    unfold,
    wait_for_turn,
)

SIZED = WITHOUT_CHANCE  # a game with a size


def at_a_table(visitor: Visitor) -> Page:
    """Open a table of a game with something to look up besides the rules."""
    page = visitor()
    begin(page, WITH_REFERENCE[0])
    wait_for_turn(page)
    return page


@pytest.mark.parametrize("how", ["nothing comes", "a page of somebody else comes"])
def test_the_last_picture_of_a_game_stays_until_there_is_a_line_again(visitor: Visitor, how: str) -> None:
    page = visitor()
    page.goto(f"/games/{SIZED}")
    unfold(page)
    picture = page.locator("#picture")
    known = picture.inner_html()
    if how == "nothing comes":
        page.route("**/games/*size=3*", lambda route: route.abort())
    else:
        page.route("**/games/*size=3*", lambda route: route.fulfill(body="<p>", content_type="text/html"))
    with page.expect_request("**/games/*size=3*") as asked:
        page.locator("[name=size]").fill("3")
    asked.value.response()
    page.evaluate("new Promise(requestAnimationFrame)")
    assert picture.inner_html() == known
    page.locator("[name=size]").fill("4")
    page.wait_for_function("known => document.getElementById('picture').innerHTML !== known", arg=known)
    expect(picture.locator("svg")).to_be_visible()


def test_the_picture_is_of_the_last_choice_though_an_earlier_one_is_answered_later(visitor: Visitor) -> None:
    page, held = visitor(), list[Route]()
    page.goto(f"/games/{SIZED}?size=4")
    unfold(page)
    wanted = page.locator("#picture").inner_html()
    page.goto(f"/games/{SIZED}")
    unfold(page)
    page.route("**/games/*size=3*", lambda route: held.append(route))
    with page.expect_request("**/games/*size=3*"):
        page.locator("[name=size]").fill("3")
    page.locator("[name=size]").fill("4")
    page.wait_for_function("wanted => document.getElementById('picture').innerHTML === wanted", arg=wanted)
    with page.expect_response("**/games/*size=3*") as late:
        held[0].continue_()
    late.value.finished()
    page.evaluate("new Promise(requestAnimationFrame)")
    assert page.locator("#picture").inner_html() == wanted


def test_rules_that_do_not_come_are_said_to_be_away_and_the_table_stays(visitor: Visitor) -> None:
    page = at_a_table(visitor)
    page.context.set_offline(True)
    with page.expect_event("requestfailed"):  # else the next click may come while the first waits
        page.locator("#to-rules").click()
    expect(page.get_by_text("No connection")).to_be_visible()
    expect(page.locator("#board .board")).to_be_visible()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.context.set_offline(False)
    page.locator("#to-rules").click()
    expect(page.get_by_role("dialog", name="Rules")).to_be_visible()
    expect(page.get_by_text("No connection")).to_be_hidden()


def test_what_is_looked_up_stays_when_it_cannot_follow_the_game_and_follows_the_next_step(
    visitor: Visitor,
) -> None:
    page = at_a_table(visitor)
    page.locator("#to-more").click()
    page.locator("#to-reference").click()
    table = page.get_by_role("dialog").locator("table").first
    before = table.inner_text()
    page.route("**/sheet?*", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        step(page)
    expect(table).to_have_text(before, use_inner_text=True)
    page.unroute("**/sheet?*")
    step(page)
    expect(table).not_to_have_text(before, use_inner_text=True)


def step(page: Page) -> None:
    since = ply(page)
    page.locator("#move-details button").last.dispatch_event("click")
    moved_on(page, since)
    wait_for_turn(page)


def test_what_was_asked_for_last_is_read_though_something_else_comes_later(visitor: Visitor) -> None:
    page, held = at_a_table(visitor), list[Route]()
    page.route("**/sheet?*", lambda route: held.append(route))
    page.locator("#to-more").click()
    with page.expect_request("**/sheet?*"):
        page.locator("#to-reference").click()
    page.locator("#to-rules").click()
    book = page.get_by_role("dialog", name="Rules")
    expect(book.locator(".here")).to_be_visible()
    with page.expect_response("**/sheet?*") as late:
        held[0].continue_()
    late.value.finished()
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(book.locator(".here")).to_be_visible()
    expect(book.locator(".reference-sheet")).to_have_count(0)
