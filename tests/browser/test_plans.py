"""Planned moves: chosen on the board while the other is to move, played through a throw, seen by nobody else."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Visitor
from tests.support.play import WITHOUT_CHANCE, invite, live_ids, sit_down, until, wait_for_connection

UR = "royal-ur"


def open_both(visitor: Visitor, game: str) -> tuple[Page, Page]:
    """Return the page of who is to move, and that of the other."""
    ann, bo = visitor(), visitor()
    sit_down(bo, invite(ann, game))
    for page in (ann, bo):
        wait_for_connection(page)
    to_move = "#actions [name=token]"
    until(ann, lambda: ann.locator(to_move).count() or bo.locator(to_move).count())
    return (ann, bo) if ann.locator(to_move).count() else (bo, ann)


def play_listed(page: Page) -> None:
    page.locator("#move-details").evaluate("(list) => list.setAttribute('open', '')")
    page.locator("#move-details button").first.click()


def test_a_premove_is_chosen_by_mouse_dropped_and_chosen_by_keyboard(visitor: Visitor) -> None:
    moves, waits = open_both(visitor, WITHOUT_CHANCE)
    waits.locator("#board").click(position={"x": 5, "y": 5})
    until(waits, lambda: live_ids(waits))
    waits.locator("#board a.live").first.click()
    waits.locator("#board a.live:not(.picked)[data-goal]").first.click()
    expect(waits.locator("#plan")).to_be_visible()
    assert waits.locator(".planned").count() == 2
    expect(moves.locator("#plan")).to_have_count(0)
    waits.keyboard.press("Escape")
    waits.keyboard.press("Escape")
    expect(waits.locator("#plan")).to_have_count(0)
    assert waits.locator(".planned").count() == 0
    waits.locator("#plan-ahead").press("Enter")
    expect(waits.locator("#board a.live:focus")).to_have_count(1)
    waits.keyboard.press("Enter")
    waits.locator("#board a.live:not(.picked)[data-goal]").first.press("Enter")
    expect(waits.locator("#plan")).to_be_visible()
    play_listed(moves)
    for page in (moves, waits):
        expect(page.locator("#log li")).to_have_count(2)
    expect(waits.locator("#plan")).to_have_count(0)


def test_moves_are_planned_for_each_throw_and_played_through_it(visitor: Visitor) -> None:
    moves, waits = open_both(visitor, UR)
    waits.locator("#board").click(position={"x": 5, "y": 5})
    until(waits, lambda: live_ids(waits))
    waits.locator("#board a.live").first.click()
    for n in range(waits.locator("#board a.live:not(.picked)").count()):
        if not waits.locator(".picked").count():
            waits.locator("#board a.live").first.click()
        waits.locator("#board a.live:not(.picked)").nth(n).click()
        expect(waits.locator("#plan li")).to_have_count(n + 1)
    assert "After “" in waits.locator("#plan").inner_text()
    while moves.locator("#actions [name=token]").count():  # a rosette gives another throw
        since = moves.locator("#log li").count()
        play_listed(moves)
        expect(moves.locator("#log li")).not_to_have_count(since)
    until(
        moves, lambda: moves.locator("#actions [name=token]").count() or waits.locator("#plan").count() == 0
    )
    seat = int(waits.locator("#seats").get_attribute("data-yours") or "")
    played = waits.locator(f"#log li.seat-{seat}").count()
    assert played or "throws 0" in waits.locator("#log").inner_text()


@pytest.mark.parametrize("game", [WITHOUT_CHANCE])
def test_a_plan_is_made_by_a_form_without_scripts(visitor: Visitor, game: str) -> None:
    _, waits = open_both(visitor, game)
    plain = waits.context.browser.new_context(  # type: ignore[union-attr]
        java_script_enabled=False, storage_state=waits.context.storage_state()
    ).new_page()
    plain.goto(waits.url)
    plain.locator("#plan-ahead").click()
    plain.locator("#ahead-moves button").first.click()
    expect(plain.locator("#plan")).to_be_visible()
    expect(waits.locator("#plan")).to_be_visible()
    plain.locator("#drop-plan").click()
    expect(plain.locator("#plan")).to_have_count(0)
    plain.context.close()
