"""Clocks of a live game, as two people see them."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.support.browser import Visitor
from tests.support.play import (
    WITHOUT_CHANCE,
    expect_rows,
    post_first_move,
    some_moves,
    unfold,
    wait_for_connection,
)


def begin_live_game(ann: Page, bo: Page) -> None:
    """Let two sit down at a table of five minutes each, whose first clock runs."""
    ann.goto(f"/games/{WITHOUT_CHANCE}")
    unfold(ann)
    for select in ann.locator("select[name^='seat.']").all()[1:]:
        select.select_option("open")
    ann.get_by_label("Time", exact=True).select_option("5+3")
    ann.get_by_role("button", name="Play", exact=True).click()
    link = ann.locator("#invite-link").get_attribute("href")
    assert link
    expect(ann.locator("#clocks [role=timer]")).to_have_count(0)
    bo.goto(link)
    bo.get_by_role("button", name="Take the seat").click()
    for page in (ann, bo):
        expect(page.locator("#clocks [role=timer]")).to_have_count(2)
        expect(page.locator("#clocks .running")).to_have_count(1)


@pytest.mark.parametrize("ahead_s", [120, -300])
def test_clocks_are_right_on_a_device_whose_clock_is_set_wrong(visitor: Visitor, ahead_s: int) -> None:
    ann, bo = visitor(), visitor()
    for page in (ann, bo):
        page.add_init_script(f"const now = Date.now; Date.now = () => now() + {ahead_s * 1000}")
    begin_live_game(ann, bo)
    some_moves(ann, 1)
    for page in (ann, bo):
        page.reload()
        running = page.locator("#clocks .running [role=timer]")
        expect(page.locator("#log li")).to_have_count(1)
        expect(running).to_have_text(re.compile(r"[01]:\d\d"))
        before_s = time.time()
        text, deadline = running.evaluate("(clock) => [clock.textContent, Number(clock.dataset.deadline)]")
        after_s = time.time()
        minutes, seconds = map(float, text.split(":"))
        left_s = 60 * minutes + seconds
        assert deadline / 1000 - after_s - 2 < left_s < deadline / 1000 - before_s + 3


def test_without_a_socket_too_the_others_clock_is_not_known_while_the_server_is_away(
    visitor: Visitor,
) -> None:
    ann, bo = visitor(), visitor()
    bo.route_web_socket("**/ws*", lambda line: line.close())
    begin_live_game(ann, bo)
    post_first_move(ann)
    expect_rows(bo, 1)
    post_first_move(bo)
    expect_rows(ann, 2)
    expect_rows(bo, 2)
    running = bo.locator("#clocks .running [role=timer]")
    expect(running).to_have_text(re.compile(r"[45]:\d\d"))
    bo.wait_for_load_state()  # with its scripts
    bo.context.set_offline(True)
    expect(running).to_have_text("?:??")
    bo.context.set_offline(False)
    expect(running).to_have_text(re.compile(r"[45]:\d\d"))


def test_the_others_clock_is_not_known_before_the_table_is_heard_of_again(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor()
    lines: list[WebSocketRoute] = []

    def join(line: WebSocketRoute) -> None:
        lines.append(line)
        if len(lines) == 1:
            line.connect_to_server()

    bo.route_web_socket("**/ws*", join)
    begin_live_game(ann, bo)
    wait_for_connection(bo)
    lines[-1].close()
    shown = """() => document.getElementById("connection").textContent === "Connected again."
      && document.querySelector("#clocks .running [role=timer]").textContent"""
    assert bo.wait_for_function(shown).json_value() == "?:??"


def test_two_see_one_clock_run_and_two_minutes_and_half_a_minute_are_said_once(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor()
    begin_live_game(ann, bo)
    running = ann.locator("#clocks .running [role=timer]")
    expect(running).to_have_text(re.compile(r"0:5\d"))  # a minute for the first turn, and it goes on
    expect(ann.locator("#clocks .running")).to_contain_text("First move:")
    expect(ann.locator("#clocks .clock")).to_have_text(["5:00", "5:00"])
    for left_ms, shown, said in (
        (120_500, "2:00", "Two minutes left."),
        (30_500, "0:30", "Thirty seconds left."),
    ):
        running.evaluate("(clock, left) => { clock.dataset.deadline = Date.now() + left; }", left_ms)
        expect(running).to_have_text(shown)
        expect(ann.locator("#announcements")).to_contain_text(said)
        assert (ann.locator("#announcements").text_content() or "").count(said) == 1
    expect(bo.get_by_role("button", name="Abort the game")).to_be_visible()
    bo.get_by_role("button", name="Abort the game").click()
    for page in (ann, bo):
        expect(page.locator("#status")).to_contain_text("aborted before each side had moved")
        expect(page.locator("#clocks .running")).to_have_count(0)
