"""The cards of the lobby, as the server sends them."""

from __future__ import annotations

import re

import pytest

import smallchange
from smallchange.server.table.model.history import SeatKind

from .serving import Person, Served, fresh

GAMES = smallchange.games()
FOR_TWO = [id for id in GAMES if len(smallchange.game(id).seats) == 2]


def card(ann: Person, game: str) -> str:
    """Return the card of a game as text, with ordinary spaces."""
    found = re.search(rf'<article[^>]*"game-{game}">(.*?)</article>', ann.web.get("/").text, re.DOTALL)
    assert found is not None
    return re.sub(r"<[^>]+>", " ", found[1]).replace("\u00a0", " ")


@pytest.mark.parametrize("game", GAMES)
def test_a_card_says_how_difficult_a_game_for_one_is(ann: Person, game: str) -> None:
    shown = card(ann, game)
    assert ("Difficulty" in shown) == ("A beginner " in shown) == (game not in FOR_TWO)


@pytest.mark.parametrize("game", GAMES)
def test_only_a_game_for_two_is_opened_for_a_friend(ann: Person, game: str) -> None:
    assert ("Invite" in card(ann, game)) == (game in FOR_TWO)


def test_a_game_begun_from_the_lobby_tosses_for_sides_and_the_form_does_so_where_asked(
    ann: Person, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smallchange.server.table.model.new_tables.secrets.randbelow", lambda n: n - 1)
    page = ann.web.get("/").text
    assert page.count('name="toss" value="1"') == 2 * len(FOR_TWO), "against a bot, and with a friend"
    sides = []
    for toss in ({}, {"toss": "1"}):
        seats = served.live_table(ann.open(FOR_TWO[0], **toss)).history.seats
        sides.append([seat.kind for seat in seats].index(SeatKind.PERSON))
    assert sides == [0, 1]
    assert 'name="toss" value="1">' in ann.web.get(f"/games/{FOR_TWO[0]}").text
    assert 'name="toss"' not in ann.web.get(f"/games/{next(id for id in GAMES if id not in FOR_TWO)}").text


def test_pictures_of_boards_on_cards_have_no_badges_which_nobody_could_read(ann: Person) -> None:
    assert 'class="badge"' not in ann.web.get("/").text


def test_a_coin_touched_on_the_board_of_the_welcome_begins_the_game_with_its_move(
    ann: Person, served: Served
) -> None:
    page = ann.web.get("/").text
    form = re.search(r'<form id="start".*?</form>', page, re.DOTALL)
    assert form is not None
    path = re.search(r'action="([^"]+)"', form[0])
    tokens = re.findall(r'name="first" value="([^"]+)"', form[0])
    assert path is not None
    fields = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]+)"', form[0]))
    opened = ann.web.post(path[1], data=fields | {"first": tokens[0]})
    table = opened.headers["location"].rpartition("/")[2]
    history = served.live_table(table).history
    assert history.match.steps[0].token == tokens[0]
    assert sorted(tokens) == sorted(history.head.game.start().legal()), "each step of each coin"
    assert 'id="start"' not in ann.web.get("/").text, "who has a game sees it in this place"
    ann.post(f"/m/{table}/resign", ply=served.live_table(table).history.ply, move=fresh())
    again = ann.web.get("/").text
    assert 'id="start"' not in again, "nor is it the first game of those who have finished one"
    assert 'class="go-on"' not in again
