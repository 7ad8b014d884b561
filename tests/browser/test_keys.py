"""By the keyboard alone: a key held down acts once, and the focus is where one was, never nowhere."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Visitor
from tests.support.play import (
    FOR_ONE,
    WITHOUT_CHANCE,
    at_one_screen,
    begin,
    by_keyboard,
    invite,
    moved_on,
    over,
    ply,
    sit_down,
    some_moves,
    wait_for_turn,
)

HELD = 5  # times that a key held down comes again


def hold(page: Page, since: int) -> None:
    """Enter, down until long after the answer."""
    page.keyboard.down("Enter")
    moved_on(page, since)
    for _ in range(HELD):
        page.keyboard.down("Enter")
        page.evaluate("new Promise(requestAnimationFrame)")
    page.keyboard.up("Enter")


def test_enter_held_down_on_a_listed_move_plays_one(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    page.locator("#move-details summary").press("Enter")
    page.locator("#move-details button").nth(1).focus()
    hold(page, ply(page))
    wait_for_turn(page)
    some_moves(page, 1)
    expect(page.locator("#log li")).to_have_count(2)


def test_enter_held_down_on_undo_takes_one_decision_back(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    some_moves(page, 3)
    page.locator("#undo").focus()
    hold(page, ply(page))
    some_moves(page, 1)
    expect(page.locator("#log li")).to_have_count(3)


def test_u_takes_back_one_decision_in_any_layout_however_long_it_is_held(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    some_moves(page, 4)
    press = """([key, repeat]) => document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key, code: "KeyU", repeat, bubbles: true, cancelable: true }))"""
    for left, key in ((3, "U"), (2, "Process"), (1, "г")):
        since = ply(page)
        page.evaluate(press, [key, False])
        moved_on(page, since)
        page.evaluate(press, [key, True])
        wait_for_turn(page)
        expect(page.locator("#log li")).to_have_count(left)


def test_enter_held_down_on_giving_up_stays_at_the_result(visitor: Visitor) -> None:
    page = visitor()
    begin(page, FOR_ONE[-1])
    table = page.url
    page.locator("#resign-question summary").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Yes, resign").focus()
    hold(page, ply(page))
    expect(page.locator(".result")).to_be_focused()
    page.evaluate("new Promise(requestAnimationFrame)")
    assert page.url == table


def test_an_offer_takes_the_focus_no_further_than_to_what_withdraws_it_and_an_answer_leaves_a_choice(
    visitor: Visitor,
) -> None:
    ann, bo = visitor(), visitor()
    sit_down(bo, invite(ann, WITHOUT_CHANCE))
    some_moves(ann, 1)
    some_moves(bo, 1)
    some_moves(ann, 1)
    bo.get_by_role("button", name="Offer a draw").press("Enter")
    expect(ann.locator("#notice")).to_contain_text("Bo offers a draw.")
    expect(bo.get_by_role("button", name="Offer a draw")).to_have_count(0)
    expect(bo.get_by_role("button", name="Withdraw the offer")).to_be_focused()
    bo.keyboard.press("Enter")
    expect(bo.get_by_role("button", name="Withdraw the offer")).to_have_count(0)
    expect(bo.locator("#more-actions :focus")).to_have_count(1)
    ann.get_by_role("button", name="Offer a draw").press("Enter")
    bo.locator("a.live").last.press("Enter")
    picked = bo.locator("a.picked").get_attribute("id") or ""
    bo.get_by_role("button", name="Decline").press("Enter")
    expect(ann.locator("#notice")).to_contain_text("declined")
    expect(bo.locator("a.picked")).to_have_id(picked)
    expect(bo.locator("a.picked")).to_be_focused()
    ann.get_by_role("link", name="First").press("Enter")
    expect(ann.locator("#table-data")).to_have_attribute("data-at", "0")
    expect(ann.locator("#steps")).to_be_focused()
    ann.keyboard.press("Tab")
    expect(ann.get_by_role("link", name="Forward")).to_be_focused()


def test_undo_that_has_nothing_left_to_take_back_gives_the_focus_to_the_board(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    some_moves(page, 1)
    page.locator("#undo").press("Enter")
    expect(page.locator("#undo")).to_be_disabled()
    expect(page.locator("a.live:focus")).to_have_count(1)


def test_the_focus_stays_at_giving_up_when_the_other_moves(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor()
    sit_down(bo, invite(ann, WITHOUT_CHANCE))
    bo.locator("#resign-question summary").press("Enter")
    bo.get_by_role("button", name="Yes, resign").focus()
    some_moves(ann, 1)
    expect(bo.locator("#log li")).to_have_count(1)
    expect(bo.locator("#resign-question summary")).to_be_focused()


@pytest.mark.parametrize("game", [FOR_ONE[0]])
def test_whoever_plays_by_the_keyboard_sees_the_focus_after_every_move(visitor: Visitor, game: str) -> None:
    """On a screen of 1280 x 1024 at 400 %."""
    page, luck = visitor(viewport={"width": 320, "height": 256}), Random(9)
    begin(page, game)
    for _ in range(5):
        wait_for_turn(page)
        if over(page):
            break
        since = ply(page)
        by_keyboard(page, luck)
        moved_on(page, since)
        wait_for_turn(page)
        page.evaluate("new Promise(requestAnimationFrame)")
        expect(page.locator("body :focus")).to_be_in_viewport()


def test_whoever_plays_from_the_list_finds_it_open_again(visitor: Visitor) -> None:
    """Against a bot: while it moves there is no list."""
    page = visitor()
    begin(page, WITHOUT_CHANCE)
    wait_for_turn(page)
    page.locator("#move-details summary").press("Enter")
    for _ in range(3):
        page.keyboard.press("Tab")
        expect(page.locator("#move-details button").first).to_be_focused()
        since = ply(page)
        page.keyboard.press("Enter")
        moved_on(page, since)
        wait_for_turn(page)
        expect(page.locator("#move-details summary")).to_be_focused()
        expect(page.locator("#move-details .move-list")).to_be_visible()
