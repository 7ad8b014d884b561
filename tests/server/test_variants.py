"""Boards that players draw and save: the editor, the page that a link leads to, and the list of one's own."""

from __future__ import annotations

import re
from html import unescape

import pytest

from smallchange.core.game import Game, games
from smallchange.core.options import Drawing
from smallchange.server.variants import service as variants
from smallchange.server.web.phrases import DRAW_BY_TYPING, UNNAMED

from .serving import Person, Served
from .tables import PAIR

DRAWN = {
    "solo": {"board.drawn": ".####\n#####\n#####\n#####\n#....", "topology": "torus"},
    "coin-age": {"map.drawn": "a a b\n a b b\nc c b"},
}


def save(person: Person, game: str = "solo", title: str = "The Whale", **fields: str) -> str:
    """Save a drawing and return the path of its page."""
    answer = person.post(f"/games/{game}/draw", title=title, **(DRAWN[game] | fields))
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


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
    assert ann.post(f"/games/{PAIR}/draw", title="Nothing").status_code == 404


def test_the_editor_says_what_is_wrong_as_the_options_do(ann: Person) -> None:
    for path in ("/games/solo", "/games/solo/draw"):
        page = unescape(ann.web.get(path, params={"board.drawn": "##x"}).text)
        assert "line 1 has 'x' as character 3" in page
        assert '<figure id="picture" hidden>' in page
    sphere = ann.web.get("/games/solo/draw", params={"board": "galaxy", "topology": "sphere"}).text
    assert "this board has 7" in unescape(sphere)


def test_names_of_regions_stand_below_a_map_and_on_its_table(served: Served, ann: Person) -> None:
    drawn = "a a b\n b b c\na = Old Port\nc = O'Hara"
    page = ann.web.get("/games/coin-age/draw", params={"map.drawn": drawn})
    assert re.findall(r'data-sign="(.)"', page.text)[:3] == ["a", "b", "c"], "letters of names are no signs"
    opened = ann.post("/games/coin-age", **{"map.drawn": drawn, "seat.heads": "me", "seat.tails": "me"})
    table = ann.web.get(opened.headers["location"]).text
    assert "Old Port" in table
    assert "O&#x27;Hara" in table


def test_a_saved_board_has_a_page_for_everybody_that_opens_a_table_with_it(
    served: Served, ann: Person, bo: Person
) -> None:
    for game, fields in DRAWN.items():
        path = save(ann, game)
        page = bo.web.get(path)
        assert page.status_code == 200
        assert "The Whale" in page.text
        assert "/remove" not in page.text, "it is another's"
        form = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page.text))
        sent = {name: unescape(value) for name, value in form.items()}
        opened = bo.post(f"/games/{game}", **sent)
        table = served.live_table(opened.headers["location"].removeprefix("/m/"))
        option = next(name for name in fields if name.endswith(".drawn"))
        assert table.history.head.game.options[option.removesuffix(".drawn")] == fields[option]


def test_its_picture_stands_alone_and_its_drawing_can_be_drawn_on(ann: Person) -> None:
    path = save(ann)
    picture = ann.web.get(f"{path}/board.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert "<title>The Whale</title>" in picture.text
    again = re.search(r'href="(/games/solo/draw\?[^"]+)"', ann.web.get(path).text)
    assert again
    assert f"\n{DRAWN['solo']['board.drawn']}</textarea>" in ann.web.get(unescape(again[1])).text


def test_ones_boards_are_listed_with_ones_games_once_and_go_when_they_are_removed(
    ann: Person, bo: Person
) -> None:
    path = save(ann, title="My Whale")
    assert save(ann, title="My Whale") == path
    assert ann.web.get("/mine").text.count(f'href="{path}"') == 1
    assert path not in bo.web.get("/mine").text
    assert bo.post(f"{path}/remove").status_code == 404
    assert ann.web.get(path).status_code == 200
    assert ann.post(f"{path}/remove").headers["location"] == "/mine"
    assert ann.web.get(path).status_code == 404
    assert path not in ann.web.get("/mine").text


@pytest.mark.parametrize("name", ["", "x", "\u202e", "Level 5", "Pebble (bot)"])
def test_a_name_that_no_account_may_have_is_refused_and_the_drawing_stays(ann: Person, name: str) -> None:
    refused = ann.post("/games/solo/draw", title=name, **DRAWN["solo"])
    assert refused.status_code == 400
    assert 'class="error-note" role="alert"' in refused.text
    assert f"\n{DRAWN['solo']['board.drawn']}</textarea>" in refused.text


def test_a_drawing_that_cannot_be_is_not_saved(ann: Person) -> None:
    refused = ann.post("/games/coin-age/draw", title="Torn", **{"map.drawn": "a b"})
    assert refused.status_code == 400
    assert "a map has 4 to 16 spaces, not 2" in unescape(refused.text)
    assert "Torn" in refused.text


def test_nobody_keeps_more_than_the_most(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    save(ann, title="The first")
    monkeypatch.setattr(variants, "MAX_OWN", 1)
    assert ann.post("/games/solo/draw", title="The second", **DRAWN["solo"]).status_code == 409
    save(ann, title="The first")


def test_boards_of_a_guest_go_with_them_into_an_account_and_lose_their_names_with_it(
    served: Served, bo: Person
) -> None:
    path = save(bo, title="Leviathan")
    bo.post("/account/sign-up", name="Draws Boards", password="correct horse battery")
    assert path in bo.web.get("/mine").text
    exported = bo.web.get("/account/export.json").json()["variants"]
    assert [(one["name"], one["game"]) for one in exported] == [("Leviathan", "solo")]
    with Person(served) as eve:
        bo.post("/account/erase", name="Draws Boards")
        left = eve.web.get(path).text
    assert "Leviathan" not in left
    assert UNNAMED.en in left
