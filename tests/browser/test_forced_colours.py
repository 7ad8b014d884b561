"""Forced colours: pieces look as ever, and what can be done is marked in the colours of the system."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser import Visitor
from tests.support.play import FOR_TWO, GAMES, begin, live_ids, over, some_moves, wait_for_turn

# colours of all that is drawn, but of what marks it
DRAWN = """() => [...document.querySelectorAll(".area *, .alone *")]
    .filter((el) => !el.closest(".ring, .focus, .preview, .last-move, .match"))
    .map((el) => getComputedStyle(el)).map(({ fill, stroke, color }) => [fill, stroke, color].join())"""
SYSTEM = """name => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = name;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}"""
# what one can press and has no line around it; what one can touch and has no ring in this colour
BARE = """() => [...document.querySelectorAll("#actions .btn, .die-choice")]
    .filter((el) => el.checkVisibility())
    .map((el) => [el.id || el.textContent, getComputedStyle(el)])
    .filter(([, { borderWidth, borderColor, backgroundColor }]) =>
      !parseFloat(borderWidth) || borderColor === backgroundColor)
    .map(([name]) => name)"""
RINGLESS = """colour => [...document.querySelectorAll("a.live")]
    .map((el) => [el.id, el.querySelector(".ring")])
    .filter(([, ring]) => !ring?.checkVisibility() || getComputedStyle(ring).stroke !== colour)
    .map(([id]) => id)"""


def test_colours_chosen_by_hand_leave_the_signs_of_suits_to_be_seen(visitor: Visitor) -> None:
    page = visitor(color_scheme="dark", forced_colors="active")
    begin(page, "coin-collectors")
    sign = page.locator("#log .suit-M").first
    seen = sign.evaluate("el => getComputedStyle(el).fill")
    table = page.url
    page.goto("/")
    page.get_by_role("button", name="Light", exact=True).click()
    page.goto(table)
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    expect(sign).to_have_css("fill", seen)


def test_a_button_with_a_border_stands_below_what_is_above_it(visitor: Visitor) -> None:
    page = visitor(forced_colors="active")
    begin(page, "coin-collectors")
    button, above = page.locator("#more-actions summary").bounding_box(), page.locator(".log").bounding_box()
    assert button is not None
    assert above is not None
    assert button["x"] >= above["x"]


def test_buttons_with_borders_stand_apart_on_a_card(visitor: Visitor) -> None:
    page = visitor(forced_colors="active")
    page.goto("/")
    play, learn = page.locator(".card").first.locator(".btn").all()[:2]
    assert play.evaluate("el => el.getBoundingClientRect().right") + 2 < learn.evaluate(
        "el => el.getBoundingClientRect().left"
    )


@pytest.mark.parametrize("game", [FOR_TWO[0], GAMES[-1]])
def test_pieces_are_told_apart_as_ever_and_what_can_be_done_stands_out(visitor: Visitor, game: str) -> None:
    page = visitor()
    begin(page, game)
    wait_for_turn(page)
    drawn = page.evaluate(DRAWN)
    page.emulate_media(forced_colors="active")
    assert page.evaluate(DRAWN) == drawn
    highlight, dice = page.evaluate(SYSTEM, "Highlight"), page.locator("#actions label.die-choice")
    for _ in range(2):
        assert live_ids(page) or dice.count()
        assert page.evaluate(BARE) == []
        assert page.evaluate(RINGLESS, highlight) == []
        if dice.count():
            for outline in ("solid", "none"):
                dice.first.click()
                expect(dice.first).to_have_css("outline-style", outline)
        some_moves(page, 1)
        wait_for_turn(page)
        if over(page):
            break
