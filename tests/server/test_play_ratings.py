"""Play ratings on pages and in the API: for whom they are shown, and from how many reviewed games on."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, insert

from smallchange.bots.levels import LEVELS, load_bots
from smallchange.bots.play_rating import MIN_MATCHES
from smallchange.core.game import Game
from smallchange.server.accounts.rows import account_by_name
from smallchange.server.daily.days import daily_games
from smallchange.server.database import schema
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.model.outcome import Points, Status

from .rated import PASSWORD
from .serving import Person, Served

GAME = "royal-ur"


@pytest.fixture
def eva(served: Served) -> Iterator[Person]:
    """Somebody with an account."""
    with Person(served) as eva:
        eva.name = f"Eva {secrets.token_hex(4)}"  # type: ignore[attr-defined]
        eva.post("/account/sign-up", name=eva.name, password=PASSWORD)  # type: ignore[attr-defined]
        yield eva


def add_reviewed(
    served: Served,
    name: str,
    n: int,
    mean: float,
    options: str = "{}",
    game: str = GAME,
    promised: float = 0.5,
) -> None:
    """Store matches that an account has won, each reviewed, with 40 choices that gave away this mean."""

    def job(connection: Connection) -> None:
        account = account_by_name(connection, name)
        assert account is not None
        for _ in range(n):
            id = secrets.token_hex(8)
            row = {
                "id": id,
                "game": game,
                "version": Game(game).version,
                "options": options,
                "secret": b"",
                "seal": "",
            }
            row |= {
                "status": Status.OVER,
                "open": False,
                "code": id,
                "created": 1,
                "fork_length": 0,
                "proven": True,
            }
            connection.execute(insert(schema.match), row | {"rated": False, "difficulty": ""})
            seat = {
                "match_id": id,
                "number": 0,
                "kind": SeatKind.PERSON,
                "name": name,
                "bot": "",
                "words": "",
            }
            connection.execute(insert(schema.seat), seat | {"holder": account.holder, "points": Points.WIN})
            found = {"match_id": id, "seat": 0, "luck": 0.0, "given_away": 40 * mean, "choices": 40}
            connection.execute(insert(schema.reviewed_seat), found | {"first_odds": promised})

    served.call(served.services.tables.store.write("", job))


def test_a_play_rating_names_the_level_that_gives_away_as_much(served: Served, eva: Person) -> None:
    given = load_bots(Game(GAME))[LEVELS[1]].given
    assert given is not None
    name = eva.name  # type: ignore[attr-defined]
    add_reviewed(served, name, MIN_MATCHES - 1, given.mean)
    add_reviewed(served, name, 5, 0.5, '{"toss": true}')  # not as in the rulebook
    page = eva.web.get("/mine/statistics").text
    assert f"after {MIN_MATCHES} reviewed games; so far there are {MIN_MATCHES - 1}" in page
    assert "like level" not in page
    assert eva.web.get(f"/api/accounts/{name}").json()["play"] is None
    add_reviewed(served, name, 1, given.mean)
    for path in ("/mine/statistics", f"/people/{name}"):
        page = eva.web.get(path).text
        assert "like level 2.0" in page
        assert f"games: {MIN_MATCHES}; choices: " in page


def test_a_player_of_a_game_for_one_is_rated_against_the_deals(served: Served, eva: Person) -> None:
    name, game = eva.name, daily_games()[0]  # type: ignore[attr-defined]
    add_reviewed(served, name, MIN_MATCHES - 1, 0.01, game=game, promised=0.5)
    assert "against the deals" not in eva.web.get("/mine/statistics").text
    add_reviewed(served, name, 1, 0.01, game=game, promised=0.5)
    for path in ("/mine/statistics", f"/people/{name}"):
        found = re.search(r"(\d+) against the deals, where the best bot has 2000", eva.web.get(path).text)
        assert found
        assert 2000 < int(found[1]) < 2600  # won all deals that the best bot wins half the time
        points = int(found[1])
    assert eva.post("/account/show-results", shown="1").status_code == 303
    (play,) = eva.web.get(f"/api/accounts/{name}").json()["play"]
    assert round(play["deal_points"]) == points
    assert play["deal_deviation"] < 350


def test_results_are_public_only_if_the_account_says_so(served: Served, eva: Person, bo: Person) -> None:
    name = eva.name  # type: ignore[attr-defined]
    add_reviewed(served, name, MIN_MATCHES, 0.01)
    path, call = f"/people/{name}", f"/api/accounts/{name}"
    assert "Only you see the results below" in eva.web.get(path).text
    assert "like level" not in bo.web.get(path).text
    assert bo.web.get(call).json()["play"] is None
    assert eva.post("/account/show-results", shown="1").status_code == 303
    assert "like level" in bo.web.get(path).text
    (play,) = bo.web.get(call).json()["play"]
    assert (play["game"], play["matches"], play["choices"]) == (GAME, MIN_MATCHES, 40 * MIN_MATCHES)
    assert play["level_low"] <= play["level"] <= play["level_high"]
    assert eva.post("/account/show-results").status_code == 303
    assert "like level" not in bo.web.get(path).text
    assert bo.web.get(call).json()["play"] is None
