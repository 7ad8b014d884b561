"""A screen reader announces each thing once, in order."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

import smallchange
from tests.support.browser import Visitor
from tests.support.play import (
    FOR_TWO,
    GAMES,
    WITHOUT_CHANCE,
    at_one_screen,
    begin,
    invite,
    over,
    sit_down,
    some_moves,
    until,
    wait_for_turn,
)


def listen(page: Page) -> None:
    page.evaluate(
        """() => { window.heard = []; new MutationObserver((changes) => changes.forEach(({ addedNodes }) =>
        addedNodes.forEach((el) => heard.push(el.textContent)))).observe(
        document.querySelector("[role=log]"), { childList: true }); }"""
    )


def announcements(page: Page) -> list[str]:
    said: list[str] = page.evaluate("heard")
    return said


def assert_said_once(page: Page, said: str) -> None:
    """Wait until it is said, as the pages of two people hear of a thing one after the other."""
    until(page, lambda: said in " ".join(announcements(page)))
    assert " ".join(announcements(page)).count(said) == 1


@pytest.mark.parametrize("game", [FOR_TWO[0]])
def test_every_step_is_said_once_and_then_what_to_do(visitor: Visitor, game: str) -> None:
    page = visitor()
    begin(page, game)
    wait_for_turn(page)
    before = page.locator("#log li").count()
    listen(page)
    for _ in range(3):
        if not over(page):
            some_moves(page, 1)
            wait_for_turn(page)
    rows = page.locator("#log .log-text").all_text_contents()[::-1][before:]
    said, at = "\n".join(announcements(page)), 0
    for row in rows:
        assert said.count(row) == "\n".join(rows).count(row), (row, rows, said)
        at = said.index(f"{row}.", at) + 1
    assert said.endswith(page.locator("#status .prompt").text_content() or "?")
    assert at < said.rindex(page.locator("#status .prompt").text_content() or "?")
    expect(page.locator("#status [role], #status[role]")).to_have_count(0)


def after_a_move_each(visitor: Visitor) -> tuple[Page, Page]:
    ann, bo = visitor(), visitor()
    sit_down(bo, invite(ann, WITHOUT_CHANCE, "Ann"))
    some_moves(ann, 1)
    some_moves(bo, 1)
    wait_for_turn(ann)
    return ann, bo


def test_an_offer_its_answer_and_who_leaves_are_said_once(visitor: Visitor) -> None:
    ann, bo = after_a_move_each(visitor)
    listen(ann)
    listen(bo)
    for asks, ask, answers in ((bo, "Ask to take back", ann), (ann, "Offer a draw", bo)):
        asks.get_by_role("button", name=ask).click()
        answers.get_by_role("button", name="Decline").click()
        expect(asks.locator("#notice")).to_contain_text("declined")
    for said in ("Ann declined to take the move back.", "Ann offers a draw.", "You declined the draw."):
        assert_said_once(bo, said)
    bo.close()
    expect(ann.locator("#seats")).to_contain_text("Bo is away.")
    for said in (
        "Bo asks to take the last move back.",
        "You declined to take the move back.",
        "Bo declined the draw.",
        "Bo is away.",
    ):
        assert_said_once(ann, said)


def test_what_is_taken_back_is_said_before_how_it_stands_now(visitor: Visitor) -> None:
    ann, bo = after_a_move_each(visitor)
    bo.get_by_role("button", name="Ask to take back").click()
    for page, said in ((ann, "Bo asks to take"), (bo, "You asked to take")):
        expect(page.locator("#notice")).to_contain_text(said)
        listen(page)
    ann.get_by_role("button", name="Accept").click()
    for page in (ann, bo):
        expect(page.locator("#log li")).to_have_count(1)
        (said,) = announcements(page)
        assert said.startswith("Taken back. "), said
        assert said.endswith(page.locator("#status .prompt").text_content() or "?")


def test_looking_back_is_said_with_what_had_happened(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    some_moves(page, 3)
    listen(page)
    page.get_by_role("link", name="Back").first.click()
    expect(page.locator("#table-data")).to_have_attribute("data-at", "2")
    row = page.locator("#log-2 .log-text").text_content() or "?"
    (said,) = announcements(page)
    assert said.index("Looking back at move 2 of 3.") < said.index(row)
    assert "Back to now" not in said, "it sounds like a part of what had happened"


def test_an_empty_space_says_its_region_and_letters_for_the_eye_say_nothing(visitor: Visitor) -> None:
    page = visitor()
    begin(page, "coin-age")
    wait_for_turn(page)
    while page.locator("#board .piece").count():  # none of one's own coins matched, and the bot went first
        begin(page, "coin-age")
        wait_for_turn(page)
    spaces = page.locator("#board-spots").get_by_role("img")
    expect(spaces).to_have_count(10)
    balances = page.locator("#board-badges").get_by_role("img")
    assert "Copper Peaks, spaces of heads 0, of tails 0" in [
        one.get_attribute("aria-label") for one in balances.all()
    ]
    assert sorted(space.get_attribute("aria-label") or "" for space in spaces.all())[:2] == [
        "a1, Forests of Coindor: empty",
        "a2, Copper Peaks: empty",
    ]
    assert "text:" not in page.locator("#board").aria_snapshot()
    expect(page.locator("#board .ring:visible")).to_have_count(0)
    begin(page, "dodgem")
    assert "text:" not in page.locator("#board").aria_snapshot()


def test_that_a_rematch_is_open_is_said(visitor: Visitor) -> None:
    ann, bo = after_a_move_each(visitor)
    ann.get_by_text("Resign", exact=True).click()
    ann.get_by_role("button", name="Yes, resign").click()
    wait_for_turn(bo)
    eve = visitor()  # who has played is taken along
    eve.goto(ann.url)
    expect(eve.locator("#connection[data-is=open]")).to_be_attached()
    listen(eve)
    ann.get_by_role("button", name="Ask for a rematch").press("Enter")
    bo.get_by_role("button", name="Accept").click()
    expect(eve.locator("#announcements")).to_contain_text("The rematch is open")
    assert_said_once(eve, "The rematch is open")


@pytest.mark.parametrize("game", [FOR_TWO[0]])
def test_what_lies_in_a_tray_is_not_a_group_of_the_same_name_again(visitor: Visitor, game: str) -> None:
    page = visitor()
    begin(page, game)
    for tray in page.get_by_role("figure").all():
        expect(tray.get_by_role("img").or_(tray.get_by_role("button"))).not_to_have_count(0)
        expect(tray.get_by_role("group")).to_have_count(0)


@pytest.mark.parametrize("game", GAMES)
def test_each_pile_and_each_empty_space_is_told_once(visitor: Visitor, game: str) -> None:
    position = smallchange.game(game).start()
    board = position.game.layout.scene(position.game.board, position.s).areas[0]
    page = visitor()
    begin(page, game)
    wait_for_turn(page)
    said = page.locator(":is(#board, #trays) a[role]:not([aria-hidden])").evaluate_all(
        "all => all.map((el) => el.getAttribute('aria-label').replace(/[.] Choose$/, ''))"
    )
    assert len(said) == len(set(said)) > 5
    for spot in board.spots:
        if spot.look == "cell" and game in FOR_TWO:
            assert sum(re.fullmatch(rf"{spot.text.en}(: .*)?", one) is not None for one in said) == 1, spot.id
    stops = page.locator(":is(#board, #trays) a[tabindex='0']")
    expect(stops).to_have_count(page.locator(":is(#board, #trays) a.live").count())


def test_tab_goes_from_a_coin_chosen_in_a_bank_to_the_map_and_back(visitor: Visitor) -> None:
    page = visitor()
    begin(page, "coin-age")
    wait_for_turn(page)
    coin = page.locator("#trays .live").first
    coin.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#board .live").first).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#trays .picked")).to_be_focused()
