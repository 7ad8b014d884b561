"""The rulebook beside the board, and pieces as buttons."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

import smallchange

from .conftest import Visitor
from .playing import FOR_TWO, GAMES, begin, live, moved_on, ply, settled
from .test_page import SIZES, assert_no_barrier, some_moves


@pytest.mark.parametrize("game", GAMES)
def test_one_key_opens_the_rules_where_the_game_is_and_gives_the_focus_back(
    visitor: Visitor, game: str
) -> None:
    page = visitor()
    begin(page, game)
    settled(page)
    phase = (page.locator("#to-rules").get_attribute("href") or "").partition("#")[2]
    touched = page.locator(".live, #act .btn").first
    touched.focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Rules")).to_be_visible()
    expect(page.locator(f"#book-{phase}")).to_be_focused()
    expect(page.locator(f"#book-{phase}")).to_be_in_viewport()
    expect(page.locator(f"#book-{phase}")).to_have_css("border-radius", "0px")  # else its bar is an arc
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Rules")).to_be_hidden()
    expect(touched).to_be_focused()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_rules_leave_the_board_to_be_seen_or_fill_a_small_screen(
    visitor: Visitor, width: int, height: int
) -> None:
    page = visitor(viewport={"width": width, "height": height})
    begin(page, FOR_TWO[-1])
    settled(page)
    page.get_by_role("link", name="Rules").click()
    book = page.get_by_role("dialog", name="Rules")
    expect(book).to_be_visible()
    expect(book.locator(".here")).to_be_visible()
    sheet, board = book.bounding_box(), page.locator("#board .board").bounding_box()
    assert sheet is not None
    assert board is not None
    if width < 700:
        assert (sheet["width"], sheet["height"]) == (width, height)
    else:
        beside = sheet["x"] >= board["x"] + board["width"] or sheet["y"] >= board["y"] + board["height"]
        assert beside
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_no_barrier(page)
    book.get_by_role("button", name="Close").click()
    expect(page.get_by_role("link", name="Rules")).to_be_focused()


def test_one_plays_on_while_the_rules_lie_beside_the_board(visitor: Visitor) -> None:
    page = visitor()
    begin(page, FOR_TWO[-1])
    settled(page)
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Rules").get_by_role("link", name="Rulings").click()
    expect(page.locator("#book-rulings")).to_be_in_viewport()
    expect(page).to_have_url(re.compile("/m/[^#]*$"))
    some_moves(page, 1)
    expect(page.locator("#book-rulings")).to_be_in_viewport()


def test_the_rules_give_way_to_the_focus(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 1280, "height": 720})
    begin(page, FOR_TWO[-1])
    settled(page)
    page.keyboard.press("?")
    book = page.get_by_role("dialog", name="Rules")
    expect(book).to_be_visible()
    page.locator("a.live").first.focus()
    expect(book).to_be_visible()
    page.locator("#all-moves").focus()
    expect(book).to_be_hidden()
    expect(page.locator("#all-moves")).to_be_focused()


def test_without_script_the_rules_are_a_page(visitor: Visitor) -> None:
    page = visitor(java_script_enabled=False)
    begin(page, GAMES[0], scripted=False)
    page.get_by_role("link", name="Rules").click()
    expect(page).to_have_url(re.compile(f"/rules/{GAMES[0]}#"))


@pytest.mark.parametrize("game", GAMES)
def test_what_can_be_touched_is_a_button_and_leads_nowhere_else(visitor: Visitor, game: str) -> None:
    page = visitor()
    begin(page, game)
    for _ in range(3):
        some_moves(page, 1)
        assert page.locator("#board a[href], #trays a[href]").count() == 0
        for id in live(page):
            expect(page.locator(f"[id='{id}']")).to_have_attribute("role", "button")


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_piece_is_chosen_let_go_and_moved_by_a_key(visitor: Visitor, key: str) -> None:
    page = visitor()
    begin(page, FOR_TWO[-1])
    settled(page)
    since = ply(page)
    _press(page, live(page)[0], key)
    expect(page.locator("a.picked")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("a.picked")).to_be_focused()
    page.keyboard.press(key)
    expect(page.locator("a.picked")).to_have_count(0)
    page.keyboard.press(key)
    _press(page, live(page)[0], key)
    moved_on(page, since)


def test_another_piece_of_ones_own_is_chosen_instead_by_one_click(visitor: Visitor) -> None:
    page = visitor()
    begin(page, FOR_TWO[-1])
    settled(page)
    first, second = live(page)[:2]
    for id in (first, second):
        page.locator(f"[id='{id}'] .hit").click()
        expect(page.locator("a.picked")).to_have_id(id)


def _press(page: Page, id: str, key: str) -> None:
    page.locator(f"[id='{id}']").focus()
    page.keyboard.press(key)


SHEETED = [id for id in GAMES if smallchange.game(id).sheet]


@pytest.mark.parametrize("game", SHEETED)
def test_what_one_looks_up_is_one_click_away_and_follows_the_game(visitor: Visitor, game: str) -> None:
    page = visitor()
    begin(page, game)
    settled(page)
    page.locator("#to-sheet").click()
    book = page.get_by_role("dialog")
    expect(book.locator("table").first).to_be_visible()
    assert_no_barrier(page)
    before = book.locator("table").first.inner_text()
    for _ in range(2):
        since = ply(page)
        page.locator("#every button").last.dispatch_event("click")
        moved_on(page, since)
        settled(page)
    expect(book.locator("table").first).not_to_have_text(before)
    page.keyboard.press("Escape")
    expect(page.locator("#to-sheet")).to_be_visible()


@pytest.mark.parametrize("game", SHEETED)
def test_without_script_what_one_looks_up_is_a_page(visitor: Visitor, game: str) -> None:
    page = visitor(java_script_enabled=False)
    begin(page, game, scripted=False)
    page.locator("#to-sheet").click()
    expect(page.locator(".glance table").first).to_be_visible()
    page.get_by_role("link", name="Back to the table").click()
    expect(page.locator("#board")).to_be_visible()
