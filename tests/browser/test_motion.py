"""Pieces are seen to move, except where the reader has asked for reduced motion."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

import pytest
from playwright.sync_api import expect

import smallchange
from tests.support.browser import Visitor
from tests.support.play import (
    FOR_TWO,
    GAMES,
    WITHOUT_CHANCE,
    at_one_screen,
    begin,
    by_mouse,
    moved_on,
    over,
    ply,
    some_moves,
    wait_for_turn,
)

LUCKY = [game for game in GAMES if smallchange.game(game).sources]
MOVING = """document.getAnimations().map(({ effect }) => effect)
    .filter((effect) => effect.getKeyframes().some((frame) => "translate" in frame || "rotate" in frame))
    .map((effect) => effect.getComputedTiming().endTime)"""
FALLING = """window.fell = {}; const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {
        const id = this.closest("a.piece, .die-choice")?.id;
        const end = how.delay + how.duration;
        if ("rotate" in frames || "scale" in frames) fell[id] = Math.max(fell[id] ?? 0, end);
        return animate.call(this, frames, how);
    }"""
PLACES = """[...document.querySelectorAll("a.piece")].map((el) => el.getBoundingClientRect().toJSON())"""
THROWN = """[...document.querySelectorAll("[data-fell], .die-choice.fell")]
    .map((el) => el.dataset.fell ?? el.id)"""


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


@pytest.mark.parametrize("game", LUCKY[:1])
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
            wait_for_turn(page)
            thrown = page.evaluate(THROWN)
    fell: dict[str, float] = page.evaluate("fell")
    assert set(thrown) <= fell.keys()
    assert max(fell.values()) < 1000
    expect(page.locator(".rolled").first).to_be_attached()


def test_any_touch_or_key_ends_what_moves(visitor: Visitor) -> None:
    page = visitor(reduced_motion="no-preference")
    at_one_screen(page, WITHOUT_CHANCE)
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


TURNS = """window.turns = []; document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    const [step] = document.querySelectorAll("#log li");
    if (step && step.id !== turns.at(-1)?.id)
        turns.push({id: step.id, seat: step.className, at: performance.now()});
}).observe(document, {subtree: true, childList: true}))"""


def test_the_turns_of_a_bot_are_seen_one_after_another_and_once_more(visitor: Visitor) -> None:
    page, luck = visitor(reduced_motion="no-preference"), Random(1)
    page.clock.install()  # the page's timers keep to it however busy the machine is
    page.add_init_script(TURNS)
    begin(page, FOR_TWO[0])
    for _ in range(6):
        wait_for_turn(page)
        since = ply(page)
        page.locator("#actions .buttons button[name=token]").last.click()  # the turn ends
        moved_on(page, since)
        wait_for_turn(page)
    turns = page.evaluate("turns")
    shown_ms = [
        later["at"] - earlier["at"] for earlier, later in pairwise(turns) if "seat-1" in earlier["seat"]
    ]
    assert min(shown_ms) >= 150
    shown = page.locator("#board .board").inner_html()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.locator("#replay").click()
    expect(page.locator("#main.playing")).to_be_attached()
    page.locator("#board .board").click(position={"x": 5, "y": 5})  # skips, and does nothing else
    expect(page.locator("#main.playing")).not_to_be_attached()
    expect(page.locator("#refusal")).to_be_empty()
    assert _pieces(page.locator("#board .board").inner_html()) == _pieces(shown)
    page.clock.resume()
    by_mouse(page, luck)


def _pieces(markup: str) -> list[str]:
    return re.findall(r'id="p-[^"]*"[^>]*transform="[^"]*"', markup)
