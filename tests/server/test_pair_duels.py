"""Duplicate pairs between two people: the same two deals for both, each played against the same bot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from smallchange import bots
from smallchange.server.daily.days import opponent, paired_games
from smallchange.server.table.live.bot_turns import wait_for_bots
from smallchange.server.table.model.commands import PlayMove
from smallchange.server.table.model.history import History, SeatKind
from smallchange.server.table.model.outcome import margins, points
from smallchange.server.tournaments.api import tournament_shape
from smallchange.server.tournaments.director import Director
from smallchange.server.tournaments.kinds import kind_of
from smallchange.server.tournaments.model import NextStep, Phase, Tournament

from .rated import bearer, sign_up
from .serving import TIMEOUT_S, Person, Served, fresh, serving

GAME = paired_games()[0]
FIELDS = {"kind": "duel", "game": GAME, "minutes": "60"}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, bot_simulations=1) as served:
        yield served


@pytest.fixture
def path(served: Served, ann: Person, bo: Person) -> str:
    """The path of a pair that Ann has opened and Bo has entered by its link."""
    for person, name in ((ann, "Ann"), (bo, "Bo")):
        sign_up(person, name)
    found = str(ann.post("/tournaments", **FIELDS).headers["location"])
    assert bo.post(f"{found}/enter").status_code == 303
    return found


def begin(person: Person, path: str) -> str:
    """Begin one's next game of the pair, or go on with it, and return the id of its table."""
    answer = person.post(f"{path}/play")
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"].removeprefix("/m/"))


def play(served: Served, person: Person, path: str, choice: int = 0) -> History:
    """Play one's next game of the pair to its end by a simple rule, each time alike for a choice."""
    live_table = served.live_table(begin(person, path))
    holder = next(seat.holder for seat in live_table.history.seats if seat.kind == SeatKind.PERSON)
    served.call(wait_for_bots(live_table, TIMEOUT_S))
    while live_table.history.ending is None:
        history = live_table.history
        player = bots.bot("random" if choice else "greedy", luck=Random(choice))
        act = PlayMove(history.head.id, history.ply, fresh(), player(history.match.position))
        served.call(served.services.tables.submit(holder, act))
        served.call(wait_for_bots(live_table, TIMEOUT_S))
    return live_table.history


def find(served: Served, path: str) -> Tournament:
    found: Tournament = served.call(served.services.tournaments.find(path.rpartition("/")[2]))
    return found


def step(served: Served, path: str) -> NextStep:
    found = find(served, path)
    return kind_of(found).next_step(found, served.services.tables.now())


def test_both_meet_the_same_throws_and_answers_from_each_side_and_neither_game_tells_the_other(
    served: Served, ann: Person, bo: Person, path: str
) -> None:
    hers = [play(served, ann, path) for _ in range(2)]
    assert begin(ann, path) == hers[0].head.id, "there is no third game"
    his = [play(served, bo, path) for _ in range(2)]
    for seat, (one, other) in enumerate(zip(hers, his, strict=True)):
        assert [sitter.kind for sitter in one.seats] == [
            SeatKind.BOT if i != seat else SeatKind.PERSON for i in range(2)
        ]
        assert one.seats[1 - seat].bot == other.seats[1 - seat].bot == opponent(one.head.game).name
        assert one.match.deal == other.match.deal
        assert one.match.steps == other.match.steps
    assert hers[0].match.deal != hers[1].match.deal
    assert hers[0].head.seal != hers[1].head.seal


