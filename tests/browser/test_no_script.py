"""Without script: by links and forms alone, and the page comes anew by itself while it is another's turn."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import expect

from smallchange.core import record
from tests.support.browser import Visitor
from tests.support.play import (
    FOR_ONE,
    FOR_TWO,
    GAMES,
    WITHOUT_CHANCE,
    begin,
    begin_short,
    by_links,
    invite,
    moved_on,
    over,
    play_out,
    ply,
    sit_down,
    some_moves,
    wait_for_turn,
)

WHOLE = (FOR_ONE[-1], FOR_TWO[0])


@pytest.mark.parametrize("game", WHOLE)
def test_a_game_is_played_to_its_end_and_leaves_its_record_and_its_proof(visitor: Visitor, game: str) -> None:
    page = visitor(java_script_enabled=False)
    begin_short(page, game, scripted=False)
    play_out(page, by_links, Random(5))
    table, steps = page.url, page.locator("#log li").count()
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)
    page.locator("#more > summary").click()
    with page.expect_download() as kept:
        page.get_by_role("link", name="Record").click()
    match = record.read(Path(kept.value.path()).read_text(encoding="utf-8"))
    assert match.over
    assert len(match.steps) == steps
    page.locator("#to-back").click()
    expect(page.locator("#table-data")).not_to_have_attribute("data-at", str(steps))
    page.get_by_role("link", name="Back to now").click()
    page.locator("#more > summary").click()
    page.get_by_role("link", name="Verify the luck").click()
    expect(page.get_by_text("Verified:")).to_be_visible()
    page.get_by_role("link", name="Back to the table").click()
    page.get_by_role("button", name=re.compile("^(Play again|Rematch)")).click()
    expect(page.locator("#board")).to_be_visible()
    assert page.url != table


@pytest.mark.parametrize("game", [game for game in GAMES if game not in WHOLE][:1])
def test_a_game_is_played_by_links_and_buttons_and_back_shows_how_it_stands(
    visitor: Visitor, game: str
) -> None:
    page, luck = visitor(java_script_enabled=False), Random(5)
    begin(page, game, scripted=False)
    wait_for_turn(page)
    for _ in range(3):
        since = ply(page)
        by_links(page, luck)
        moved_on(page, since)
        wait_for_turn(page)
        now = ply(page)
        page.go_back()
        expect(page.locator("#table-data")).to_have_attribute("data-ply", str(now))
        if over(page):
            break


def test_the_others_move_is_seen_though_one_does_nothing(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor(java_script_enabled=False)
    sit_down(bo, invite(ann, WITHOUT_CHANCE))
    since = ply(bo)
    some_moves(ann, 1)
    moved_on(bo, since)
    by_links(bo, Random(5))
    moved_on(ann, since + 1)
