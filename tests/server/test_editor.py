"""Boards that players draw: the editor, and the address that carries a board to a new game."""

from __future__ import annotations

import re
from html import unescape

import pytest

from smallchange.core.game import Game, games
from smallchange.core.options import Drawing
from smallchange.server.web.phrases import DRAW_BY_TYPING

from .serving import Person
from .tables import PAIR

DRAWN = {
    "solo": {"board.drawn": ".####\n#####\n#####\n#####\n#....", "topology": "torus"},
    "coin-age": {"map.drawn": "a a b\n a b b\nc c b"},
}


def test_every_game_whose_board_may_be_drawn_has_an_editor_and_no_other() -> None:
    drawn = {id for id in games() if any(isinstance(option, Drawing) for option in Game(id).offered)}
    assert drawn == set(DRAWN)


@pytest.mark.parametrize("game", DRAWN)
def test_the_editor_begins_with_a_board_of_the_game_and_can_be_used_by_typing(ann: Person, game: str) -> None:
    page = unescape(ann.web.get(f"/games/{game}/draw").text)
    option = next(option for option in Game(game).offered if isinstance(option, Drawing))
    first = option.canvas.drawings[0][1].strip("\n")
    assert f"\n{first}</textarea>" in page
    assert DRAW_BY_TYPING.en in page
    for sign in (*option.canvas.signs_for(first), option.canvas.blank):
        assert f"{sign.character}: {sign.text.en}" in page
    assert f'href="/games/{game}/draw"' in ann.web.get(f"/games/{game}").text


def test_a_game_without_drawings_has_no_editor(ann: Person) -> None:
    assert ann.web.get(f"/games/{PAIR}/draw").status_code == 404


def test_the_editor_says_what_is_wrong_as_the_options_do(ann: Person) -> None:
    for path in ("/games/solo", "/games/solo/draw"):
        page = unescape(ann.web.get(path, params={"board.drawn": "##x"}).text)
        assert "line 1 has 'x' as character 3" in page
        assert '<figure id="picture" hidden>' in page
    sphere = ann.web.get("/games/solo/draw", params={"board": "galaxy", "topology": "sphere"}).text
    assert "this board has 7" in unescape(sphere)


def test_names_of_regions_stand_below_a_map_and_on_its_table(ann: Person) -> None:
    drawn = "a a b\n b b c\na = Old Port\nc = O'Hara"
    page = ann.web.get("/games/coin-age/draw", params={"map.drawn": drawn})
    assert re.findall(r'data-sign="(.)"', page.text)[:3] == ["a", "b", "c"], "letters of names are no signs"
    opened = ann.post("/games/coin-age", **{"map.drawn": drawn, "seat.heads": "me", "seat.tails": "me"})
    table = ann.web.get(opened.headers["location"]).text
    assert "Old Port" in table
    assert "O&#x27;Hara" in table


@pytest.mark.parametrize("game", DRAWN)
def test_a_board_stands_in_the_address_of_a_new_game_and_can_be_drawn_on(ann: Person, game: str) -> None:
    drawn = next(value for name, value in DRAWN[game].items() if name.endswith(".drawn"))
    page = ann.web.get(f"/games/{game}/draw", params=DRAWN[game]).text
    assert f'id="setup" novalidate action="/games/{game}"' in page
    opened = ann.web.get(f"/games/{game}", params=DRAWN[game]).text
    assert f"\n{drawn}</textarea>" in opened
    again = re.search(rf'href="(/games/{game}/draw\?[^"]+)"', opened)
    assert again
    assert f"\n{drawn}</textarea>" in ann.web.get(unescape(again[1])).text
