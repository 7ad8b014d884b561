"""Passkeys in Chromium, with the virtual authenticator of its debugging protocol."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.support.accessibility import assert_no_barrier
from tests.support.browser import Server, Visitor
from tests.support.play import unfold


@pytest.fixture
def base_url(server: Server) -> str:
    return f"http://localhost:{server.port}"  # passkeys belong to a name, not to an address


def authenticator(page: Page) -> tuple[CDPSession, str]:
    """Plug a virtual authenticator into the browser of a page."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    return session, session.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]


def carry(made: tuple[CDPSession, str], to: tuple[CDPSession, str]) -> None:
    """Carry the passkeys of one authenticator to another, as a phone's maker syncs them."""
    found = made[0].send("WebAuthn.getCredentials", {"authenticatorId": made[1]})["credentials"]
    for credential in found:
        to[0].send("WebAuthn.addCredential", {"authenticatorId": to[1], "credential": credential})


def test_a_guest_signs_up_by_a_passkey_and_a_second_browser_signs_in_without_a_name(
    visitor: Visitor, base_url: str
) -> None:
    first = visitor(base_url=base_url)
    key = authenticator(first)
    first.goto("/games/dodgem")
    unfold(first)
    first.locator("select[name^='seat.']").last.select_option("open")
    first.locator("main form button.primary").last.click()
    first.wait_for_url("**/m/*")
    table = first.url
    first.goto("/account")
    first.locator("#new-name").fill("Nora Passkey")
    first.locator("#passkey-sign-up").click()
    expect(first.locator("h1")).to_have_text("Nora Passkey")
    expect(first.locator("main")).to_contain_text("Passkey 1, made on")

    second = visitor(base_url=base_url)
    carry(key, authenticator(second))
    second.goto("/account")
    second.locator("#passkey-sign-in").click()
    expect(second.locator("h1")).to_have_text("Nora Passkey")
    second.goto(table)
    expect(second.locator("#actions, #board").first).to_be_visible()
    expect(second.locator("body")).not_to_contain_text("You are watching")

    first.goto("/account")
    unfold(first)
    first.get_by_role("button", name="Sign out everywhere else").click()
    second.goto("/account")
    expect(second.locator("h1")).to_have_text("Sign in")
    first.get_by_role("button", name="Sign out").click()
    first.goto("/account")
    expect(first.locator("h1")).to_have_text("Sign in")


def test_an_answer_that_is_sent_again_is_refused(visitor: Visitor, base_url: str) -> None:
    page = visitor(base_url=base_url)
    authenticator(page)
    page.goto("/account")
    page.locator("#new-name").fill("Otto Passkey")
    page.locator("#passkey-sign-up").click()
    expect(page.locator("h1")).to_have_text("Otto Passkey")
    page.get_by_role("button", name="Sign out").click()
    page.goto("/account")
    with page.expect_request("**/passkey/sign-in") as asked:
        page.locator("#passkey-sign-in").click()
    sent: Any = asked.value.post_data_json
    expect(page.locator("h1")).to_have_text("Otto Passkey")
    page.get_by_role("button", name="Sign out").click()
    page.goto("/account")
    assert replay(page, sent) == 403
    assert "Otto" not in page.content()


def replay(page: Page, sent: dict[str, Any]) -> int:
    """Send an answer once more."""
    return page.request.post("/account/passkey/sign-in", data=sent).status


def test_a_passkey_shows_that_it_is_still_oneself_and_the_form_goes_on(
    visitor: Visitor, base_url: str, server: Server
) -> None:
    page = visitor(base_url=base_url)
    authenticator(page)
    page.goto("/account")
    page.locator("#new-name").fill("Quin Passkey")
    page.locator("#passkey-sign-up").click()
    expect(page.locator("h1")).to_have_text("Quin Passkey")
    forget_authentications(server)
    page.goto("/account")
    unfold(page)
    page.locator("#passkey-add").click()
    expect(page.locator("h1")).to_have_text("Confirm that it is you")
    assert_no_barrier(page)
    page.goto("/account")
    unfold(page)
    page.locator("#name").fill("Quinn Passkey")
    page.get_by_role("button", name="Change name").click()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.locator("h1")).to_have_text("Quinn Passkey")


def forget_authentications(server: Server) -> None:
    """Do what ten minutes do."""
    with closing(sqlite3.connect(server.database.removeprefix("sqlite:///"))) as rows, rows:
        rows.execute("UPDATE session SET authenticated = 0")


def test_a_lost_passkey_is_recovered_by_a_code(visitor: Visitor, base_url: str) -> None:
    page = visitor(base_url=base_url)
    authenticator(page)
    page.goto("/account")
    page.locator("#new-name").fill("Pia Passkey")
    page.locator("#passkey-sign-up").click()
    expect(page.locator(".codes code")).to_have_count(10)  # without asking, as for a password
    code = page.locator(".codes code").first.inner_text()
    other: Page = visitor(base_url=base_url)
    other.goto("/account")
    other.locator("#name").fill("Pia Passkey")
    other.locator("#password").fill(code)
    other.locator("main form button.primary").first.click()
    expect(other.locator("h1")).to_have_text("Pia Passkey")