def test_a_pair_is_over_when_both_have_played_both_games_and_the_better_result_wins(
    served: Served, ann: Person, bo: Person, path: str
) -> None:
    hers = [play(served, ann, path)]
    page = ann.page(hers[0].head.id)
    assert f'href="{path}"' in page
    assert f"/m/{hers[0].head.id}/rematch" not in page, "it would be refused"
    page = ann.web.get(path).text
    assert "Play the second game" in page
    assert "Finished the deal: 0 of 2." in page
    hers.append(play(served, ann, path))
    his = [play(served, bo, path, choice=1)]
    assert "Finished the deal: 1 of 2." in bo.web.get(path).text
    assert bo.web.get(f"/m/{hers[0].head.id}").status_code == 403
    assert step(served, path) in (NextStep.WAIT, NextStep.ANNOUNCE)
    his.append(play(served, bo, path, choice=1))
    served.call(Director(served.services.tables, "test").sweep())
    assert find(served, path).phase == Phase.OVER
    assert bo.web.get(f"/m/{hers[0].head.id}").status_code == 200
    results = [
        (
            sum(points(one)[seat] or 0 for seat, one in enumerate(games)),
            sum(margins(one.match)[seat] for seat, one in enumerate(games)),
        )
        for games in (hers, his)
    ]
    now = served.services.tables.now()
    shape = tournament_shape(find(served, path), None, now)
    assert {one.entry: (2 * one.won, one.score) for one in shape.plays} == dict(enumerate(results, 1))
    best = results.index(max(results)) + 1
    found = find(served, path)
    assert kind_of(found).standings(found, now)[0].number == best
    assert [len(one.matches) for one in shape.plays] == [2, 2]
    page = bo.web.get(path).text
    assert "How it ended" in page
    for game in (*hers, *his):
        assert f'href="/m/{game.head.id}"' in page


def test_a_challenge_to_a_pair_by_name_begins_it_when_it_is_accepted(
    served: Served, ann: Person, bo: Person
) -> None:
    for person, name in ((ann, "Ann"), (bo, "Bo")):
        sign_up(person, name)
    sent = ann.post("/people/Bo/challenge", game=f"pair:{GAME}", time="5+3", rated="1").headers["location"]
    assert "Duplicate pair" in bo.web.get(sent).text
    path = bo.post(f"{sent}/answer", yes="1").headers["location"]
    assert path.startswith("/tournaments/")
    assert "two people play the same two deals" in ann.web.get(path).text
    assert "<bdi>Ann – Bo</bdi>" in ann.web.get(path).text
    assert "Duplicate pair" in ann.web.get("/tournaments").text
    sent = ann.web.post(
        "/api/accounts/Bo/challenge", json={"game": GAME, "time": ""}, headers=bearer(ann)
    ).json()
    assert (sent["time"], sent["rated"], sent["state"]) == ("", False, "waiting")
    answer = bo.web.post(
        f"/api/challenges/{sent['id']}/answer", json={"yes": True}, headers=bearer(bo)
    ).json()
    assert answer["match"] is None
    assert "duplicate pair" in ann.web.get(f"/tournaments/{answer['tournament']}").text.lower()


def test_a_game_without_luck_has_no_pair(served: Served, ann: Person, bo: Person) -> None:
    for person, name in ((ann, "Ann"), (bo, "Bo")):
        sign_up(person, name)
    refused = ann.post("/tournaments", **(FIELDS | {"game": "dodgem"}))
    assert refused.status_code == 400
    assert "a duel needs a game with luck" in refused.text
    assert ann.post("/people/Bo/challenge", game="pair:dodgem").status_code == 400


def test_a_duel_does_not_keep_the_name_of_a_player_who_is_erased(
    served: Served, ann: Person, bo: Person
) -> None:
    for person, name in ((ann, "Ann"), (bo, "Bartholomew")):
        sign_up(person, name)
    sent = ann.post("/people/Bartholomew/challenge", game=f"pair:{GAME}").headers["location"]
    path = bo.post(f"{sent}/answer", yes="1").headers["location"]
    named = ann.post("/tournaments", **(FIELDS | {"name": "Ann meets Bartholomew"})).headers["location"]
    assert bo.post(f"{named}/enter").status_code == 303
    assert bo.post("/account/erase", name="Bartholomew").status_code == 303
    for page in (path, named, "/tournaments", "/notifications"):
        assert "Bartholomew" not in ann.web.get(page).text
