"""Web push in Chromium: the service worker shows a message and leads to the game, unless a page is in view."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Playwright, expect

from tests.server.outside import until
from tests.support.browser import WHOLE, Server, launch, require
from tests.support.play import unfold

MESSAGE = {"title": "A game", "text": "It is your turn.", "path": "rules/dodgem", "tag": "abc", "lang": "en"}
# Chromium asks a push service of its maker for a subscription; this one is made up.
SUBSCRIPTION = """
let made = null;
const key = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
const endpoint = 'https://fcm.googleapis.com/test';
const subscription = {
  toJSON: () => ({endpoint, keys: {p256dh: key, auth: 'AAECAwQFBgcICQoLDA0ODw'}}),
  unsubscribe: async () => { made = null; return true; },
};
PushManager.prototype.getSubscription = async () => made;
PushManager.prototype.subscribe = async () => made = subscription;
"""
SHOWN = "self.registration.getNotifications().then((all) => all.map((one) => one.body))"
CLICK = """new Promise((done) => {
  Clients.prototype.openWindow = async (href) => { done(href); };  // only a real click may open a window
  self.registration.getNotifications().then(([notification]) =>
    self.dispatchEvent(new NotificationEvent('notificationclick', {notification})));
})"""


@pytest.fixture
def context(playwright: Playwright, server: Server) -> Iterator[BrowserContext]:
    """Yield a context of a whole Chromium: its headless shell allows no notifications."""
    browser = launch(playwright.chromium, require(WHOLE))
    site = f"http://localhost:{server.port}"  # a name that browsers trust
    context = browser.new_context(base_url=site, locale="en-US")
    context.grant_permissions(["notifications"], origin=site)
    context.add_init_script(SUBSCRIPTION)
    yield context
    browser.close()


def deliver(session: CDPSession, server: Server) -> None:
    """Let a message come as from a push service."""
    origin = f"http://localhost:{server.port}"
    sent = {"origin": origin, "registrationId": "0", "data": json.dumps(MESSAGE)}
    session.send("ServiceWorker.deliverPushMessage", sent)


def test_a_message_is_shown_while_no_page_is_in_view_and_a_click_leads_to_its_game(
    context: BrowserContext, server: Server
) -> None:
    page = context.new_page()
    page.goto("/account")
    page.locator("#new-name").fill("Paula Push")
    page.locator("#new-password").fill("long enough")
    page.get_by_role("button", name="Create an account", exact=True).click()
    page.goto("/account")
    unfold(page)
    page.get_by_role("button", name="Notify me in this browser").click()
    expect(page.get_by_text("This browser notifies you.")).to_have_count(1)

    (worker,) = context.service_workers
    session = context.new_cdp_session(page)
    session.send("ServiceWorker.enable")
    with page.expect_request("**/notifications/count?*"):
        deliver(session, server)
    assert worker.evaluate(SHOWN) == [], "the page in view has a bell"
    page.goto("about:blank")
    deliver(session, server)
    until(lambda: worker.evaluate(SHOWN) == [MESSAGE["text"]])
    assert worker.evaluate(CLICK) == f"http://localhost:{server.port}/rules/dodgem"
    assert worker.evaluate(SHOWN) == []

    page.goto("/account")
    unfold(page)
    page.get_by_role("button", name="Turn off in this browser").click()
    expect(page.locator("#push-on")).to_have_count(1)
