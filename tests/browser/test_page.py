"""Every page keeps to the same rules: sizes, languages, colours, motion, accessibility."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

import smallchange
from tests.support.accessibility import assert_no_barrier
from tests.support.browser import Visitor, assert_fits
from tests.support.combinations import covering
from tests.support.play import (
    FOR_ONE,
    FOR_TWO,
    GAMES,
    LAYOUTS,
    WINDOW_SIZES,
    WITHOUT_CHANCE,
    at_one_screen,
    begin,
    middle,
    moved_on,
    over,
    ply,
    some_moves,
    unfold,
    wait_for_connection,
    wait_for_turn,
)

LANGUAGES = ("en", "ja")
SCHEMES = ("light", "dark")
TALL = 700  # pixels of a small phone below the browser's own bars, once they are gone
PAGES = ("/", "/daily", "/mine", "/about", f"/games/{GAMES[0]}", f"/rules/{GAMES[0]}", "/nowhere")


@pytest.mark.parametrize(("game", "size"), covering(GAMES, WINDOW_SIZES))
def test_a_move_needs_no_scrolling(visitor: Visitor, game: str, size: tuple[int, int]) -> None:
    """The board is seen first, and whatever one needs for a move is on the screen."""
    page = visitor(viewport={"width": size[0], "height": size[1]})
    begin(page, game)
    assert_fits(page)
    box = page.locator("#board .board").bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= size[1]
    for _ in range(3):
        wait_for_turn(page)
        if over(page):
            break
        page.evaluate("scrollTo(0, 0)")
        assert not page.evaluate(
            "height => [...document.querySelectorAll('a.live, #actions .die-choice, #actions .buttons .btn')]"
            ".filter((el) => el.getBoundingClientRect().bottom > height).map((el) => el.outerHTML)",
            max(size[1], TALL),
        )
        some_moves(page, 1)


def test_every_tray_is_seen_beside_the_board_on_a_desk(visitor: Visitor) -> None:
    for game in GAMES:
        page = visitor(viewport={"width": 1280, "height": 720})
        begin(page, game)
        wait_for_turn(page)
        for tray in page.locator(".tray").all():
            box = tray.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 720, game


@pytest.mark.parametrize(("path", "lang", "scheme"), covering(PAGES, LANGUAGES, SCHEMES))
def test_axe_finds_nothing_serious_on_any_page(visitor: Visitor, path: str, lang: str, scheme: str) -> None:
    page = visitor(color_scheme=scheme)
    page.goto(f"{path}?lang={lang}")
    assert_no_barrier(page)


@pytest.mark.parametrize(("game", "scheme"), covering(LAYOUTS, SCHEMES))
def test_axe_finds_nothing_serious_at_a_table(visitor: Visitor, game: str, scheme: str) -> None:
    page = visitor(color_scheme=scheme)
    begin(page, game)
    some_moves(page, 2)
    assert_no_barrier(page)


@pytest.mark.parametrize("game", FOR_TWO[:1])
def test_japanese_says_everything_in_japanese(visitor: Visitor, game: str) -> None:
    page = visitor(locale="ja-JP")
    page.goto("/")
    title = smallchange.game(game).words.TITLE["ja"]
    page.get_by_role("button", name=f"{title}を遊ぶ", exact=True).click()
    wait_for_connection(page)
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    some_moves(page, 1)
    for part in ("#status .prompt", "#log li:first-child .log-text"):
        expect(page.locator(part)).to_have_text(re.compile("[\u3040-\u9fff]"))
    assert_no_barrier(page)


@pytest.mark.parametrize("game", FOR_ONE[:1])
def test_a_printed_table_has_the_board_the_whole_log_and_nothing_to_press(
    visitor: Visitor, game: str
) -> None:
    page = visitor(color_scheme="dark")
    begin(page, game)
    some_moves(page, 2)
    wait_for_turn(page)
    page.emulate_media(media="print")
    expect(page.locator("#board .board")).to_be_visible()
    expect(page.locator("button:visible, summary:visible, nav:visible")).to_have_count(0)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(245, 240, 231)"
    for part in ("#log", ".log"):
        hidden = "el => el.scrollHeight - el.clientHeight"
        assert page.locator(part).evaluate(hidden) <= 1
    for part in (".status-slot", "#actions"):  # nothing changes on paper, so nothing is held free
        assert page.locator(part).evaluate("el => getComputedStyle(el).minHeight") == "0px"


def test_a_printed_rulebook_is_all_text(visitor: Visitor) -> None:
    page = visitor()
    page.goto(f"/rules/{GAMES[0]}")
    page.emulate_media(media="print")
    expect(page.locator(".rulebook h2").last).to_be_visible()
    expect(page.locator("button:visible, nav:visible, .btn:visible, .contents:visible")).to_have_count(0)
    assert page.evaluate(
        "[...document.querySelectorAll('.rulebook pre')]"
        ".every((el) => el.scrollHeight <= el.clientHeight + 1)"
    )
    game = page.locator("pre:has(.language-steps)")
    assert game.evaluate("el => getComputedStyle(el).breakInside") == "auto", "it is longer than what is left"


def test_what_cannot_be_touched_says_why(visitor: Visitor) -> None:
    page = visitor()
    begin(page, GAMES[0])
    page.locator("#board .board").click(position={"x": 5, "y": 5})
    expect(page.locator("#refusal")).to_contain_text("Rings show what you can touch.")


def test_the_focus_of_the_board_is_drawn_around_the_board(visitor: Visitor) -> None:
    page = visitor()
    begin(page, FOR_TWO[0])
    wait_for_turn(page)
    stage, board = page.locator("#board").bounding_box(), page.locator("#board .board").bounding_box()
    assert stage is not None
    assert board is not None
    assert stage["height"] <= board["height"] + 10


def test_letter_keys_can_be_switched_off_in_the_settings(visitor: Visitor) -> None:
    page = visitor()
    begin(page, WITHOUT_CHANCE)
    table, book = page.url, page.locator("#book")
    for chosen, is_open in (("off", False), ("on", True)):
        page.goto("/settings")
        page.locator(f"[name=letters][value={chosen}]").check()
        page.get_by_role("button", name="Save").click()
        page.goto(table)
        page.wait_for_load_state()
        page.keyboard.press("?")
        expect(book).to_be_visible(visible=is_open)


def test_undo_gives_the_last_decision_back(visitor: Visitor) -> None:
    page = visitor()
    begin(page, WITHOUT_CHANCE)
    before = page.locator("#log li").count()
    some_moves(page, 1)
    wait_for_turn(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#log li")).to_have_count(before)


def test_a_drawn_map_is_pictured_as_it_is_written_and_its_fault_is_said(visitor: Visitor) -> None:
    for game in (id for id in GAMES if any(o.name in ("map", "board") for o in smallchange.game(id).offered)):
        page = visitor()
        page.goto(f"/games/{game}?lang=ja")
        unfold(page)
        page.locator("textarea").fill("?")
        expect(page.locator(".fault", has_text="使えるのは")).to_be_visible()
        page.locator("textarea").fill("")
        expect(page.locator("#picture svg")).to_be_visible()


def test_the_envelope_is_verified_at_the_end(visitor: Visitor) -> None:
    page = visitor()
    begin(page, GAMES[0])
    page.locator("#resign-question summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    page.locator("#to-more").press("Enter")  # a tap so soon after a change is swallowed
    page.get_by_role("link", name="Verify the luck").click()
    expect(page.get_by_text("Verified:")).to_be_visible()


def test_a_double_click_acts_once(visitor: Visitor) -> None:
    page, said = visitor(), list[str]()
    page.on("websocket", lambda line: line.on("framesent", lambda frame: said.append(str(frame))))
    at_one_screen(page, GAMES[0])
    for answered in (False, True):
        wait_for_turn(page)
        since = ply(page)
        page.mouse.click(*middle(page.get_by_role("button", name="ends its turn")))
        if answered:
            moved_on(page, since)
            wait_for_turn(page)
            page.mouse.move(*middle(page.locator("#actions button[name=token]:visible").first))
        page.mouse.down(click_count=2)
        page.mouse.up(click_count=2)
        moved_on(page, since)
        wait_for_turn(page)
        assert sum('"act"' in message for message in said) == 1
        said.clear()


def test_a_move_is_asked_about_before_it_is_sent_where_one_wishes(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/settings")
    page.locator("[name=ask][value=on]").check()
    page.get_by_role("button", name="Save").click()
    begin(page, WITHOUT_CHANCE)
    rows = page.locator("#log li").count()
    page.locator("#move-details button").first.dispatch_event("click")
    expect(page.locator("#ask .primary")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#ask")).to_have_count(0)
    assert page.locator("#log li").count() == rows
    page.locator("#move-details button").first.dispatch_event("click")
    page.keyboard.press("Enter")
    expect(page.locator(f"#log-{rows + 1}")).to_be_visible()
