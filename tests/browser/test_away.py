"""What a page asks for by itself while the server is away: nothing breaks, and the next try finds it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from .conftest import Visitor
from .playing import FOR_TWO

SIZED = FOR_TWO[-1]  # a game with a size


@pytest.mark.parametrize("how", ["nothing comes", "a page of somebody else comes"])
def test_the_last_picture_of_a_game_stays_until_there_is_a_line_again(visitor: Visitor, how: str) -> None:
    page = visitor()
    page.goto(f"/games/{SIZED}")
    picture = page.locator("#picture")
    known = picture.inner_html()
    if how == "nothing comes":
        page.route("**/games/*size=3*", lambda route: route.abort())
    else:
        page.route("**/games/*size=3*", lambda route: route.fulfill(body="<p>", content_type="text/html"))
    with page.expect_request("**/games/*size=3*") as asked:
        page.locator("[name=size]").fill("3")
    asked.value.response()
    page.evaluate("new Promise(requestAnimationFrame)")
    assert picture.inner_html() == known
    page.locator("[name=size]").fill("4")
    page.wait_for_function("known => document.getElementById('picture').innerHTML !== known", arg=known)
    expect(picture.locator("svg")).to_be_visible()


def test_the_picture_is_of_the_last_choice_though_an_earlier_one_is_answered_later(visitor: Visitor) -> None:
    page, held = visitor(), list[Route]()
    page.goto(f"/games/{SIZED}?size=4")
    wanted = page.locator("#picture").inner_html()
    page.goto(f"/games/{SIZED}")
    page.route("**/games/*size=3*", lambda route: held.append(route))
    with page.expect_request("**/games/*size=3*"):
        page.locator("[name=size]").fill("3")
    page.locator("[name=size]").fill("4")
    page.wait_for_function("wanted => document.getElementById('picture').innerHTML === wanted", arg=wanted)
    with page.expect_response("**/games/*size=3*") as late:
        held[0].continue_()
    late.value.finished()
    page.evaluate("new Promise(requestAnimationFrame)")
    assert page.locator("#picture").inner_html() == wanted
