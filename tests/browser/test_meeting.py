"""Two people who never met find each other, play, are watched, and see their ratings change."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from smallchange.server.table.model.outcome import MIN_COUNTED_MOVES
from tests.support.browser import Visitor, assert_fits
from tests.support.play import moved_on, ply

PASSWORD = "correct horse battery"
GAME = "coin-age"
SLOW = "1d+3d"


def test_two_people_are_paired_play_a_rated_game_are_watched_and_ask_for_another(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor(viewport={"width": 360, "height": 640})
    for page, name in ((ann, "Anneli"), (bo, "Bosse")):
        page.goto("/account")
        page.locator("#new-name").fill(name)
        page.locator("#new-password").fill(PASSWORD)
        page.get_by_role("button", name="Create an account", exact=True).click()
        expect(page.get_by_role("heading", name=name)).to_be_visible()
        page.goto("/play")
        assert_fits(page)
        if page is bo:  # by the list of what others look for
            page.get_by_role("button", name="Join").click()
            continue
        for field, wanted in (
            ("game", GAME),
            ("time", SLOW),
        ):  # a live game ends if the first turn takes a minute
            for box in page.locator(f"[type=checkbox][name={field}]").all():
                box.set_checked(box.get_attribute("value") == wanted)
        page.get_by_role("button", name="Look for an opponent").click()
        page.wait_for_url(re.compile(r"/play/\w+$"))
    for page in (ann, bo):
        page.wait_for_url(re.compile(r"/m/\w+$"))
        expect(page.locator("#seats")).to_contain_text("1500?")
        page.locator("#connection[data-is=open]").wait_for(state="attached")
    eve = visitor()
    eve.goto("/watch")
    expect(eve.locator(".featured")).to_be_visible()
    theirs = eve.locator("#watched :is(section, li)").filter(has_text="Anneli")
    expect(theirs).to_contain_text("Bosse")
    theirs.get_by_role("link").last.click()
    expect(eve.locator("#viewer")).to_contain_text("You are watching")
    moves = {ann: 0, bo: 0}
    while min(moves.values()) < MIN_COUNTED_MOVES:
        before, mover = ply(ann), _on_turn(ann, bo)
        _take_first_move(mover)
        moves[mover] += 1
        for page in (ann, bo, eve):
            moved_on(page, before)
    expect(ann.locator("#watchers")).to_have_text("1 person is watching.")
    bo.locator("#resign-question summary").click()
    bo.locator("#resign-question button").click()
    expect(eve.locator("#status")).to_contain_text("resign")
    for page in (ann, bo):
        expect(page.locator(".ratings")).to_contain_text("(+")
        expect(page.locator(".ratings")).to_contain_text("(−")
        assert_fits(page)
    ann.get_by_role("button", name="Ask for a rematch, seats swapped").press("Enter")
    bo.get_by_role("button", name="Accept").click()
    expect(bo.locator(".table-footer")).to_contain_text("Rated:")
    ann.goto("/people/Bosse")
    expect(ann.locator("main")).to_contain_text("1 rated game")


def _take_first_move(page: Page) -> None:
    """Press the first move of the list, or the only button."""
    every = page.locator("#move-details")
    if every.count():
        every.evaluate("details => (details.open = true)")
        page.locator("#move-details [name=token]").first.click()
    else:
        page.locator("#actions .buttons [name=token]").first.click()


def _on_turn(*pages: Page) -> Page:
    """Return the page of the player who is to move."""
    return next(page for page in pages if page.locator("#actions [name=token]").count())
