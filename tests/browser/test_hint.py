"""A hint: asked by a key or a button, seen on the pieces, said in words, gone with the next step."""

from __future__ import annotations

import re
from random import Random

from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.support.accessibility import assert_no_barrier
from tests.support.browser import Visitor
from tests.support.play import (
    FOR_ONE,
    begin,
    by_mouse,
    moved_on,
    over,
    ply,
    until,
    wait_for_connection,
    wait_for_turn,
)


def hint_with_a_reason(page: Page, scripted: bool = True) -> Locator:
    """Begin tables of a game that often has a reason, until a hint has one to show; return its line."""
    hint = page.locator("#hint")
    for _ in range(12):
        begin(page, "solo", scripted)
        if scripted:
            wait_for_turn(page)
            page.keyboard.press("h")
            expect(hint).to_have_text(re.compile("^Hint: .*Show the move$"), timeout=60_000)
            page.keyboard.press("h")
        else:
            page.get_by_role("button", name="Hint").click()
            page.get_by_role("button", name="Show the move").click()
        expect(hint).to_have_text(
            re.compile("^Hint: .*(% of (games|the points)|for certain)"), timeout=60_000
        )
        if page.get_by_role("button", name="Why?").count():
            return hint
    raise AssertionError("no hint had a reason")


def test_a_hint_is_asked_by_a_key_and_gone_with_the_next_step(visitor: Visitor) -> None:
    page = visitor()
    hint = hint_with_a_reason(page)
    since = ply(page)
    hint.get_by_role("button", name="Why?").click()
    expect(hint).to_have_text(re.compile("^Why: "))
    page.keyboard.press("h")
    expect(hint).to_have_text(re.compile("^Why: "))
    expect(page.locator("#board .hinted, #trays .hinted, #actions .hinted").first).to_be_visible()
    assert ply(page) == since, "nothing has changed"
    assert_no_barrier(page)
    page.locator("#actions button[name=token]:enabled").first.dispatch_event("click")
    if page.locator("#actions label.die-choice").count() == 0:
        moved_on(page, since)
        expect(hint).to_have_text("")
        assert page.locator(".hinted").count() == 0


def test_a_hint_takes_the_place_of_what_was_said_before(visitor: Visitor) -> None:
    page = visitor()
    begin(page, FOR_ONE[0])
    page.locator("#board .board").click(position={"x": 5, "y": 5})
    expect(page.locator("#refusal")).to_contain_text("Rings show what you can touch.")
    page.keyboard.press("h")
    expect(page.locator("#hint")).to_have_text(re.compile("^Hint: "), timeout=60_000)
    expect(page.locator("#refusal")).to_be_empty()


def test_the_hint_by_its_button_is_in_the_readers_language(visitor: Visitor) -> None:
    page = visitor(locale="ja")
    page.goto(f"/games/{FOR_ONE[-1]}?lang=ja")  # whose first turn has a choice in every deal
    page.locator("#setup button.primary").click()
    page.get_by_role("button", name="ヒント").click()
    page.locator("#hint").get_by_role("button", name="手を見る").click(timeout=60_000)
    expect(page.locator("#hint")).to_have_text(re.compile("^ヒント: .*%"), timeout=60_000)


def test_a_hint_asked_for_before_the_scripts_came_goes_on_with_them(visitor: Visitor) -> None:
    page = visitor()
    page.route("**/*.js", lambda route: route.abort())
    begin(page, FOR_ONE[0], scripted=False)
    page.unroute("**/*.js")
    with page.expect_navigation():
        page.get_by_role("button", name="Hint").click()
    wait_for_connection(page)
    page.locator("#hint").get_by_role("button", name="Show the move").click()
    expect(page.locator("#hint")).to_have_text(re.compile("^Hint: .*% of games"), timeout=60_000)


def test_without_script_the_page_comes_back_with_the_hint(visitor: Visitor) -> None:
    page = visitor(java_script_enabled=False)
    hint_with_a_reason(page, scripted=False)
    page.get_by_role("button", name="Why?").click()
    expect(page.locator("#hint")).to_have_text(re.compile("^Why: "))


def test_a_hint_that_a_move_was_faster_than_says_nothing(visitor: Visitor) -> None:
    page, asked, heard, servers = visitor(), list[str | bytes](), list[str](), list[WebSocketRoute]()

    def join(page: WebSocketRoute) -> None:
        servers.append(page.connect_to_server())
        page.on_message(lambda said: (asked.append if '"hint"' in str(said) else servers[-1].send)(said))

        def answer(said: str | bytes) -> None:
            heard.append(str(said))
            page.send(said)

        servers[-1].on_message(answer)

    page.route_web_socket("**/ws*", join)
    begin(page, FOR_ONE[-1])
    wait_for_turn(page)
    since = ply(page)
    page.keyboard.press("h")
    expect(page.locator("#hint")).not_to_be_empty()
    by_mouse(page, Random(1))
    moved_on(page, since)
    servers[-1].send(asked[0])
    answers = ('"is":"conflict"', '"is":"refusal"')  # the game goes on, or is over
    until(page, lambda: any(answer in said for answer in answers for said in heard))
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(page.locator("#refusal")).to_be_empty()
    expect(page.locator("#hint")).to_be_empty()


def test_a_hint_that_was_asked_for_when_the_line_was_cut_comes_on_the_next(visitor: Visitor) -> None:
    page, lines = visitor(), list[WebSocketRoute]()

    def join(line: WebSocketRoute) -> None:
        lines.append(line)
        server = line.connect_to_server()
        if len(lines) == 1:
            line.on_message(lambda said: None if '"hint"' in str(said) else server.send(said))

    page.route_web_socket("**/ws*", join)
    begin(page, FOR_ONE[-1])
    wait_for_turn(page)
    page.keyboard.press("h")
    expect(page.locator("#hint")).not_to_be_empty()
    lines[0].close()
    expect(page.locator("#hint")).to_have_text(re.compile("^Hint: "), timeout=60_000)


def test_who_looks_back_while_a_hint_is_found_does_not_wait_for_it_ever_after(visitor: Visitor) -> None:
    page, held, lines = visitor(), list[str | bytes](), list[WebSocketRoute]()

    def join(line: WebSocketRoute) -> None:
        lines.append(line)
        server = line.connect_to_server()
        server.on_message(lambda said: (held.append if '"hint-found"' in str(said) else line.send)(said))

    page.route_web_socket("**/ws*", join)
    while True:
        begin(page, FOR_ONE[-1])
        wait_for_turn(page)
        since = ply(page)
        by_mouse(page, Random(1))
        moved_on(page, since)
        wait_for_turn(page)
        if not over(page):
            break
    expect(page.get_by_role("button", name="Hint")).to_be_enabled()
    page.keyboard.press("h")
    expect(page.locator("#hint")).not_to_be_empty()
    until(page, lambda: held)
    page.get_by_role("link", name="First").click()
    expect(page.locator("#table-data")).to_have_attribute("data-at", "0")
    lines[-1].send(held[0])
    lines[-1].send('{"is": "closing", "why": "heard"}')
    expect(page.locator("#connection")).to_have_text("heard")
    page.keyboard.press("Escape")
    expect(page.locator("#table-data")).not_to_have_attribute("data-at", "0")
    expect(page.locator("#hint")).to_be_empty()
    page.keyboard.press("h")
    expect(page.locator("#hint")).to_have_text("The best bot is thinking about it.")
