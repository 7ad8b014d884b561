"""Boards in large windows, and drawings of Solo of 20 x 20 squares: they scroll, their squares large enough."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser import Visitor, assert_fits
from tests.support.play import GAMES, begin, unfold, wait_for_connection, wait_for_turn

LINE = "#" * 20
SQUARE = "\n".join([LINE, *["." * 20] * 18, "o" + "." * 19])
COLUMN = "\n".join(LINE)
LEAST_SQUARE_PX = 24  # the least target of WCAG 2.2


@pytest.mark.parametrize(
    ("drawing", "width", "height"), [(LINE, 360, 640), (SQUARE, 360, 640), (COLUMN, 1280, 720)]
)
def test_a_large_board_scrolls_within_its_frame(
    visitor: Visitor, drawing: str, width: int, height: int
) -> None:
    page = visitor(viewport={"width": width, "height": height})
    page.goto("/games/solo")
    unfold(page)
    page.locator("[name='board.drawn']").fill(drawing)
    page.get_by_role("button", name="Play", exact=True).click()
    wait_for_connection(page)
    page.wait_for_load_state()  # with its style sheets
    board = page.locator("#board .board")
    box = board.bounding_box()
    assert box is not None
    assert max(box["width"], box["height"]) / 21 >= LEAST_SQUARE_PX
    assert_fits(page)
    frame = page.locator("#board")
    assert frame.evaluate("el => el.scrollWidth > el.clientWidth || el.scrollHeight > el.clientHeight")
    frame.evaluate("el => el.scrollTo(1e6, 1e6)")
    corner = frame.evaluate("el => el.scrollLeft + el.scrollTop")
    assert corner > 0


def test_a_board_dragged_by_its_corner_keeps_its_size(visitor: Visitor) -> None:
    page = visitor()
    begin(page, "dodgem")
    board = page.locator("#board")
    whole = board.bounding_box()
    assert whole
    x, y, width, height = whole["x"], whole["y"], whole["width"], whole["height"]
    page.mouse.move(x + width - 6, y + height - 6)
    page.mouse.down()
    page.mouse.move(x + 0.7 * width, y + 0.7 * height)
    page.mouse.up()
    page.reload()
    small = board.bounding_box()
    assert small
    assert 0.65 < small["width"] / width < 0.75


@pytest.mark.parametrize("game", GAMES)
def test_a_board_has_seventy_per_cent_of_a_large_window_and_the_tools_are_seen_beside_it(
    visitor: Visitor, game: str
) -> None:
    page = visitor()
    begin(page, game)
    wait_for_turn(page)
    for width, height in ((1920, 1080), (2560, 1440), (3840, 2160)):
        page.set_viewport_size({"width": width, "height": height})
        box = page.locator("#board .board").bounding_box()
        assert box is not None
        assert box["height"] > 0.695 * height, (width, box)
        expect(page.locator("#tools")).to_be_in_viewport(ratio=1)
        expect(page.locator("#status .prompt")).to_be_in_viewport(ratio=1)
        assert_fits(page)
