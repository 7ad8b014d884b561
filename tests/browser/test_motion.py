"""What is seen to move, and what is not where motion is reduced."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import expect

import smallchange

from .conftest import Visitor
from .playing import FOR_TWO, GAMES, at_one_screen, begin, by_mouse, moved_on, over, ply, settled
from .test_page import some_moves

LUCKY = [game for game in GAMES if smallchange.game(game).sources]
MOVING = """document.getAnimations().map(({ effect }) => effect)
    .filter((effect) => effect.getKeyframes().some((frame) => "translate" in frame || "rotate" in frame))
    .map((effect) => effect.getComputedTiming().endTime)"""
FALLING = """window.fell = {}; const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {
        const id = this.closest("a.piece, .die-pick").id;
        if ("rotate" in frames || "scale" in frames) fell[id] = how.delay + how.duration;
        return animate.call(this, frames, how);
    }"""
PLACES = """[...document.querySelectorAll("a.piece")].map((el) => el.getBoundingClientRect().toJSON())"""
THROWN = (
    """[...document.querySelectorAll("[data-fell], .die-pick.fell")].map((el) => el.dataset.fell ?? el.id)"""
)


def test_pieces_slide_under_a_second_and_not_at_all_where_motion_is_reduced(visitor: Visitor) -> None:
    for motion, expected in (("no-preference", True), ("reduce", False)):
        page = visitor(reduced_motion=motion)
        begin(page, GAMES[0])
        page.evaluate(
            f"""() => {{ window.seen = []; new MutationObserver(() => window.seen.push(...{MOVING}))
            .observe(document.body, {{subtree: true, childList: true, attributes: true}}); }}"""
        )
        some_moves(page, 3)
        seen = page.evaluate(f"[...window.seen, ...{MOVING}]")
        assert bool(seen) is expected
        assert all(end < 1000 for end in seen)


@pytest.mark.parametrize("game", LUCKY)
def test_what_chance_answers_with_is_seen_to_fall(visitor: Visitor, game: str) -> None:
    page, luck = visitor(reduced_motion="no-preference"), Random(1)
    thrown: list[str] = []
    page.add_init_script(FALLING)
    while not thrown:
        begin(page, game)
        while not thrown and not over(page):
            since = ply(page)
            by_mouse(page, luck)
            moved_on(page, since)
            settled(page)
            thrown = page.evaluate(THROWN)
    fell: dict[str, float] = page.evaluate("fell")
    assert set(thrown) <= fell.keys()
    assert max(fell.values()) <= 300
    expect(page.locator(".rolled").first).to_be_attached()


def test_any_touch_or_key_ends_what_moves(visitor: Visitor) -> None:
    page = visitor(reduced_motion="no-preference")
    at_one_screen(page, FOR_TWO[-1])
    slow = page.context.new_cdp_session(page)
    slow.send("Animation.enable")
    slow.send("Animation.setPlaybackRate", {"playbackRate": 0.001})
    for touch in ("click", "key"):
        some_moves(page, 1)
        assert page.evaluate(MOVING)
        began = page.evaluate(PLACES)
        page.mouse.click(1, 1) if touch == "click" else page.keyboard.press("Shift")
        assert page.evaluate(MOVING) == []
        ended = page.evaluate(PLACES)
        assert ended != began
    page.reload()
    assert page.evaluate(PLACES) == ended
