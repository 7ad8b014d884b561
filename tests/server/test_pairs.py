"""The duplicate pair of the day: two games against the same bot, one from each side, compared with everybody else's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from smallchange import Match
from smallchange.bots.levels import title
from smallchange.core import record
from smallchange.core.game import Game
from smallchange.server.daily.days import opponent, paired_games, seat_secret, table_id
from smallchange.server.daily.rows import find_deal
from smallchange.server.daily.view import pair_verdict
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.model.outcome import margins, points
from tests.support.site_paths import PATHS

from .dailies import a_day_later, begin, finish, have_place
from .rated import bearer
from .serving import Person, Served, serving

PAIRS = paired_games()
every_pair = pytest.mark.parametrize("game", PAIRS)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, bot_simulations=1) as served:
        yield served


def play_pair(served: Served, person: Person, game: str, choice: int = 0) -> list[str]:
    """Play both games of a pair to the end."""
    ids = []
    for _ in Game(game).seats:
        ids.append(begin(person, game))
        finish(served, person, ids[-1], choice)
    return ids


def result(served: Served, ids: list[str]) -> str:
    """Return the result of a pair in words."""
    histories = [served.live_table(id).history for id in ids]
    won = sum(points(history)[seat] or 0 for seat, history in enumerate(histories))
    ahead = sum(margins(history.match)[seat] for seat, history in enumerate(histories))
    return str(pair_verdict(won, ahead, len(ids)).en)


def deals(person: Person) -> list[dict[str, Any]]:
    """Return the deals of the day as the API tells them."""
    found: list[dict[str, Any]] = person.web.get("/api/daily", headers=bearer(person)).json()["deals"]
    return found


def par_tables(served: Served, game: str) -> list[str]:
    """Return the ids of the tables at which the best bot plays a pair."""
    day = served.services.daily.today
    deal = served.call(served.services.tables.store.read(lambda c: find_deal(c, day, game)))
    return [
        table_id(seat_secret(deal.secret, Game(game), seat), SeatKind.BOT)
        for seat in range(len(Game(game).seats))
    ]


@every_pair
def test_two_players_who_choose_alike_meet_the_same_throws_and_answers(
    served: Served, ann: Person, bo: Person, game: str
) -> None:
    hers, his = play_pair(served, ann, game), play_pair(served, bo, game)
    for seat, (one, other) in enumerate(zip(hers, his, strict=True)):
        ours, theirs = (served.live_table(id).history for id in (one, other))
        assert ours.seats[seat].kind == SeatKind.PERSON
        assert ours.seats[1 - seat].bot == theirs.seats[1 - seat].bot == opponent(Game(game)).name
        assert ours.match.deal == theirs.match.deal
        assert ours.match.steps == theirs.match.steps


@every_pair
def test_the_luck_of_the_first_game_is_not_that_of_the_second(served: Served, ann: Person, game: str) -> None:
    first, second = (served.live_table(id).history for id in play_pair(served, ann, game))
    assert first.match.deal != second.match.deal
    assert first.head.secret != second.head.secret
    assert first.head.seal != second.head.seal


@every_pair
def test_the_second_game_follows_the_first_and_no_third(served: Served, ann: Person, game: str) -> None:
    first = begin(ann, game)
    assert begin(ann, game) == first
    finish(served, ann, first)
    assert "Play the second game" in ann.web.get("/daily").text
    second = begin(ann, game)
    assert second != first
    finish(served, ann, second)
    assert begin(ann, game) == first


@every_pair
def test_a_pair_is_placed_by_points_and_then_by_margins(
    served: Served, ann: Person, bo: Person, game: str
) -> None:
    have_place(served, ann, bo)
    hers = play_pair(served, ann, game)
    page = ann.web.get("/daily").text
    assert result(served, hers) in page
    assert "Place 1 of 1." in page
    assert "1 day in a row" in page
    first = begin(bo, game)
    finish(served, bo, first, 1)
    half = next(deal for deal in deals(bo) if deal["game"] == game)
    assert (half["place"], half["entries"], half["opponent"]) == (0, 1, opponent(Game(game)).name)
    assert half["matches"] == {Game(game).seats[0]: first, Game(game).seats[1]: None}
    assert "in a row" not in bo.web.get("/daily").text, "half a pair"
    his = [first, begin(bo, game)]
    finish(served, bo, his[1], 1)
    places = [deal["place"] for person in (ann, bo) for deal in deals(person) if deal["game"] == game]
    scored = [
        (
            sum(points(history)[seat] or 0 for seat, history in enumerate(histories)),
            sum(margins(history.match)[seat] for seat, history in enumerate(histories)),
        )
        for histories in ([served.live_table(id).history for id in ids] for ids in (hers, his))
    ]
    assert places == [1 + sum(other > mine for other in scored) for mine in scored]


@every_pair
def test_what_is_shared_tells_the_result_alone(served: Served, ann: Person, game: str) -> None:
    ids = play_pair(served, ann, game)
    found = re.findall(r"<textarea[^>]*>([^<]+)", ann.web.get("/daily").text)
    assert len(found) == 1
    shared = unescape(found[0])
    assert result(served, ids) in shared
    assert shared.endswith(f"{served.url}/daily")
    drawn = ann.web.get(f"/daily/{game}/picture.svg").text
    assert all(word in drawn for word in result(served, ids).split())
    for id in ids:
        head = served.live_table(id).history.head
        for secret in (head.secret.hex(), head.seal, head.id, head.code):
            assert secret not in shared + drawn


def test_a_pair_of_which_a_game_was_given_up_does_not_count(served: Served, ann: Person) -> None:
    game = PAIRS[0]
    first = begin(ann, game)
    ann.command(first, "resign", served.live_table(first).history.ply)
    finish(served, ann, begin(ann, game))
    page = ann.web.get("/daily").text
    assert "These games do not count" in page
    assert "in a row" not in page
    assert ann.web.get(f"/daily/{game}/picture.svg").status_code == 404


@every_pair
def test_the_tables_of_the_best_bot_are_sealed_too(served: Served, ann: Person, game: str) -> None:
    play_pair(served, ann, game)
    for id in par_tables(served, game):
        history = served.live_table(id).history
        assert sorted(seat.bot for seat in history.seats) == sorted(("level5", opponent(Game(game)).name))
        for path in [path for paths in PATHS.values() for path in paths if "{id}" in path]:
            assert ann.web.get(path.replace("{id}", id), headers=bearer(ann)).status_code == 403, path


@every_pair
def test_once_the_day_has_closed_every_game_of_a_pair_verifies(tmp_path: Path, game: str) -> None:
    with serving(tmp_path, bot_simulations=1) as served, Person(served) as ann, Person(served) as bo:
        hers, his = play_pair(served, ann, game), play_pair(served, bo, game, 1)
        half = begin(ann, next(other for other in PAIRS if other != game))
        ann.command(half, "resign", served.live_table(half).history.ply)
        shown = {result(served, ids) for ids in (hers, his)}
        day = a_day_later(served)
    with serving(tmp_path, bot_simulations=1) as served, Person(served) as cy:
        page = cy.web.get(f"/daily/{day}").text
        assert all(text in page for text in shown)
        assert f"Everyone played against {title(opponent(Game(game)).name).en}." in page
        assert half not in page
        assert f'href="/daily/{day}"' in cy.web.get("/daily").text
        dealt = []
        for id in (*hers, *his):
            assert f'href="/m/{id}"' in page
            match = record.verify(cy.web.get(f"/m/{id}/record.json").text)
            assert isinstance(match, Match)
            dealt.append(match.deal)
            assert cy.command(id, "fork", 0, at="0").status_code == 303
        assert dealt[0] == dealt[2] != dealt[1] == dealt[3]


def test_a_day_on_which_only_half_a_pair_was_played_is_not_in_the_archive(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served) as ann:
        finish(served, ann, begin(ann, PAIRS[0]))
        day = a_day_later(served)
    with serving(tmp_path) as served, Person(served) as ann:
        assert f'href="/daily/{day}"' not in ann.web.get("/daily").text
        assert ann.web.get(f"/daily/{day}").status_code == 404
