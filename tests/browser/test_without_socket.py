"""A page that gets no socket, as behind some proxies, finds the news by itself."""

from __future__ import annotations

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.support.browser import Visitor
from tests.support.play import (
    FOR_TWO,
    GAMES,
    WITHOUT_CHANCE,
    begin,
    expect_rows,
    invite,
    moved_on,
    over,
    ply,
    post_first_move,
    sit_down,
    wait_for_connection,
)

GAME = WITHOUT_CHANCE
FOR_ONE = next(game for game in GAMES if game not in FOR_TWO)


def no_line(page: Page) -> None:
    page.route_web_socket("**/ws*", lambda line: line.close())


def test_two_play_where_one_of_them_gets_no_line(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor()
    no_line(bo)
    sit_down(bo, invite(ann, GAME))
    wait_for_connection(ann)
    for n in (1, 3):
        post_first_move(ann)
        expect_rows(bo, n)
        post_first_move(bo)
        expect_rows(ann, n + 1)
    expect(bo.get_by_text("No connection")).to_be_hidden()


def test_who_waits_for_a_friend_without_a_line_sees_them_sit_down(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor()
    no_line(ann)
    link = invite(ann, GAME)
    sit_down(bo, link)
    expect(ann.locator("#seats")).to_contain_text("Bo")
    post_first_move(ann)
    expect_rows(bo, 1)


def test_the_answer_to_a_form_finds_the_news_and_is_not_asked_for_again(visitor: Visitor) -> None:
    page = visitor()
    no_line(page)
    begin(page, FOR_ONE, scripted=False)
    table = page.url
    page.get_by_role("button", name="Hint").click()
    page.wait_for_url(f"{table}/hint")
    other, since = page.context.new_page(), ply(page)
    other.goto(table)
    wait_for_connection(other)
    post_first_move(other)
    moved_on(page, since)
    assert page.url == table


def test_a_server_that_is_away_is_said_to_be(visitor: Visitor) -> None:
    page = visitor()
    no_line(page)
    sit_down(visitor(), invite(page, GAME))
    expect(page.locator("#seats")).to_contain_text("Bo")
    page.wait_for_load_state()  # with its scripts
    page.context.set_offline(True)
    expect(page.get_by_text("No connection")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("No connection")).to_be_hidden()
    assert not over(page)


def test_a_line_that_opens_after_all_brings_the_news_alone(visitor: Visitor) -> None:
    page, asked, opens = visitor(), list[str](), list[bool]()

    def join(line: WebSocketRoute) -> None:
        line.connect_to_server() if opens else line.close()

    page.route_web_socket("**/ws*", join)
    page.clock.install()
    invite(page, GAME)
    page.on("request", lambda request: asked.append(request.url) if request.url == page.url else None)
    with page.expect_request(page.url):
        page.clock.fast_forward(3_000)
    opens.append(True)
    page.clock.fast_forward(8_000)
    wait_for_connection(page)
    known = ply(page)
    asked.clear()
    for _ in range(4):
        page.clock.fast_forward(3_000)
    page.evaluate("fetch('/healthz')")  # after whatever was asked for before
    assert not asked
    assert ply(page) == known
