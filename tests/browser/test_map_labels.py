"""The letters on the hexes of a map are large enough, and nothing crosses or covers them."""

from __future__ import annotations

from random import Random

from tests.support.browser import Visitor
from tests.support.play import at_one_screen, begin, moved_on, over, ply, some_moves, wait_for_turn


def test_the_names_of_spaces_can_be_read_on_a_phone_on_its_side_too(visitor: Visitor) -> None:
    page = visitor()
    begin(page, "coin-age")
    pixels = "(name) => name.getScreenCTM().a * parseFloat(getComputedStyle(name).fontSize)"
    for width, height in ((360, 640), (740, 360)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator("#board .on-hex").first.evaluate(pixels) >= 12


# what is written on the hexes and would cross the outline of the last move, were it around that hex
CROSSED = """() => {
  const outline = document.querySelector(".last-move polygon");
  const pen = document.createElement("canvas").getContext("2d");
  const spots = [...document.querySelectorAll("#board .spot")].map((el) => el.transform.baseVal[0].matrix);
  const crosses = (text) => {
    const { fontSize, fontFamily } = getComputedStyle(text);
    Object.assign(pen, { font: `${100 * parseFloat(fontSize)}px ${fontFamily}`, textAlign: "center" });
    const ink = pen.measureText(text.textContent);
    const [x, y] = [+text.getAttribute("x"), +text.getAttribute("y")];
    const off = ({ e, f }) => Math.hypot(x - e - 50, y - f - 50);
    const { e, f } = spots.sort((a, b) => off(a) - off(b))[0];
    return [x - ink.actualBoundingBoxLeft / 100, x + ink.actualBoundingBoxRight / 100].some((at) =>
      [y - ink.actualBoundingBoxAscent / 100, y + ink.actualBoundingBoxDescent / 100].some((level) => {
        const corner = new DOMPoint(at - e, level - f);
        return !outline.isPointInFill(corner) || outline.isPointInStroke(corner);
      }));
  };
  return [...document.querySelectorAll("#board .on-hex")].filter(crosses).map((text) => text.textContent);
}"""


def test_the_outline_of_the_last_move_crosses_no_name_of_a_space(visitor: Visitor) -> None:
    page = visitor()
    begin(page, "coin-age")
    while not page.locator("#board .last-move").count():
        some_moves(page, 1)
        wait_for_turn(page)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 720})
        assert page.evaluate(CROSSED) == []


# the names of spaces of which a coin covers some; a coin is as high as wide, below it lies its shadow
COVERED = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  const coins = [...document.querySelectorAll("#board .pieces use")].map((el) => el.getBoundingClientRect());
  const covered = (text) => {
    const { fontSize, fontFamily } = getComputedStyle(text), { a, f } = text.getScreenCTM();
    Object.assign(pen, { font: `${100 * parseFloat(fontSize)}px ${fontFamily}` });
    const ascent = pen.measureText(text.textContent).actualBoundingBoxAscent / 100;
    const top = f + a * (text.getAttribute("y") - ascent);
    const { left, right, bottom } = text.getBoundingClientRect();
    const beside = (coin) => coin.right < left || right < coin.left;
    return coins.some((coin) => !beside(coin) && coin.top < bottom && top < coin.top + coin.width);
  };
  return [...document.querySelectorAll("#board .on-hex")].filter(covered).map((text) => text.textContent);
}"""


def test_the_largest_coin_covers_no_name_of_a_space(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 360, "height": 720})
    at_one_screen(page, "coin-age")
    luck = Random(9)
    while not page.locator("#board [id^='p-'][id*='-4-']").count():
        wait_for_turn(page)
        if over(page):
            at_one_screen(page, "coin-age")
            continue
        since, moves = ply(page), page.locator("#actions button[name=token]")
        moves.nth(luck.randrange(moves.count())).dispatch_event("click")
        moved_on(page, since)
    assert page.evaluate(COVERED) == []
