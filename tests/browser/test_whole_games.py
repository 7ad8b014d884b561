"""Every game from the lobby to its result, in three ways."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import expect

import smallchange
from tests.support.accessibility import assert_no_barrier
from tests.support.browser import Visitor
from tests.support.play import (
    GAMES,
    begin_short,
    by_keyboard,
    by_mouse,
    by_name,
    over,
    play_out,
    wait_for_turn,
)

WAYS = {GAMES[0]: by_keyboard, GAMES[1]: by_name, GAMES[-1]: by_keyboard}


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_with_mouse_or_keyboard_or_by_accessible_names(
    visitor: Visitor, game: str
) -> None:
    page = visitor()
    begin_short(page, game)
    wait_for_turn(page)
    dice = page.locator("#actions .die-choice").count()
    play_out(page, WAYS.get(game, by_mouse), Random(1))
    assert over(page)
    expect(page.locator("#actions .die-choice")).to_have_count(
        dice
    )  # as they lie, for they tell why it is over
    luck = smallchange.game(game).sources
    expect(page.get_by_role("button", name=re.compile("^(Play again|Rematch)"))).to_be_visible()
    expect(page.get_by_role("button", name="Same deal again")).to_have_count(1 if luck else 0)
    page.set_viewport_size({"width": 360, "height": 640})
    for lang in ("en", "ja"):
        page.goto(f"{page.url.partition('?')[0]}?lang={lang}")
        expect(page.locator("#actions .primary")).to_be_in_viewport(ratio=1)
        assert_no_barrier(page)
