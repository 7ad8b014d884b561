"""The rulebook beside the board, and pieces as buttons."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.accessibility import assert_no_barrier
from tests.support.browser import Visitor, assert_fits
from tests.support.play import (
    FOR_TWO,
    GAMES,
    WINDOW_SIZES,
    WITH_REFERENCE,
    WITHOUT_CHANCE,
    begin,
    live_ids,
    moved_on,
    ply,
    some_moves,
    wait_for_turn,
)


@pytest.mark.parametrize("game", [GAMES[0]])
def test_one_key_opens_the_rules_where_the_game_is_and_gives_the_focus_back(
    visitor: Visitor, game: str
) -> None:
    page = visitor()
    begin(page, game)
    wait_for_turn(page)
    phase = (page.locator("#to-rules").get_attribute("href") or "").partition("#")[2]
    touched = page.locator(".live, #actions .btn").first
    touched.focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Rules")).to_be_visible()
    expect(page.locator(f"#book-{phase}")).to_be_focused()
    expect(page.locator(f"#book-{phase}")).to_be_in_viewport()
    expect(page.locator(f"#book-{phase}")).to_have_css("border-radius", "0px")  # else its bar is an arc
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Rules")).to_be_hidden()
    expect(touched).to_be_focused()


@pytest.mark.parametrize(("width", "height"), WINDOW_SIZES[::2])
def test_the_rules_leave_the_board_to_be_seen_or_fill_a_small_screen(
    visitor: Visitor, width: int, height: int
) -> None:
    page = visitor(viewport={"width": width, "height": height})
    begin(page, WITHOUT_CHANCE)
    wait_for_turn(page)
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
    assert_fits(page)
    assert_no_barrier(page)
    book.get_by_role("button", name="Close").click()
    expect(page.get_by_role("link", name="Rules")).to_be_focused()


def test_one_plays_on_while_the_rules_lie_beside_the_board(visitor: Visitor) -> None:
    page = visitor()
    begin(page, WITHOUT_CHANCE)
    wait_for_turn(page)
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Rules").get_by_role("link", name="Rulings").click()
    expect(page.locator("#book-rulings")).to_be_in_viewport()
    expect(page).to_have_url(re.compile("/m/[^#]*$"))
    some_moves(page, 1)
    expect(page.locator("#book-rulings")).to_be_in_viewport()


def test_the_rules_give_way_to_the_focus(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 1280, "height": 720})
    begin(page, WITHOUT_CHANCE)
    wait_for_turn(page)
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


@pytest.mark.parametrize("game", [FOR_TWO[0]])
def test_what_can_be_touched_is_a_button_and_leads_nowhere_else(visitor: Visitor, game: str) -> None:
    page = visitor()
    begin(page, game)
    for _ in range(3):
        some_moves(page, 1)
        assert page.locator("#board a[href], #trays a[href]").count() == 0
        for id in live_ids(page):
            expect(page.locator(f"[id='{id}']")).to_have_attribute("role", "button")


def test_a_piece_is_chosen_let_go_and_moved_by_a_key(visitor: Visitor) -> None:
    page = visitor()
    begin(page, WITHOUT_CHANCE)
    for key in ("Enter", "Space"):
        wait_for_turn(page)
        since = ply(page)
        _press(page, live_ids(page)[0], key)
        expect(page.locator("a.picked")).to_have_attribute("aria-pressed", "true")
        expect(page.locator("a.picked")).to_be_focused()
        page.keyboard.press(key)
        expect(page.locator("a.picked")).to_have_count(0)
        page.keyboard.press(key)
        _press(page, live_ids(page)[0], key)
        moved_on(page, since)


def test_another_piece_of_ones_own_is_chosen_instead_by_one_click(visitor: Visitor) -> None:
    page = visitor()
    begin(page, WITHOUT_CHANCE)
    wait_for_turn(page)
    first, second = live_ids(page)[:2]
    for id in (first, second):
        page.locator(f"[id='{id}'] .hit").click()
        expect(page.locator("a.picked")).to_have_id(id)


def _press(page: Page, id: str, key: str) -> None:
    page.locator(f"[id='{id}']").focus()
    page.keyboard.press(key)


@pytest.mark.parametrize("game", WITH_REFERENCE)
def test_what_one_looks_up_is_one_click_away_and_follows_the_game(visitor: Visitor, game: str) -> None:
    page = visitor()
    begin(page, game)
    wait_for_turn(page)
    page.locator("#to-more").click()
    page.locator("#to-reference").click()
    book = page.get_by_role("dialog")
    expect(book.locator("table").first).to_be_visible()
    assert_no_barrier(page)
    before = book.locator("table").first.inner_text()
    for _ in range(2):
        since = ply(page)
        page.locator("#move-details button").last.dispatch_event("click")
        moved_on(page, since)
        wait_for_turn(page)
    expect(book.locator("table").first).not_to_have_text(before)
    page.keyboard.press("Escape")
    expect(page.locator("#to-reference")).to_be_visible()


@pytest.mark.parametrize("game", WITH_REFERENCE)
def test_without_script_what_one_looks_up_is_a_page(visitor: Visitor, game: str) -> None:
    page = visitor(java_script_enabled=False)
    begin(page, game, scripted=False)
    page.locator("#to-more").click()
    page.locator("#to-reference").click()
    expect(page.locator(".reference-sheet table").first).to_be_visible()
    page.get_by_role("link", name="Back to the table").click()
    expect(page.locator("#board")).to_be_visible()
