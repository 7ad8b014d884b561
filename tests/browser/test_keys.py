"""By the keyboard alone: a key held down acts once, and the focus is where one was, never nowhere."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from .conftest import Visitor
from .playing import FOR_TWO, at_one_screen, begin, moved_on, ply, settled
from .test_hand import FOR_ONE
from .test_page import some_moves
from .test_together import invite, sit_down

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
    at_one_screen(page, FOR_TWO[-1])
    page.locator("#every summary").click()
    page.locator("#every button").nth(1).focus()
    hold(page, ply(page))
    settled(page)
    some_moves(page, 1)
    expect(page.locator("#log li")).to_have_count(2)


def test_enter_held_down_on_undo_takes_one_decision_back(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, FOR_TWO[-1])
    some_moves(page, 3)
    page.locator("#undo").focus()
    hold(page, ply(page))
    some_moves(page, 1)
    expect(page.locator("#log li")).to_have_count(3)


def test_enter_held_down_on_giving_up_stays_at_the_result(visitor: Visitor) -> None:
    page = visitor()
    begin(page, FOR_ONE[-1])
    table = page.url
    page.locator("#sure summary").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Yes, end this game").focus()
    hold(page, ply(page))
    expect(page.locator(".result")).to_be_focused()
    page.evaluate("new Promise(requestAnimationFrame)")
    assert page.url == table


def test_a_button_with_the_focus_does_not_become_another(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor()
    sit_down(bo, invite(ann, FOR_TWO[-1]))
    some_moves(ann, 1)
    bo.get_by_role("button", name="Offer a draw").press("Enter")
    expect(ann.get_by_text("Bo offers a draw")).to_be_visible()
    expect(bo.get_by_role("button", name="Offer a draw")).to_have_count(0)
    expect(bo.locator("#sure summary")).to_be_focused()
    ann.get_by_role("link", name="First").press("Enter")
    expect(ann.locator("#facts")).to_have_attribute("data-at", "0")
    expect(ann.locator("#steps")).to_be_focused()
    ann.keyboard.press("Tab")
    expect(ann.get_by_role("link", name="Forward")).to_be_focused()
