"""Looking back at earlier steps, and coming back to now."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Visitor
from tests.support.combinations import covering
from tests.support.play import (
    FOR_TWO,
    GAMES,
    LAYOUTS,
    LOCALES,
    WITHOUT_CHANCE,
    at_one_screen,
    begin,
    invite,
    live_ids,
    sit_down,
    some_moves,
    wait_for_turn,
)


def test_looking_back_is_not_disturbed_by_new_moves(visitor: Visitor) -> None:
    ann = visitor()
    begin(ann, GAMES[0])
    some_moves(ann, 2)
    wait_for_turn(ann)
    watcher = ann.context.new_page()
    watcher.goto(ann.url)
    watcher.get_by_role("link", name="First").click()
    expect(watcher.locator("#table-data")).to_have_attribute("data-at", "0")
    rows = watcher.locator("#log li").count()
    some_moves(ann, 1)
    expect(watcher.locator(f"#log li >> nth={rows}")).to_be_attached()
    expect(watcher.locator("#table-data")).to_have_attribute("data-at", "0")
    watcher.keyboard.press("Escape")
    expect(watcher.locator("#table-data")).not_to_have_attribute("data-at", "0")


@pytest.mark.parametrize(("game", "locale"), covering(LAYOUTS, LOCALES))
def test_looking_back_moves_nothing(visitor: Visitor, game: str, locale: str) -> None:
    page = visitor(locale=locale)
    begin(page, game)
    some_moves(page, 1)
    wait_for_turn(page)
    end = page.locator("#table-data").get_attribute("data-at") or ""
    before = page.locator("#tally").bounding_box()
    page.evaluate("document.querySelectorAll('#log a')[1].click()")
    expect(page.locator(f"#table-data:not([data-at='{end}'])")).to_be_attached()
    assert page.locator("#tally").bounding_box() == before


def test_between_people_looking_back_moves_nothing_either(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor()
    sit_down(bo, invite(ann, FOR_TWO[0]))
    expect(ann.locator("#seats")).to_contain_text("Bo")
    some_moves(ann if live_ids(ann) else bo, 1)
    for page in (ann, bo):
        expect(page.locator("#log li")).not_to_have_count(0)
        before = page.locator("#log").bounding_box()
        page.keyboard.press("ArrowLeft")
        expect(page.get_by_role("link", name="Back to now")).to_be_visible()
        assert page.locator("#log").bounding_box() == before


def test_the_log_marks_one_step_the_one_that_is_looked_at(visitor: Visitor) -> None:
    page = visitor()
    begin(page, GAMES[0])
    some_moves(page, 1)
    wait_for_turn(page)
    inked = (
        "all => all.filter((el) => getComputedStyle(el).color === getComputedStyle(document.body).color)"
        ".map((el) => el.dataset.to)"
    )
    for _ in range(2):
        at = page.locator("#table-data").get_attribute("data-at")
        assert page.locator("#log a").evaluate_all(inked) == [at]
        page.keyboard.press("ArrowLeft")
        expect(page.locator(f"#table-data:not([data-at='{at}'])")).to_be_attached()


def test_arrow_keys_step_through_the_log(visitor: Visitor) -> None:
    page = visitor()
    begin(page, GAMES[0])
    some_moves(page, 2)
    wait_for_turn(page)
    end = int(page.locator("#table-data").get_attribute("data-at") or 0)
    page.locator("#log a").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#table-data")).to_have_attribute("data-at", str(end - 1))
    page.keyboard.press("ArrowUp")
    expect(page.locator("#table-data")).to_have_attribute("data-at", str(end))
    assert live_ids(page)


def test_on_ones_own_turn_arrows_step_back_too_unless_the_focus_is_on_the_board(visitor: Visitor) -> None:
    page = visitor()
    begin(page, WITHOUT_CHANCE)
    some_moves(page, 2)
    wait_for_turn(page)
    end = int(page.locator("#table-data").get_attribute("data-at") or 0)
    page.locator("h1").click(force=True)
    for key, at in (("ArrowLeft", end - 1), ("ArrowRight", end), ("ArrowLeft", end - 1), ("ArrowRight", end)):
        page.keyboard.press(key)
        expect(page.locator("#table-data")).to_have_attribute("data-at", str(at))
    page.keyboard.press("ArrowDown")
    expect(page.locator("a.live:focus")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#table-data")).to_have_attribute("data-at", str(end))


def test_the_newest_row_of_the_log_is_now(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    some_moves(page, 2)
    page.locator("#log a").first.click()
    assert live_ids(page)
    page.locator("#log a").last.click()
    page.get_by_role("link", name="Back to now").click()
    some_moves(page, 2)
    page.locator("#log a").first.click()
    expect(page.locator("#table-data")).to_have_attribute("data-at", "4")
    assert live_ids(page)
    some_moves(page, 1)


def test_every_press_counts_on_a_slow_line_and_escape_is_the_last_word(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    some_moves(page, 5)
    slow = {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    page.locator("#log a").first.focus()
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    expect(page.locator("#table-data")).to_have_attribute("data-at", "1")
    expect(page.locator("#log-1 a")).to_be_focused()
    page.keyboard.press("Escape")
    with page.expect_response("**/look?*") as answer:
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Escape")
    answer.value.finished()
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(page.locator("#table-data")).to_have_attribute("data-at", "5")


def test_a_step_that_cannot_be_fetched_says_that_there_is_no_connection(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    some_moves(page, 2)
    page.context.set_offline(True)
    page.locator("#log a").last.click()
    expect(page.get_by_text("No connection")).to_be_visible()
    expect(page.locator("#table-data")).to_have_attribute("data-at", "2")
    page.context.set_offline(False)
    page.locator("#log a").last.click()
    expect(page.locator("#table-data")).to_have_attribute("data-at", "1")
    expect(page.get_by_text("No connection")).to_be_hidden()


def test_who_comes_looking_back_is_told_of_new_moves_alone(visitor: Visitor) -> None:
    ann = visitor()
    at_one_screen(ann, WITHOUT_CHANCE)
    some_moves(ann, 2)
    page, heard = ann.context.new_page(), list[str | bytes]()
    page.on("websocket", lambda line: line.on("framereceived", lambda frame: heard.append(frame)))
    page.goto(f"{ann.url}?at=1")
    while not heard:
        _pass(page)
    _pass(page)
    expect(page.locator("#refusal")).to_be_empty()
    expect(page.locator("#log [aria-current=step]")).to_have_attribute("data-to", "1")
    some_moves(ann, 1)
    expect(page.locator("#refusal")).to_have_text("The game has moved on meanwhile.")
    page.get_by_role("link", name="Back to now").click()
    expect(page.locator("#table-data")).to_have_attribute("data-at", "3")
    expect(page.locator("#refusal")).to_be_empty()


def test_who_looks_back_meets_an_offer_there_and_can_answer_it(visitor: Visitor) -> None:
    ann, bo = offered_while_looking_back(visitor)
    expect(ann.locator("#refusal")).to_be_empty()
    expect(ann.locator("#table-data")).to_have_attribute("data-at", "0")
    ann.get_by_role("button", name="Decline").click()
    expect(bo.locator("#notice")).to_contain_text("declined the draw")
    expect(ann.locator("#notice")).not_to_contain_text("offers a draw")
    expect(ann.locator("#table-data")).to_have_attribute("data-at", "0")


def offered_while_looking_back(visitor: Visitor) -> tuple[Page, Page]:
    """Let Bo offer Ann a draw while she looks back."""
    ann, bo = visitor(), visitor()
    sit_down(bo, invite(ann, WITHOUT_CHANCE))
    some_moves(ann, 1)
    ann.get_by_role("link", name="First").click()
    expect(ann.locator("#table-data")).to_have_attribute("data-at", "0")
    bo.get_by_role("button", name="Offer a draw").click()
    expect(ann.locator("#notice")).to_contain_text("Bo offers a draw.")
    return ann, bo


@pytest.mark.parametrize("how", ["Accept", "Yes, resign"])
def test_what_one_does_while_looking_back_ends_at_now(visitor: Visitor, how: str) -> None:
    ann, bo = offered_while_looking_back(visitor)
    if how != "Accept":
        ann.locator("#resign-question summary").click()
    ann.get_by_role("button", name=how).click()
    expect(ann.locator(".result")).to_be_visible()
    expect(ann.locator("#notice .note")).to_have_count(0)
    for page in (ann, bo):
        assert not page.title().startswith("An offer"), "it is over"


def test_who_looks_back_is_told_that_the_other_gave_up_and_is_not_pulled_away(visitor: Visitor) -> None:
    ann, bo = offered_while_looking_back(visitor)
    bo.locator("#resign-question summary").press("Enter")
    bo.get_by_role("button", name="Yes, resign").press("Enter")
    expect(ann.locator("#refusal")).to_have_text("The game is over.")
    expect(ann.locator("#table-data")).to_have_attribute("data-at", "0")
    expect(ann.locator("#resign-question")).to_have_count(0)
    expect(ann.get_by_role("button", name="Accept")).to_have_count(0)


def test_an_offer_stands_after_its_makers_move_where_one_looks_back_too(visitor: Visitor) -> None:
    ann, bo = offered_while_looking_back(visitor)
    some_moves(bo, 1)
    expect(ann.locator("#table-data")).to_have_attribute("data-length", "2")
    expect(ann.locator("#notice")).to_contain_text("Bo offers a draw.")
    ann.get_by_role("button", name="Accept").click()
    expect(ann.locator(".result")).to_be_visible()


@pytest.mark.parametrize("game", [FOR_TWO[0]])
def test_the_board_stays_beside_the_log(visitor: Visitor, game: str) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    begin(page, game)
    some_moves(page, 2)
    page.locator("#log li").filter(visible=True).last.scroll_into_view_if_needed()
    page.mouse.wheel(0, 2000)
    _pass(page)
    many = page.locator(".many-trays").count()
    board = page.locator("#board svg").first
    expect(board).to_be_in_viewport(ratio=0.0 if many else 0.9)


def _pass(page: Page) -> None:
    page.evaluate("new Promise(requestAnimationFrame)")


def test_the_log_is_one_stop_for_tab_at_the_step_one_looks_at(visitor: Visitor) -> None:
    page = visitor()
    at_one_screen(page, WITHOUT_CHANCE)
    some_moves(page, 3)
    for at in ("3", "2"):
        expect(page.locator("#log a:not([tabindex='-1'])")).to_have_attribute("data-to", at)
        page.locator("#steps a").last.focus()
        while not page.locator("#log a:focus").count():
            page.keyboard.press("Tab")
        expect(page.locator("#log [aria-current=step]")).to_be_focused()
        page.keyboard.press("Tab")
        expect(page.locator("#log a:focus")).to_have_count(0)
        page.locator("#log a").nth(1).click()
        expect(page.locator("#table-data")).to_have_attribute("data-at", "2")
