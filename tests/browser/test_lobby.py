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


def test_who_looks_at_the_lobby_sees_tables_come_and_go(visitor: Visitor) -> None:
    looking, ann, bo = visitor(), visitor(), visitor()
    looking.goto("/")
    row = looking.get_by_role("listitem").filter(has_text="Ann of the lobby")
    expect(row).to_have_count(0)
    ann.goto(f"/games/{FOR_TWO[-1]}")
    ann.get_by_label("Your name").fill("Ann of the lobby")
    ann.get_by_label("List this table").check()
    ann.get_by_role("button", name="Play", exact=True).click()
    expect(row).to_be_visible(timeout=20_000)
    bo.goto(row.get_by_role("link").get_attribute("href") or "")
    bo.get_by_role("button", name="Take the seat").click()
    expect(row).to_have_count(0, timeout=20_000)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_picture_of_ones_own_map_is_seen_with_what_one_writes(visitor: Visitor, width: int) -> None:
    page = visitor(viewport={"width": width, "height": 720})
    page.goto(f"/games/{FOR_TWO[0]}")
    field = page.get_by_label("A drawing of your own")
    field.fill("a b c d e")
    expect(page.locator("#picture .spot, #picture .hex")).not_to_have_count(0)
    field.fill("a")
    fault = page.locator("#picture .fault")
    expect(fault).to_contain_text("4 to 16 spaces")
    field.evaluate("el => el.scrollIntoView({ block: 'start' })")
    expect(fault).to_be_in_viewport()
