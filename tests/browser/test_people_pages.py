"""Pages of accounts and keepers: by forms alone, on a narrow phone, and without a barrier for a screen reader."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from smallchange.server import admin
from smallchange.server.settings import Settings
from tests.support.accessibility import assert_no_barrier
from tests.support.browser import Server, Visitor, assert_fits
from tests.support.play import FOR_TWO

PASSWORD = "correct horse battery"
PHONE = {"width": 360, "height": 640}


def sign_up(page: Page, name: str) -> None:
    page.goto("/account")
    page.locator("#new-name").fill(name)
    page.locator("#new-password").fill(PASSWORD)
    page.get_by_role("button", name="Create an account", exact=True).click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def assert_well(page: Page) -> None:
    """Check that a page fits its screen and has no barrier."""
    assert_fits(page)
    assert_no_barrier(page)


def test_people_meet_report_and_keep_on_a_phone_without_a_barrier_or_by_forms_alone(
    visitor: Visitor, server: Server
) -> None:
    ann, bo = visitor(viewport=PHONE), visitor(java_script_enabled=False)
    ann.goto("/account")
    assert_well(ann)
    sign_up(ann, "Agathe the kind")
    sign_up(bo, "Balthasar")
    admin.order(Settings(database=server.database), "appoint", "Agathe the kind")
    bo.goto("/people/Agathe the kind")
    bo.locator("#time").select_option("1d+3d")
    bo.get_by_role("button", name="Send the challenge").click()
    for path in ("/notifications", "/account", "/people/Balthasar", "/play", f"/ratings/{FOR_TWO[0]}"):
        ann.goto(path)
        assert_well(ann)
    ann.goto("/notifications")
    expect(ann.get_by_text("You have been challenged to a game.")).to_be_visible()
    ann.locator(".table-rows a").first.click()
    expect(ann.get_by_role("button", name="Accept")).to_be_visible()
    assert_well(ann)
    ann.get_by_role("button", name="Accept").click()
    ann.wait_for_url("**/m/*")
    table = ann.url
    for person in (bo, ann):
        person.goto(f"{table}/report")
        person.get_by_label("an offensive name").first.check()
        person.get_by_role("button", name="Report a player").click()
    ann.goto("/keepers")
    expect(ann.locator("main")).to_contain_text("Balthasar")
    assert_well(ann)
    keep_by_forms_alone(visitor(java_script_enabled=False))


def keep_by_forms_alone(keeper: Page) -> None:
    """Hide a reported name, ban its account, let it in again, and read the log, without scripts."""
    keeper.goto("/account")
    keeper.locator("#name").fill("Agathe the kind")
    keeper.locator("#password").fill(PASSWORD)
    keeper.get_by_role("button", name="Sign in", exact=True).click()
    keeper.get_by_role("link", name="For moderators").click()
    report = keeper.get_by_role("region", name="Balthasar").first
    report.get_by_label("Note").fill("a slur, twice")
    report.get_by_role("button", name="Ban").click()
    expect(keeper.get_by_role("region", name="Balthasar")).to_have_count(0)
    keeper.get_by_role("button", name="Lift the ban Balthasar").click()
    log = keeper.locator(".table-rows").last.locator("li")
    expect(log.nth(0)).to_contain_text("Balthasar, ban lifted")
    expect(log.nth(1)).to_contain_text("Balthasar, banned a slur, twice")
    keeper.get_by_role("button", name="Close").click()
    expect(keeper.get_by_text("No report is open.")).to_be_visible()
