"""A board drawn by mouse, touch and keyboard: checked as one draws, and played by its link."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.support.accessibility import assert_no_barrier
from tests.support.browser import Visitor

CELL = '#sheet [data-x="{x}"][data-y="{y}"]'
RECTANGLE = "#####\n" * 4


def drawing(page: Page) -> str:
    return page.locator("#drawing").input_value()


def drag(page: Page, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Draw over places with the mouse."""
    centres = []
    for x, y in (start, end):
        box = page.locator(CELL.format(x=x, y=y)).bounding_box()
        assert box
        centres.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    page.mouse.move(*centres[0])
    page.mouse.down()
    page.mouse.move(*centres[1], steps=20)
    page.mouse.up()


def test_a_board_is_drawn_by_mouse_and_keyboard_and_its_link_plays_it(visitor: Visitor) -> None:
    ann = visitor()
    ann.goto("/games/solo/draw")
    assert drawing(ann) == RECTANGLE.strip()
    drag(ann, (2, 5), (6, 5))  # the lowest row goes
    expect(ann.locator("#fault-board")).to_contain_text("exactly 20 tiles (#), not 15")
    drag(ann, (2, 1), (6, 1))
    expect(ann.locator("#fault-board")).to_be_empty()
    assert drawing(ann) == RECTANGLE.strip()
    ann.keyboard.press("ArrowRight")  # from the place where the stroke began
    ann.keyboard.press("Delete")
    assert drawing(ann).splitlines()[0] == "#.###"
    ann.keyboard.press("ArrowUp")
    ann.keyboard.press("Space")
    expect(ann.locator("#fault-board")).to_be_empty()
    assert drawing(ann).splitlines()[:2] == [".#...", "#.###"]
    ann.keyboard.press("Control+z")
    expect(ann.locator("#fault-board")).to_contain_text("not 19")
    ann.keyboard.press("Space")
    expect(ann.locator("#fault-board")).to_be_empty()
    assert_no_barrier(ann)
    drawn = drawing(ann)
    ann.get_by_role("button", name="Use this board").click()
    ann.wait_for_url("**/games/solo?*")
    bo = visitor()
    bo.goto(ann.url)
    bo.get_by_role("link", name="Draw it by touch").click()
    bo.wait_for_url("**/draw?*")
    assert drawing(bo) == drawn
    bo.go_back()
    bo.get_by_role("button", name="Play", exact=True).last.click()
    expect(bo.locator(".table-footer")).to_contain_text("drawn by hand")


def test_regions_of_a_map_are_named_as_one_draws(visitor: Visitor) -> None:
    ann = visitor()
    ann.goto("/games/coin-age/draw?map.drawn=a+a+b%0A+b+b")
    ann.get_by_label("Region a").last.fill("Old  Port ")
    assert drawing(ann).endswith("\na = Old Port")
    ann.get_by_label("Region b").last.fill("<b>")
    expect(ann.locator(".fault-line")).to_contain_text("the name of region b has letters", ignore_case=True)
    ann.get_by_label("Region b").last.fill("")
    expect(ann.locator(".fault-line")).to_be_empty()
    assert_no_barrier(ann)
