"""Below a path of another site, the scripts find everything below it too."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

import smallchange
from tests.server.serving import serving
from tests.support.browser import Visitor
from tests.support.play import FOR_ONE, over, some_moves, wait_for_connection, wait_for_turn

PREFIX = "/games"


def test_a_game_is_learned_and_played_below_a_prefix(visitor: Visitor, tmp_path: Path) -> None:
    with serving(tmp_path, path_prefix=PREFIX) as served:
        page, asked = visitor(), list[str]()
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url.replace("ws:", "http:")))
        game = next(id for id in FOR_ONE if smallchange.game(id).guide)
        page.goto(f"{served.url}{PREFIX}/learn/{game}?step=1")
        page.locator(".lesson-next, #main .area a[href]").first.click()
        page.goto(f"{served.url}{PREFIX}/games/{game}")
        while True:
            page.get_by_role("button", name="Play", exact=True).click()
            expect(page.locator("#board")).to_be_visible()
            wait_for_connection(page)
            if not over(page):
                break
            page.go_back()
        some_moves(page, 2)
        wait_for_turn(page)
        assert page.url.startswith(f"{served.url}{PREFIX}/m/")
        with page.expect_request(f"**{PREFIX}/m/*/look?*"):
            page.locator("#to-back").click()
        page.goto(f"{served.url}{PREFIX}/account")
        assert any(url.startswith(f"{served.url}{PREFIX}/ws") for url in asked)
        beside = [url for url in asked if not url.startswith((f"{served.url}{PREFIX}/", "data:"))]
        assert beside == []
