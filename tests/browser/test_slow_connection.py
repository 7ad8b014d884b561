"""A press while an answer is on the way takes effect afterwards; no move is made twice."""

from __future__ import annotations

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.support.browser import Visitor
from tests.support.play import (
    WITHOUT_CHANCE,
    at_one_screen,
    expect_rows,
    invite,
    post_first_move,
    sit_down,
    some_moves,
    wait_for_connection,
)


class Slow:
    """The line between a page and the server, where answers can be held up; to be made before the page."""

    def __init__(self, page: Page) -> None:
        self.said: list[str] = []
        self._held: list[str | bytes] = []
        self._holds = False
        page.route_web_socket("**/ws*", self._join)

    def hold(self) -> None:
        self._holds = True

    def let_go(self) -> None:
        self._holds = False
        for answer in self._held:
            self._page.send(answer)

    def _join(self, page: WebSocketRoute) -> None:
        self._page, server = page, page.connect_to_server()

        def say(said: str | bytes) -> None:
            self.said.append(str(said))
            server.send(said)

        def answer(answer: str | bytes) -> None:
            self._held.append(answer) if self._holds else page.send(answer)

        page.on_message(say)
        server.on_message(answer)

    def count(self, kind: str) -> int:
        return sum(f'"is":"{kind}"' in said for said in self.said)


def test_a_move_whose_answer_is_late_is_seen_to_wait(visitor: Visitor) -> None:
    page = visitor(reduced_motion="reduce")
    line = Slow(page)
    at_one_screen(page, WITHOUT_CHANCE)
    some_moves(page, 1)
    line.hold()
    post_first_move(page)
    act = page.locator("#actions .tools")
    expect(act).to_have_css("border-top-style", "dashed")
    line.let_go()
    expect(act).to_have_css("border-top-style", "solid")
    expect_rows(page, 2)


def test_a_draw_offered_right_after_a_move_is_offered_once_the_move_is_answered(visitor: Visitor) -> None:
    ann, bo = visitor(), visitor()
    line = Slow(ann)
    sit_down(bo, invite(ann, WITHOUT_CHANCE))
    wait_for_connection(ann)
    line.hold()
    post_first_move(ann)
    expect_rows(bo, 1)
    ann.get_by_role("button", name="Offer a draw").click()
    post_first_move(ann)
    line.let_go()
    expect(bo.get_by_role("button", name="Accept")).to_be_visible()
    expect_rows(bo, 1)
    assert (line.count("act"), line.count("offer")) == (1, 1)


def test_an_undo_right_after_a_move_takes_that_move_back(visitor: Visitor) -> None:
    page = visitor()
    line = Slow(page)
    at_one_screen(page, WITHOUT_CHANCE)
    some_moves(page, 2)
    line.hold()
    post_first_move(page)
    page.get_by_role("button", name="Undo").click()
    line.let_go()
    expect(page.locator("#table-data")).to_have_attribute("data-ply", "4")
    expect_rows(page, 2)


def test_what_is_pressed_twice_is_done_once(visitor: Visitor) -> None:
    page = visitor()
    line = Slow(page)
    at_one_screen(page, WITHOUT_CHANCE)
    some_moves(page, 3)
    line.hold()
    page.get_by_role("button", name="Undo").dblclick()
    line.let_go()
    expect_rows(page, 2)
    some_moves(page, 1)
    expect_rows(page, 3)
    assert line.count("undo") == 1


def test_what_the_move_has_taken_from_the_page_is_not_done(visitor: Visitor) -> None:
    """Accept means the offer that one saw, which a move declines, and none that came after it."""
    ann, bo = visitor(), visitor()
    line = Slow(ann)
    sit_down(bo, invite(ann, WITHOUT_CHANCE))
    wait_for_connection(ann)
    some_moves(ann, 1)
    some_moves(bo, 1)
    bo.get_by_role("button", name="Offer a draw").click()
    accept = ann.get_by_role("button", name="Accept")
    expect(accept).to_be_visible()
    line.hold()
    post_first_move(ann)
    accept.click()
    expect_rows(bo, 3)
    bo.get_by_role("button", name="Ask to take back").click()
    line.let_go()
    expect(ann.locator("#notice").get_by_text("asks to take the last move back")).to_be_visible()
    expect(accept).to_be_visible()
    expect_rows(ann, 3)
    assert line.count("answer") == 0
