"""Rated tables: who may sit down, what counts, and the ratings that follow."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, delete, insert

from smallchange.core.glicko2 import START_RATING
from smallchange.server.database import schema
from smallchange.server.meeting.challenges import begin_match
from smallchange.server.ratings import rows as ratings
from smallchange.server.ratings.standings import Board, RatedMatch, Standing, replay, standings_after
from smallchange.server.table.model.clock import DAY_MS
from smallchange.server.table.model.events import How
from smallchange.server.table.model.new_tables import Wish
from smallchange.server.table.model.outcome import Points
from smallchange.server.table.model.outcome import points as points_of
from smallchange.server.table.storage.store import Store
from smallchange.server.web.sessions import AccountState

from .outside import until
from .rated import (
    PASSWORD,
    Program,
    all_standings,
    begin,
    play,
    play_and_resign,
    rated_matches,
    sign_up,
)
from .serving import TIMEOUT_S, Person, Served, serving
from .tables import PAIR, write
from .tournament_site import play_first, site


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("rated")) as served:
        yield served


@pytest.fixture
def pair(served: Served) -> Iterator[tuple[Program, Program]]:
    first, second = (Program(served.url, f"{name} {secrets.token_hex(4)}") for name in ("Ann", "Bo"))
    yield first, second
    first.close()
    second.close()


@pytest.fixture(scope="module")
def opener(served: Served) -> Iterator[Program]:
    program = Program(served.url, "Olga")
    yield program
    program.close()


def is_rated(program: Program, id: str) -> bool:
    return all(one["gain"] is not None for one in program.table(id)["ratings"].values())


def test_both_ratings_change_by_a_rated_game_and_a_rematch_is_rated_too(
    served: Served, pair: tuple[Program, Program]
) -> None:
    ann, bo = pair
    id = begin(ann, bo)
    before = ann.table(id)
    assert before["rated"]
    assert {one["points"] for one in before["ratings"].values()} == {START_RATING}
    play_and_resign(id, ann, bo)
    until(lambda: is_rated(bo, id))
    (won,), (lost,) = ann.ratings(), bo.ratings()
    assert won["points"] - START_RATING == pytest.approx(START_RATING - lost["points"])
    assert won["points"] > START_RATING
    assert (won["game"], won["speed"], won["matches"], won["provisional"]) == (PAIR, "blitz", 1, True)
    bo.post(f"/matches/{id}/again")
    again = ann.post(f"/matches/{id}/again")["match"]
    assert again != id
    assert ann.table(again)["rated"]
    page = httpx.get(f"{served.url}/m/{id}", timeout=TIMEOUT_S).text
    assert f"{round(won['points'])}? (+" in page


@pytest.mark.parametrize("moves", [0, 2])
def test_a_rated_game_that_hardly_began_counts_for_nobody_and_says_so(
    served: Served, pair: tuple[Program, Program], moves: int
) -> None:
    ann, bo = pair
    id = begin(ann, bo)
    play(id, ann, bo, moves=moves)
    bo.command(id, "resign" if moves else "abort")
    assert served.call(served.services.tables.store.read(ratings.has_unrated)) is False
    assert bo.ratings() == []
    assert "does not count for the ratings" in httpx.get(f"{served.url}/m/{id}", timeout=TIMEOUT_S).text


@pytest.mark.parametrize("command", ["resign", "abort"])
def test_the_second_rated_game_that_one_leaves_within_a_day_counts_as_lost(
    served: Served, pair: tuple[Program, Program], command: str
) -> None:
    ann, bo = pair
    for n, program in enumerate((ann, ann, bo)):
        id = begin(ann, bo)
        program.command(id, command)
        told = served.live_table(id).history
        warned = "Leaving another game this early within a day will count as a loss."
        assert (warned in program.page(id)) == (n != 1)
        assert warned not in (bo if program is ann else ann).page(id)
        assert points_of(told) == ((Points.LOSS, Points.WIN) if n == 1 else (None, None))
    until(lambda: bool(bo.ratings()))
    (won,), (lost,) = bo.ratings(), ann.ratings()
    assert (won["matches"], won["points"] > START_RATING > lost["points"]) == (1, True)


def test_a_second_first_turn_that_one_lets_pass_within_a_day_is_lost(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            people = await here.account(0), await here.account(1)
            ends = []
            for _ in range(2):
                wish = Wish(PAIR, "1+2")
                id = await here.store.write(
                    "",
                    lambda c: begin_match(c, here.tables.openings, wish, True, people, here.time),  # noqa: B023
                )
                history = (await here.tables.live.table(id)).history
                if history.seats[0].holder == people[1].holder:  # let the same player be on turn
                    await play_first(here, history)
                await here.pass_ms(66_000)
                ends.append((await here.tables.live.table(id)).history)
            assert [one.ending.how for one in ends if one.ending] == [How.ABORTED, How.TIMED_OUT]
            assert [one.seats[one.ending.seat].holder for one in ends if one.ending] == [people[0].holder] * 2
            assert None not in points_of(ends[1])

    asyncio.run(run())


def test_a_guest_may_neither_open_nor_join_a_rated_table(served: Served, opener: Program) -> None:
    code = opener.open()["code"]
    with httpx.Client(base_url=f"{served.url}/api", timeout=TIMEOUT_S) as guest, Person(served) as person:
        order = {"game": PAIR, "time": "5+3", "rated": True}
        for path, body in (("/matches", order), (f"/join/{code}", {})):
            answer = guest.post(path, json=body)
            assert (answer.status_code, answer.json()["code"]) == (403, "no-account")
        assert "both players need an account" in person.web.get(f"/j/{code}").text


@pytest.mark.parametrize(
    "wrong",
    [
        {"time": ""},
        {"options": "other"},
        {"seats": "both"},
        {"seats": "bot"},
        {"game": "solo"},
    ],
)
def test_only_standard_games_between_two_people_with_a_clock_are_rated(
    opener: Program, wrong: dict[str, Any]
) -> None:
    games = {game["id"]: game for game in opener.get("/games")["games"]}
    order = {"game": PAIR, "time": "5+3"} | wrong
    players = games[order["game"]]["players"]
    if len(players) == 1:
        order["time"] = ""
    if wrong.get("options"):
        changed = next(one for one in games[PAIR]["options"] if type(one["default"]) is int)
        order["options"] = {changed["name"]: changed["default"] - 1}
    if wrong.get("seats"):
        order["seats"] = dict(
            zip(players, ("me", {"both": "me", "bot": "bot:random"}[wrong["seats"]]), strict=True)
        )
    assert opener.post("/matches", 400, rated=True, **order)["code"] == "cannot-rate"


def test_an_account_has_its_ratings_on_its_page_and_the_name_of_its_seat(served: Served) -> None:
    with Person(served) as ann:
        ann.post("/account/sign-up", name="Page Ann", password=PASSWORD)
        id = ann.open(PAIR, time="10+5", rated="1", name="Somebody else")
        assert "Page Ann" in ann.page(id)
        assert "Somebody else" not in ann.page(id)
        bo = Program(served.url, "Page Bo")
        bo.post(f"/join/{ann.invite(id).rpartition('/')[2]}")
        bo.close()
        assert "1500?" in ann.page(id)
        assert "No rated game yet" in ann.web.get("/account").text


def test_the_name_of_a_player_leads_to_the_profile_whatever_it_is_by_now(
    served: Served, opener: Program
) -> None:
    table = opener.open()
    with Person(served) as nadia, Person(served) as guest:
        sign_up(nadia, "Nadia")
        nadia.post(f"/j/{table['code']}")
        id = table["match"]
        seat = [seat.name for seat in served.live_table(id).history.seats].index("Nadia")
        path = f"/m/{id}/players/{seat}"
        assert f'<a href="{path}">Nadia</a>' in guest.page(id)
        assert path not in nadia.page(id), "one's own name leads nowhere"
        assert nadia.post("/account/rename", name="Nadia II").status_code == 303
        assert guest.web.get(path).headers["location"] == "/people/Nadia%20II"
        assert guest.web.get(f"/m/{id}/players/7").status_code == 404


def test_a_leaderboard_lists_those_whose_rating_is_certain_now(served: Served) -> None:
    now, year = time.time_ns() // 1_000_000, 365 * DAY_MS
    standings = {
        "Certain": (1600, 60, now, 30),
        "Provisional": (1900, 150, now, 30),
        "Beginner": (1800, 60, now, 3),
        "Long ago": (1700, 100, now - 20 * year, 30),
        "Second": (1550, 70, now, 12),
    }
    for name, (points, deviation, at, matches) in standings.items():
        Program(served.url, name).close()
        values = f"'{PAIR}', 'blitz', {points}, {deviation}, 0.06, {at}, {matches}"
        write(served, f"INSERT INTO rating SELECT id, {values} FROM account WHERE name = ?", name)
    boards = httpx.get(f"{served.url}/api/ratings/{PAIR}", timeout=TIMEOUT_S).json()["boards"]
    listed = [leader["name"] for leader in boards["blitz"] if leader["name"] in standings]
    assert listed == ["Certain", "Second"]
    page = httpx.get(f"{served.url}/ratings/{PAIR}", timeout=TIMEOUT_S).text
    assert "Certain" in page
    assert "Provisional" not in page


def test_the_more_is_played_the_more_games_it_takes_to_be_listed() -> None:
    base = {"game": PAIR, "speed": "slow", "points": 1500.0, "deviation": 60.0, "volatility": 0.06, "at": 0}
    person = {"created": 0, "role": "person", "state": AccountState.OPEN, "settings": "{}"}
    engine = create_engine("sqlite://")
    schema.metadata.create_all(engine)
    with engine.begin() as connection:
        for n in range(ratings.MAX_LEADERS + 1):
            names = dict.fromkeys(("id", "name", "folded", "skeleton", "holder"), f"p{n}")
            connection.execute(insert(schema.account), person | names)
            connection.execute(
                insert(schema.rating), base | {"account_id": f"p{n}", "matches": 20 if n else 5}
            )
        crowded = ratings.leaderboard(connection, PAIR, "slow", 0)
        connection.execute(delete(schema.rating).where(schema.rating.c.account_id == "p1"))
        sparse = ratings.leaderboard(connection, PAIR, "slow", 0)
    assert (crowded.least_matches, len(crowded.leaders)) == (20, ratings.MAX_LEADERS)
    assert (sparse.least_matches, len(sparse.leaders)) == (5, ratings.MAX_LEADERS)


def test_ratings_computed_again_from_the_matches_are_the_same(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        programs = [Program(served.url, name) for name in ("Rae", "Rio", "Rue")]
        for i, (winner, loser) in enumerate([(0, 1), (1, 2), (2, 0), (0, 1), (0, 2)]):
            id = begin(programs[winner], programs[loser], time=("5+3", "1d+3d")[i % 2])
            play_and_resign(id, programs[winner], programs[loser])
            until(lambda: is_rated(programs[0], id))  # noqa: B023
        profile = httpx.get(f"{served.url}/people/Rae", timeout=TIMEOUT_S).text
        assert profile.count('<figure class="rating-graph">') == 1  # of three games at one speed
        assert "in 3 games, lowest" in profile
        assert "Expected score against 1500: " in profile
        for program in programs:
            program.close()
        store = served.services.tables.store
        matches, stored = served.call(_both(store))
        assert len(matches) == 5
        assert replay(matches) == stored


async def _both(store: Store) -> tuple[list[RatedMatch], dict[Board, Standing]]:
    return await asyncio.gather(store.read(rated_matches), store.read(all_standings))


results = st.tuples(
    st.sampled_from([("a", "b"), ("b", "c"), ("c", "a"), ("b", "a")]),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.integers(0, 40 * DAY_MS),
    st.sampled_from(["blitz", "rapid"]),
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # the machine may be busy
@given(st.lists(results, max_size=12), st.integers(0, 12))
def test_standings_do_not_depend_on_how_many_matches_are_rated_at_a_time(
    played: list[tuple[tuple[str, str], float, int, str]], first: int
) -> None:
    matches = [RatedMatch("game", speed, players, score, at) for players, score, at, speed in played]
    found = replay(matches[:first])
    for match in matches[first:]:
        one, two = match.boards
        found[one], found[two] = standings_after(
            found.get(one, Standing()), found.get(two, Standing()), match
        )
    assert found == replay(matches)
    assert sum(standing.matches for standing in found.values()) == 2 * len(matches)
