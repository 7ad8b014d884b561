"""Training, as a player finds it: the board, the keys, the solution, and a page without script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import assert_no_barrier
from tests.support.browser import Visitor, assert_fits

GAME = "dodgem"


@pytest.mark.parametrize("width", [1280, 360])
def test_a_puzzle_is_answered_on_the_board_and_explained(visitor: Visitor, width: int) -> None:
    page = visitor(viewport={"width": width, "height": 740})
    page.goto("/")
    page.get_by_role("link", name=re.compile("^Train")).first.click()
    page.wait_for_url(re.compile("/train$"))
    assert_no_barrier(page)
    assert_fits(page)
    page.locator(f'.card a[href="/train/{GAME}"]').click()
    page.wait_for_url(re.compile(f"/train/{GAME}/"))
    expect(page.get_by_text("Find the best move.")).to_be_visible()
    assert_no_barrier(page)
    assert_fits(page)
    page.locator(".puzzle-board a[href]").first.click()
    page.wait_for_url(re.compile("pick="))
    page.locator(".puzzle-board a[data-token]").first.click()
    page.wait_for_url(re.compile("answer="))
    expect(page.locator(".puzzle-verdict")).to_be_visible()
    assert_no_barrier(page)
    assert_fits(page)
    page.get_by_role("link", name="After the best move").click()
    page.wait_for_url(re.compile("look=best"))
    expect(page.locator(".puzzle-looks a[aria-current]")).to_have_text("After the best move")
    before = page.url
    page.get_by_role("link", name="Next puzzle").click()
    expect(page.get_by_text("Find the best move.")).to_be_visible()
    assert page.url.partition("?")[0] != before.partition("?")[0]


@pytest.mark.parametrize("script", [True, False])
def test_a_puzzle_is_solved_by_keys_alone(visitor: Visitor, script: bool) -> None:
    page = visitor(java_script_enabled=script)
    page.goto(f"/train/{GAME}")
    page.locator(".puzzle-moves summary").focus()
    page.keyboard.press("Enter")
    button = page.locator(".puzzle-moves button").first
    expect(button).to_be_visible()
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".puzzle-verdict")).to_be_visible()


def test_a_board_without_script_asks_to_confirm_a_move(visitor: Visitor) -> None:
    page = visitor(java_script_enabled=False)
    page.goto(f"/train/{GAME}")
    page.locator(".puzzle-board a[href]").first.click()
    page.wait_for_url(re.compile("pick="))
    page.locator(".puzzle-board a[data-token]").first.click()
    page.wait_for_url(re.compile("choice="))
    page.get_by_role("button", name=re.compile("^Answer: ")).click()
    expect(page.locator(".puzzle-verdict")).to_be_visible()


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("width", [1280, 320])
def test_moves_are_marked_by_keys_and_the_solution_says_what_was_missed(
    visitor: Visitor, script: bool, width: int
) -> None:
    page = visitor(java_script_enabled=script, viewport={"width": width, "height": 740})
    page.goto(f"/train/{GAME}")
    marks = page.locator(".puzzle-marks")
    marks.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")  # which is no answer
    box = marks.get_by_role("checkbox").first
    expect(box).to_be_checked()
    assert_fits(page)
    if script:
        assert_no_barrier(page)
    else:
        page.get_by_role("button", name="Keep the marks").click()
    page.locator(".puzzle-board a[href]").first.click()
    page.wait_for_url(re.compile("pick=.*mark|mark.*pick="))
    expect(box).to_be_checked()
    page.locator(".puzzle-board a[data-token]").first.click()
    if not script:
        page.get_by_role("button", name=re.compile("^Answer: ")).click()
    expect(page.locator(".puzzle-verdict")).to_be_visible()
    expect(page.get_by_text(re.compile("You had (not )?considered|Tempting at first glance"))).to_be_visible()
