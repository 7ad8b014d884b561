"""The lobby: pictures of whole pieces, how difficult each game is, and a table for a friend."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import smallchange
from smallchange.mind.levels import LEVELS, bots, percent

from .conftest import Visitor
from .playing import FOR_TWO, GAMES

# by card: how many pieces there are, and how many of them the picture cuts
CUT = """[...document.querySelectorAll(".art")].map((art) => {
  const { left, right, top, bottom } = art.getBoundingClientRect();
  const cut = (el) => {
    const { x, y, width, height } = el.getBoundingClientRect();
    return x < left || y < top || x + width > right || y + height > bottom;
  };
  const pieces = [...art.querySelectorAll(".piece")];
  return [pieces.length, pieces.filter(cut).length];
})"""


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_pictures_show_whole_pieces(visitor: Visitor, width: int) -> None:
    page = visitor(viewport={"width": width, "height": 720})
    page.goto("/")
    cards = page.evaluate(CUT)
    assert len(cards) == len(GAMES)
    assert all(pieces and not cut for pieces, cut in cards), cards


@pytest.mark.parametrize("game", GAMES)
def test_every_card_says_how_difficult_its_game_is(visitor: Visitor, game: str) -> None:
    page = visitor()
    page.goto("/")
    card = page.locator(f"[aria-labelledby='game-{game}']")
    expect(card).to_contain_text("Difficulty")
    best = bots(smallchange.game(game))[LEVELS[-1]].measured
    assert best is not None
    expect(card.locator("p.fine")).to_contain_text(f"{percent(best.share)} %")
    expect(card.locator("p.fine")).to_contain_text(f"{best.n:,}")


@pytest.mark.parametrize("game", GAMES)
def test_a_game_for_two_is_opened_for_a_friend_by_one_button(visitor: Visitor, game: str) -> None:
    page = visitor()
    page.goto("/")
    friend = page.locator(f"[aria-labelledby='game-{game}']").get_by_text("Invite")
    if game in FOR_TWO:
        friend.click()
        expect(page.get_by_role("link", name="Invitation link")).to_be_visible()
    else:
        expect(friend).to_have_count(0)
