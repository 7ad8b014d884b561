"""Pieces dragged, by the mouse and by a finger."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Visitor
from tests.support.play import (
    FOR_TWO,
    WITHOUT_CHANCE,
    at_one_screen,
    begin,
    middle,
    moved_on,
    over,
    ply,
    some_moves,
    wait_for_turn,
)

DRAGS = """() => [...document.querySelectorAll("#move-details button")]
    .map((el) => el.dataset.path.split(" "))
    .filter((path) => path.length > 1 && document.getElementById("p-" + path[0])?.closest(".pieces"))"""
TILES = """() => [...document.querySelectorAll("#move-details button")]
    .map((el) => el.dataset.path.split(" "))
    .filter((path) => path.length > 1 && document.getElementById("p-" + path[0])?.closest(".tiles"))
    .map(([tile]) => tile)"""
ON_TOP = """([x, y, id]) =>
    document.elementsFromPoint(x, y).find((el) => el.closest(".piece")).closest("a").id === id"""


def test_a_piece_is_dragged_to_where_it_goes(visitor: Visitor) -> None:
    page = visitor()
    begin(page, WITHOUT_CHANCE)
    wait_for_turn(page)
    since = ply(page)
    start, goal = page.locator("#move-details button").first.get_attribute("data-path").split(" ")  # type: ignore[union-attr]
    page.locator(f"[id='p-{start}'] .hit").hover()
    page.mouse.down()
    page.mouse.move(*middle(page.locator(f"[id='s-{goal}']")), steps=5)
    page.mouse.up()
    moved_on(page, since)


def test_a_piece_that_is_dropped_nowhere_stays_picked_and_back_where_it_was_is_let_go(
    visitor: Visitor,
) -> None:
    page = visitor()
    begin(page, WITHOUT_CHANCE)
    wait_for_turn(page)
    path = page.locator("#move-details button").first.get_attribute("data-path") or ""
    piece = page.locator(f"[id='p-{path.split()[0]}'] .hit")
    board, home = page.locator("#board .board").bounding_box(), piece.bounding_box()
    assert board is not None
    assert home is not None
    x, y = home["x"] + home["width"] / 2, home["y"] + home["height"] / 2
    for goal, said, picked in (
        ((board["x"] + 2, board["y"] + 2), "^Rings show where it can go", 1),
        ((x + 2, y + 2), "^$", 0),
        ((1, 1), "^Rings show where it can go", 1),
    ):
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 60, y + 60, steps=3)
        expect(page.locator("a.picked")).to_have_count(1)
        page.mouse.move(*goal, steps=3)
        page.mouse.up()
        expect(page.locator("#refusal")).to_have_text(re.compile(said))
        expect(page.locator("a.picked")).to_have_count(picked)


def drags(page: Page) -> list[list[str]]:
    """Return the pieces that can be dragged now, each with its first target."""
    found: list[list[str]] = page.evaluate(DRAGS)
    return [path[:2] for path in found]


def test_a_tile_lies_where_it_is_and_is_not_dragged(visitor: Visitor) -> None:
    page = visitor()
    while not (tiles := page.evaluate(TILES)):
        begin(page, "thrag")
        wait_for_turn(page)
    x, y = middle(page.locator(f"[id='p-{tiles[0]}'] .hit"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y, steps=3)
    expect(page.locator("a.picked")).to_have_count(0)
    page.mouse.up()
    expect(page.locator("a.picked")).to_have_count(1)


def test_a_finger_drags_a_piece_and_does_not_scroll(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    begin(page, WITHOUT_CHANCE)
    wait_for_turn(page)
    since, (start, goal) = ply(page), drags(page)[0]
    x, y = middle(page.locator(f"[id='p-{start}'] .hit"))
    to_x, to_y = middle(page.locator(f"[id='s-{goal}']"))
    finger = page.context.new_cdp_session(page)
    seen = page.evaluate("scrollY")
    ways = [("touchStart", 0.0), *(("touchMove", k / 8) for k in range(1, 9))]
    for kind, way in ways:
        at = {"x": x + way * (to_x - x), "y": y + way * (to_y - y)}
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
    assert page.evaluate("scrollY") == seen
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    moved_on(page, since)


def test_a_second_finger_puts_back_what_the_first_one_drags(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    at_one_screen(page, WITHOUT_CHANCE)
    id = drags(page)[0][0]
    x, y = middle(page.locator(f"#p-{id}"))
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", (x, y))
    for far in (10, 20, 40):
        touch("touchMove", (x + far, y))
    expect(page.locator(".held")).to_have_count(1)
    touch("touchStart", (x + 40, y), (x + 60, y + 100))
    touch("touchMove", (x + 60, y), (x + 70, y + 120))
    touch("touchEnd")
    expect(page.locator(".held")).to_have_count(0)
    expect(page.locator(f"#p-{id}")).to_have_css("translate", "none")
    expect(page.locator(".picked")).to_have_count(0)
    assert ply(page) == 0


@pytest.mark.parametrize("game", [FOR_TWO[0], WITHOUT_CHANCE])  # with trays, and without
def test_what_is_dragged_lies_on_top_until_it_is_back(visitor: Visitor, game: str) -> None:
    """On its way across the board, from a tray too; what can be dragged at some decision of a game."""
    page = visitor(viewport={"width": 1280, "height": 1000})  # nothing scrolls
    begin(page, game)
    tried = set()
    for _ in range(6):
        wait_for_turn(page)
        if over(page):
            break
        for start, goal in drags(page):
            area = page.locator(f"svg:has([id='p-{start}'])").get_attribute("id")
            if area not in tried:
                tried.add(area)
                drag_and_return(page, start, goal)
        some_moves(page, 1)
    assert tried


def drag_and_return(page: Page, start: str, goal: str) -> None:
    """Drag a piece over the board and its pieces, look, and drop it where it was."""
    order = "(id) => [...document.getElementById(id).parentNode.children].map((el) => el.id)"
    before = page.evaluate(order, f"p-{start}")
    home = middle(page.locator(f"[id='p-{start}'] .hit"))
    page.mouse.move(*home)
    page.mouse.down()
    for other in [page.locator("#board .board"), *page.locator("#board .piece .hit").all()[:6]]:
        x, y = middle(other)
        page.mouse.move(x, y, steps=2)
        assert page.evaluate(ON_TOP, [x, y, f"p-{start}"]), (start, other)
    page.mouse.move(*home, steps=2)
    page.mouse.up()
    expect(page.locator("a.picked")).to_have_count(0)
    assert page.evaluate(order, f"p-{start}") == before
