"""Several processes on one database: PostgreSQL, with notices over it, or lost altogether."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from smallchange.core.game import Game
from smallchange.server.database.bus import PostgresBus
from smallchange.server.database.opening import HEAD_REVISION, engine, migrate, revision
from smallchange.server.database.schema import metadata
from smallchange.server.table.model.plans import OWN
from tests.server.result_rows import result_rows

from .outside import Process, postgresql, until
from .serving import TIMEOUT_S, Person, Served, fresh, hear, say, serving, stored_events
from .tables import PAIR, legal, table_after_moves, table_for_two


@pytest.fixture(scope="module", params=["postgresql", "lost"])
def pair(
    request: pytest.FixtureRequest, database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Served, Served]]:
    """Yield two servers on one database. On the bus "lost" neither hears the other."""
    folder = tmp_path_factory.mktemp("none")
    with pytest.MonkeyPatch.context() as patched:
        if request.param == "lost":
            patched.setattr(PostgresBus, "receive", _lose)
            patched.setattr("smallchange.server.table.live.live_tables.SWEEP_PERIOD_S", 0.2)
        with serving(folder, database=database) as here, serving(folder, database=database) as there:
            yield here, there


async def _lose(bus: PostgresBus, payload: str) -> None:
    """Lose a message, but for that it came."""
    bus._unheard_since = None


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_migrations_make_the_schema(kind: str, database: str, tmp_path: Path) -> None:
    url = database if kind == "postgresql" else f"sqlite:///{tmp_path / 'tables.db'}"
    opened = engine(url)
    migrate(opened)
    with opened.connect() as connection:
        assert revision(connection) == HEAD_REVISION
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    opened.dispose()


def test_an_id_that_no_database_can_hold_is_no_table(pair: tuple[Served, Served]) -> None:
    with Person(pair[0]) as ann:
        for path in ("/m/%00", "/j/%00", "/api/matches/%00"):
            assert ann.web.get(path).status_code == 404


def test_players_on_two_servers_see_each_others_steps(pair: tuple[Served, Served]) -> None:
    here, there = pair
    with Person(here) as ann, Person(there) as bo:
        id = ann.open(PAIR)
        link = ann.invite(id)
        with ann.socket() as a:
            say(a, **{"is": "watch", "match": id})
            hear(a, "changes")
            assert bo.post(link, name="Bo").status_code == 303
            while hear(a, "changes")["ply"] < 1:
                pass
            with bo.socket() as b:
                say(b, **{"is": "watch", "match": id})
                hear(b, "changes")
                for ply in range(1, 7):
                    mover = (a, b)[(ply - 1) % 2]
                    server = (here, there)[(ply - 1) % 2]
                    move = {"match": id, "ply": ply, "move": fresh(), "token": legal(server, id)[0]}
                    say(mover, **{"is": "act", **move})
                    for line in (a, b):
                        _until_at(line, id, ply + 1)
    assert stored_events(here, id) == stored_events(there, id)


def _until_at(line: object, id: str, ply: int) -> None:
    """Ask until this connection was shown this ply."""
    from websockets.sync.client import ClientConnection

    assert isinstance(line, ClientConnection)
    say(line, **{"is": "watch", "match": id, "ply": ply})
    while hear(line, "changes", "unchanged")["ply"] < ply:
        pass


def test_a_list_is_up_to_date_on_the_other_server_too(pair: tuple[Served, Served]) -> None:
    here, there = pair
    with Person(here) as ann, Person(there) as bo:
        id = table_for_two(ann, bo)
        assert "Your turn" not in bo.web.get("/lists").text
        assert ann.command(id, "act", 1, token=legal(here, id)[0]).status_code == 303
        assert "Your turn" in bo.web.get("/lists").text


def test_of_moves_that_race_on_two_servers_one_wins(pair: tuple[Served, Served]) -> None:
    here, there = pair
    with Person(here) as ann, Person(there) as twin, ThreadPoolExecutor(2) as pool:
        id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
        twin.web.cookies = ann.web.cookies
        for ply in range(12):
            tokens = legal(here, id)
            tries = [(ann, tokens[0]), (twin, tokens[-1])]
            answers = list(pool.map(lambda t: t[0].command(id, "act", ply, token=t[1]).status_code, tries))  # noqa: B023
            assert sorted(answers) == [303, 409]
            assert len(stored_events(here, id)) == ply + 1
            assert ann.command(id, "act", ply, token=tokens[0]).status_code == 409
            assert twin.command(id, "act", ply, token=tokens[0]).status_code == 409
            assert here.live_table(id).history.ply == there.live_table(id).history.ply == ply + 1


def test_what_is_planned_at_two_servers_at_once_is_kept_whole(pair: tuple[Served, Served]) -> None:
    here, there = pair
    with Person(here) as ann, Person(here) as bo, Person(there) as twin, ThreadPoolExecutor(4) as pool:
        id = table_for_two(ann, bo)
        twin.web.cookies = bo.web.cookies
        twin.page(id)
        position = here.live_table(id).history.match.position
        lines = [f"{token} {OWN}{next(iter(position.played(token).legal()))}" for token in position.legal()]

        def plan(n: int) -> int:
            return (bo, twin)[n % 2].command(id, "plan", 0, line=lines[n], more="1").status_code

        assert set(pool.map(plan, range(len(lines)))) == {303}
        plans = here.call(here.services.tables.store.load(id)).plans
        assert [sorted(map(" ".join, one.lines)) for one in plans.values()] == [sorted(lines)]


def test_a_move_sent_again_to_the_other_server_has_one_effect(pair: tuple[Served, Served]) -> None:
    here, there = pair
    with Person(here) as ann, Person(there) as twin:
        id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
        twin.web.cookies = ann.web.cookies
        twin.page(id)
        token = legal(here, id)[0]
        assert ann.command(id, "act", 0, token=token, move="samesame").status_code == 303
        assert twin.command(id, "act", 0, token=token, move="samesame").status_code == 303
    assert len(stored_events(here, id)) == 1


def test_a_server_that_heard_of_no_step_knows_it_again_and_takes_the_next(
    pair: tuple[Served, Served],
) -> None:
    here, there = pair
    with Person(here) as ann:
        id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
        there.live_table(id)
        with Person(there) as twin:
            twin.web.cookies = ann.web.cookies
            with twin.socket() as line:
                for ply in (0, 2):
                    step = {"ply": ply, "token": legal(here, id)[0], "move": fresh()}
                    ann.web.post(f"/m/{id}/act", data=step)
                    say(line, **{"is": "act", "match": id} | step)
                    assert hear(line, "ack", "refusal", "conflict")["is"] == "ack"
                    ann.command(id, "act", ply + 1, token=legal(here, id)[0])
    assert len(stored_events(here, id)) == 4


@pytest.mark.parametrize("pair", ["postgresql"], indirect=True, scope="module")
def test_who_waits_on_one_server_is_listed_by_the_other(pair: tuple[Served, Served], database: str) -> None:
    here, there = pair
    with Person(here) as ann, Person(there) as bo, ann.socket() as line:
        id = ann.open(PAIR, open="1")
        with psycopg.connect(database) as rows:
            rows.execute("UPDATE match SET created = 0 WHERE id = %s", (id,))  # it is listed for that no more
        say(line, **{"is": "watch", "match": id})
        hear(line, "changes")
        until(lambda: here.live_table(id).history.head.code in bo.web.get("/lists").text)


def test_only_one_takes_the_seat_when_two_ask_on_two_servers(pair: tuple[Served, Served]) -> None:
    here, there = pair
    with Person(here) as ann, Person(here) as bo, Person(there) as eve, ThreadPoolExecutor(2) as pool:
        id = ann.open(PAIR)
        link = ann.invite(id)
        list(pool.map(lambda who: who.post(link), (bo, eve)))
        seats = [
            [seat.holder for seat in served.call(served.services.tables.store.load(id)).seats]
            for served in pair
        ]
        assert seats[0] == seats[1]
        acts = [who.command(id, "resign", 1).status_code for who in (bo, eve)]
    assert acts.count(303) == 1


def test_there_is_one_rematch_though_both_ask_at_once(pair: tuple[Served, Served]) -> None:
    here, there = pair
    with Person(here) as ann, Person(there) as bo, ThreadPoolExecutor(2) as pool:
        id = ann.open(PAIR)
        bo.post(ann.invite(id))
        ann.command(id, "resign", 1)
        asked = list(pool.map(lambda who: who.post(f"/m/{id}/rematch").headers["location"], (ann, bo)))
        opened = bo.post(f"/m/{id}/rematch").headers["location"]
        assert sorted(asked) == sorted([f"/m/{id}", opened]), "one asked, the other agreed"


def test_practice_is_there_on_the_other_server_as_soon_as_a_game_is_over(pair: tuple[Served, Served]) -> None:
    here, there = pair
    with Person(here) as ann, Person(there) as bo:
        id = table_for_two(ann, bo)
        ann.command(id, "resign", 1)
        assert bo.post(f"/m/{id}/fork", at="0").status_code == 303


def test_two_servers_may_start_on_an_empty_database_at_once() -> None:
    with postgresql() as url, ThreadPoolExecutor(2) as pool:
        servers = list(pool.map(lambda _: Process(database=url), range(2)))
        for server in servers:
            assert httpx.get(f"{server.url}/healthz", timeout=TIMEOUT_S).json() == {"well": True}
            assert server.stop()[0] == 0


def test_presence_is_known_across_servers(
    pair: tuple[Served, Served], request: pytest.FixtureRequest
) -> None:
    here, there = pair
    with Person(here) as ann, Person(there) as bo:
        id = table_for_two(ann, bo)
        with ann.socket() as a, bo.socket() as b:
            say(a, **{"is": "watch", "match": id})
            say(b, **{"is": "watch", "match": id})
            hear(b, "changes")
            if "lost" in request.node.name:  # what is lost is lost: presence is not kept
                assert "Bo is away" in ann.page(id)
                return
            while "Bo is here" not in str(hear(a, "changes")):
                pass


def test_a_rematch_is_shown_on_the_other_server_too(pair: tuple[Served, Served]) -> None:
    here, there = pair
    with Person(here) as ann, Person(there) as bo, bo.socket() as b:
        id = table_for_two(ann, bo)
        say(b, **{"is": "watch", "match": id})
        ann.command(id, "resign", 1)
        while hear(b, "changes")["ply"] < 2:
            pass
        ann.post(f"/m/{id}/rematch")
        again = bo.post(f"/m/{id}/rematch").headers["location"]
        while again not in str(hear(b, "changes")):
            pass


def test_what_ones_games_came_to_is_told_by_either_server(pair: tuple[Served, Served]) -> None:
    here, there = pair
    with Person(here) as ann, Person(here) as bo, Person(there) as again:
        id = table_after_moves(here, ann, bo, id=table_for_two(ann, bo))
        bo.command(id, "resign", here.live_table(id).history.ply)
        again.web.cookies = ann.web.cookies
        assert result_rows(again) == result_rows(ann) != []


def test_who_follows_a_board_on_another_server_is_shown_it(
    pair: tuple[Served, Served], request: pytest.FixtureRequest
) -> None:
    here, there = pair
    hears = "postgresql" in request.node.name
    with Person(here) as ann, Person(there) as bo:
        id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
        ann.command(id, "resign", 0)
        path = f"/m/{id}/analysis"
        leading = ann.web.get(f"{path}?at=0&lead=").headers["location"]
        page = ann.web.get(f"{leading}&note=0+here").text
        following = f"{path}?follow={page.partition('?follow=')[2][:16]}"
        until(lambda: (">here<" in bo.web.get(following).text) == hears)
