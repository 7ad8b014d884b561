"""The review of a finished game, as its player finds it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.accessibility import assert_no_barrier
from tests.support.browser import Visitor, assert_fits
from tests.support.play import (
    GAMES,
    WITHOUT_CHANCE,
    begin,
    middle,
    over,
    sit_down,
    some_moves,
    unfold,
    wait_for_turn,
)


def play_randomly(page: Page, game: str) -> None:
    """Make some decisions at random, so that much is given away; then end the match, if it goes on."""
    begin(page, game)
    for _ in range(8):
        wait_for_turn(page)
        if over(page):
            return
        some_moves(page, 1)
    wait_for_turn(page)
    if not over(page):
        page.locator("#resign-question summary").click()
        page.get_by_role("button", name="Yes, resign").click()
        expect(page.locator(".result")).to_be_visible()  # else it may go on when its review is asked for


@pytest.mark.parametrize("game", [WITHOUT_CHANCE])
def test_a_finished_game_leads_to_its_review_and_that_to_what_could_have_been_better(
    visitor: Visitor, game: str
) -> None:
    page = visitor(viewport={"width": 360, "height": 640})
    play_randomly(page, game)
    table = page.url
    page.get_by_role("link", name="Review", exact=True).click()
    page.wait_for_url(re.compile("/review$"))
    expect(page.locator(".odds-chart")).to_be_visible(timeout=60_000)  # it comes by itself
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert_no_barrier(page)
    page.get_by_text("Every choice").click()
    assert_fits(page)
    last = page.locator(".every-choice tbody a").last
    last.focus()
    page.keyboard.press("Enter")
    expect(last).to_have_attribute("aria-current", "true")
    total = page.locator(".every-choice tbody tr").count()
    expect(page.locator(".shown-head p")).to_contain_text(f"Choice {total} of {total}")
    expect(last).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".shown-head p")).to_contain_text(f"Choice {total - 1} of {total}")
    expect(page.locator("#shown .move-played")).to_have_count(1)
    page.locator("#shown").get_by_role("button", name="Try again from here").click()
    expect(page.locator("#table-data")).to_be_attached()
    expect(page.locator("#notice")).to_contain_text("Practice")
    assert page.url != table


def test_without_script_one_asks_how_far_it_is(visitor: Visitor) -> None:
    page = visitor()
    play_randomly(page, GAMES[-1])
    plain = visitor(java_script_enabled=False, storage_state=page.context.storage_state())
    plain.goto(page.url.partition("?")[0] + "/review")
    while plain.locator("#going").count():
        with plain.expect_navigation():  # or the page that goes away is looked at
            plain.get_by_role("link", name="See the progress").click()
    expect(plain.locator(".odds-chart")).to_be_visible()
    plain.get_by_text("Every choice").click()
    plain.locator(".every-choice tbody a").first.click()
    expect(plain.locator(".shown-head p")).to_contain_text("Choice 1 of")


def test_arrows_and_rings_are_drawn_by_hand_kept_in_the_address_and_taken_away(visitor: Visitor) -> None:
    page = visitor()
    play_randomly(page, WITHOUT_CHANCE)
    page.get_by_role("link", name="Review", exact=True).click()
    by_hand, board = page.locator(".move-by-hand"), page.locator("[data-middles] svg")
    expect(board).to_be_visible(timeout=60_000)
    board.scroll_into_view_if_needed()
    box = board.bounding_box()
    assert box
    corner, centre = (box["x"] + box["width"] * 0.2, box["y"] + box["height"] * 0.2), middle(board)

    def drag(start: tuple[float, float], end: tuple[float, float]) -> None:
        page.mouse.move(*start)
        page.mouse.down(button="right")
        page.mouse.move(*end)
        page.mouse.up(button="right")

    drag(corner, centre)
    expect(by_hand).to_have_count(1)
    drag(centre, centre)
    expect(by_hand).to_have_count(2)
    page.reload()
    expect(by_hand).to_have_count(2)
    drag(corner, centre)
    expect(by_hand).to_have_count(1)
    page.get_by_role("link", name="Analyse from here").click()
    page.wait_for_url("**/analysis*")
    place = page.locator("[data-middles] a[href][id]").first
    place.focus()
    page.keyboard.press("m")
    page.keyboard.press("m")
    expect(by_hand).to_have_count(1)
    expect(place).to_be_focused()


def test_a_review_comes_in_the_language_in_which_it_was_waited_for(visitor: Visitor) -> None:
    page = visitor()
    play_randomly(page, GAMES[-1])
    page.goto(f"{page.url}/review?lang=ja")
    expect(page.locator(".odds-chart")).to_be_visible(timeout=60_000)
    expect(page.locator("h1")).to_contain_text("検討")


def test_a_player_by_correspondence_tries_moves_out_and_finds_the_notes_again(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor(viewport={"width": 320, "height": 640}, color_scheme="dark")
    ann.goto(f"/games/{WITHOUT_CHANCE}")
    unfold(ann)
    ann.get_by_label("Your name").fill("Ann")
    ann.locator("select[name^='seat.']").last.select_option("open")
    ann.locator("#time").select_option("1d+3d")
    ann.get_by_role("button", name="Play", exact=True).click()
    sit_down(bo, ann.get_by_role("link", name="Invitation link").get_attribute("href") or "")
    bo.get_by_role("link", name="Try moves out").click()
    bo.locator(".solved-moves a").first.click()
    expect(bo.locator(".variation li")).to_have_count(1)
    bo.get_by_text("A note on this position").click()
    bo.get_by_label("Note", exact=True).fill("a wide fork")
    bo.get_by_role("button", name="Keep the note").click()
    expect(bo.locator(".note-text")).to_have_text("a wide fork")
    assert_fits(bo)
    assert_no_barrier(bo)
    bo.goto(bo.url.partition("?")[0])  # this browser has kept it
    expect(bo.locator(".note-text")).to_have_text("a wide fork")


def test_two_people_look_at_one_board_and_one_of_them_points(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor(viewport={"width": 390, "height": 844}, has_touch=True)
    play_randomly(ann, WITHOUT_CHANCE)
    ann.goto(f"{ann.url.partition('?')[0]}/analysis?at=1")
    ann.get_by_role("link", name="Show this board to others").click()
    link = ann.get_by_role("link", name=re.compile("follow="))
    bo.goto(link.get_attribute("href") or "")
    board, said = bo.locator(".explorer-board svg"), bo.locator(".small-print").first
    expect(said).to_have_text(ann.locator(".small-print").first.inner_text())
    ann.get_by_role("link", name="Step forward").click()
    ann.wait_for_url(re.compile("at=2.*lead="))
    expect(said).to_have_text(ann.locator(".small-print").first.inner_text())
    ann.locator("tbody a").first.click()
    ann.wait_for_url(re.compile("line="))
    expect(bo.locator(".variation [aria-current]")).to_have_count(1)
    board.tap(position={"x": 60, "y": 60})
    pointing = ann.locator(".pointing")
    expect(pointing).to_have_text(re.compile("^A guest points at "))
    expect(ann.locator(".explorer-board [class^=move-point]")).to_have_count(1)
    assert "follow=" in bo.url
    expect(bo.locator(".pointing")).to_have_count(1)
    expect(pointing).to_have_count(0)  # after some seconds
    assert_no_barrier(bo)
    assert_fits(bo)
    bo.locator("tbody a").first.click()
    bo.get_by_role("link", name="Show where it is now").click()
    expect(said).to_have_text(ann.locator(".small-print").first.inner_text())
