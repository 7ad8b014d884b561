"""Input that the table interrupts: a press that is held, a drag, a piece that is picked, a log that is read."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.support.browser import Visitor
from tests.support.play import (
    WITHOUT_CHANCE,
    at_one_screen,
    expect_rows,
    invite,
    live_ids,
    middle,
    moved_on,
    ply,
    sit_down,
    some_moves,
    wait_for_paint,
    wait_for_turn,
)

ROW_TOP = "(id) => document.getElementById(id).getBoundingClientRect().top - log.getBoundingClientRect().top"


def in_another_tab(page: Page) -> Page:
    """Return the table in another tab of the same person."""
    other = page.context.new_page()
    other.goto(page.url)
    wait_for_turn(other)
    return other


def move_meanwhile(page: Page, other: Page) -> None:
    """Play the first listed move in the other tab, and wait until the page shows it."""
    since = ply(page)
    other.locator("#move-details [name=token]").first.dispatch_event("click")
    moved_on(page, since)


def test_a_press_that_is_held_over_a_move_and_let_go_after_it_plays_nothing(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    other = in_another_tab(page)
    page.bring_to_front()
    page.mouse.move(*middle(page.locator(f"[id='{live_ids(page)[-1]}'] .hit")))
    page.mouse.down()
    move_meanwhile(page, other)
    page.mouse.up()
    wait_for_paint(page)
    expect(page.locator("a.picked")).to_have_count(0)
    expect_rows(page, 1)


def test_a_drag_ends_without_a_trace_when_the_table_moves_on(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    other = in_another_tab(page)
    page.bring_to_front()
    id = live_ids(page)[-1]
    x, y = middle(page.locator(f"[id='{id}'] .hit"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 60, steps=3)
    expect(page.locator(".held")).to_have_count(1)
    move_meanwhile(page, other)
    expect(page.locator(".held")).to_have_count(0)
    page.mouse.up()
    wait_for_paint(page)
    expect(page.locator(f"[id='{id}']")).to_have_css("translate", "none")
    expect(page.locator("a.picked")).to_have_count(0)
    expect_rows(page, 1)


def test_a_picked_piece_stays_picked_when_the_other_offers_a_draw(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor()
    link = invite(ann, WITHOUT_CHANCE)
    sit_down(bo, link)
    wait_for_turn(ann)
    expect(ann.locator("a.live").first).to_be_attached()
    ann.locator(f"[id='{live_ids(ann)[0]}'] .hit").click()
    expect(ann.locator("a.picked")).to_have_count(1)
    bo.get_by_role("button", name="Offer a draw").click()
    expect(ann.get_by_role("button", name="Decline")).to_be_visible()
    expect(ann.locator("a.picked")).to_have_count(1)


def test_the_log_stays_where_its_reader_scrolled_it_and_follows_again_from_its_top(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    at_one_screen(page, WITHOUT_CHANCE)
    some_moves(page, 12)
    log = page.locator("#log")
    log.hover()
    page.mouse.wheel(0, 150)
    page.wait_for_function("() => log.scrollTop >= 100")
    wait_for_paint(page)
    rows = log.locator("li").count()
    read = log.locator("li").nth(6).get_attribute("id")
    before = page.evaluate(ROW_TOP, read)
    some_moves(page, 1)
    expect_rows(page, rows + 1)
    wait_for_paint(page)
    assert abs(page.evaluate(ROW_TOP, read) - before) < 2
    log.hover()
    page.mouse.wheel(0, -5000)
    page.wait_for_function("() => log.scrollTop === 0")
    some_moves(page, 2)
    expect_rows(page, rows + 3)
    page.wait_for_function("() => log.scrollTop === 0")
