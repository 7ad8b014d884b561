"""A database that is locked, broken or silent: it is said, nobody waits for it for long, and it goes on."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from sqlalchemy import Connection, event, select, text
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed

from smallchange.core.game import Game
from smallchange.server.database import schema
from smallchange.server.database.group_commit import Writer
from smallchange.server.table.live import live_table as live_table_module
from smallchange.server.table.model.events import Event, Step
from smallchange.server.table.storage import store as store_module
from smallchange.server.web.errors import ErrorCode, Refused
from tests.server.locked_database import create_match, frozen, lock_database

from .dying import Deaths
from .outside import Process, postgresql, until
from .serving import TIMEOUT_S, Person, Served, fresh, hear, say, serving, stored_events
from .tables import PAIR, legal, table_for_two

engines = import_module("smallchange.server.database.opening")
BOTH = {f"seat.{player}": "me" for player in Game(PAIR).seats}


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'tables.db'}"
        return
    with postgresql() as found:
        yield found


def test_who_waits_for_a_locked_database_when_the_server_stops_is_told(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "CONNECT_TIMEOUT_S", 60)
    monkeypatch.setattr(store_module, "GROUP_DEADLINE_S", TIMEOUT_S)
    monkeypatch.setattr(store_module, "ANSWER_TIMEOUT_S", TIMEOUT_S)  # the machine may be busy
    with ThreadPoolExecutor(6) as pool, serving(tmp_path, database=url, roles="none") as served:
        writer = served.services.tables.store.writer
        with lock_database(url):
            asked = [pool.submit(create_match, served.url)]
            until(lambda: writer._group)
            asked += [pool.submit(create_match, served.url) for _ in range(5)]
            until(lambda: writer.waiting == 5)
            served.stop()
            answers = [answer.result() for answer in asked]
        writer._thread.join(TIMEOUT_S)
    assert [answer.status_code for answer in answers] == [503] * 6
    assert {answer.json()["code"] for answer in answers} == {"shutting-down"}
    opened = engines.engine(url)
    with opened.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM match")).scalar() == 0
    opened.dispose()


def test_a_server_that_can_store_nothing_is_not_well_until_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "CONNECT_TIMEOUT_S", 0.1)
    monkeypatch.setattr(store_module, "GROUP_DEADLINE_S", TIMEOUT_S)
    with serving(tmp_path) as served:
        health = f"{served.url}/healthz"
        with lock_database(served.settings.database):
            assert httpx.get(health, timeout=TIMEOUT_S).status_code == 200, "nothing was to be stored yet"
            assert create_match(served.url).json()["code"] == "not-stored"
            assert [httpx.get(health, timeout=TIMEOUT_S).status_code for _ in range(2)] == [503, 503]
        assert [httpx.get(health, timeout=TIMEOUT_S).status_code for _ in range(2)] == [200, 200]
        assert create_match(served.url).status_code == 201


def test_a_server_on_a_nearly_full_disk_is_not_well_though_small_writes_still_fit(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "GROUP_DEADLINE_S", TIMEOUT_S)  # the machine may be busy
    store, health, pages = served.services.tables.store, f"{served.url}/healthz", 2**30

    def limit(connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    def large(connection: Connection) -> None:
        row = {"day": 1, "game": PAIR, "options": "." * 100_000, "secret": b"", "seal": ""}
        connection.execute(schema.daily.insert(), row)

    event.listen(store._engine, "begin", limit)
    assert create_match(served.url).status_code == 201
    pages = served.call(store.read(lambda c: c.exec_driver_sql("PRAGMA page_count").scalar_one())) + 8
    with pytest.raises(Refused):
        served.call(store.write("", large, size=100_000))
    assert create_match(served.url).status_code == 201, "a small write fits"
    answers = [httpx.get(health, timeout=TIMEOUT_S) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [503, 503]
    assert int(answers[0].headers["Retry-After"]) > 0
    pages = 2**30
    assert httpx.get(health, timeout=TIMEOUT_S).status_code == 200
    assert served.call(store.read(lambda c: c.execute(select(schema.probe)).all())) == [], (
        "nothing is left of it"
    )


@pytest.mark.parametrize("replaced", [False, True])
def test_a_server_whose_file_is_gone_is_not_well_until_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replaced: bool
) -> None:
    """Else it would go on with a file that nobody finds again."""
    monkeypatch.setattr(store_module, "GROUP_DEADLINE_S", TIMEOUT_S)
    file, elsewhere = tmp_path / "tables.db", tmp_path / "elsewhere.db"
    with serving(tmp_path) as served:
        health = f"{served.url}/healthz"
        assert create_match(served.url).status_code == 201
        file.rename(elsewhere)
        if replaced:
            shutil.copy(elsewhere, file)
        assert create_match(served.url).json()["code"] == "not-stored"
        assert [
            httpx.get(health, timeout=TIMEOUT_S).status_code,
            httpx.get(served.url, timeout=TIMEOUT_S).status_code,
        ] == [503, 503]
        elsewhere.replace(file)
        assert create_match(served.url).status_code == 201
        assert httpx.get(health, timeout=TIMEOUT_S).status_code == 200


def test_a_server_whose_write_hangs_is_not_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "CONNECT_TIMEOUT_S", 60)
    with serving(tmp_path) as served, ThreadPoolExecutor(1) as pool:
        with lock_database(served.settings.database):
            asked = pool.submit(create_match, served.url)
            while httpx.get(f"{served.url}/healthz", timeout=TIMEOUT_S).status_code == 200:
                pass
        assert asked.result().status_code == 201
        assert httpx.get(f"{served.url}/healthz", timeout=TIMEOUT_S).status_code == 200


def test_a_server_whose_postgresql_is_silent_says_so_and_can_be_stopped() -> None:
    with postgresql() as url:
        server = Process(database=url)
        assert create_match(server.url).status_code == 201
        with frozen(url), ThreadPoolExecutor(2) as pool:
            asked = [
                pool.submit(create_match, server.url),
                pool.submit(httpx.get, server.url, timeout=TIMEOUT_S),
            ]
            assert httpx.get(f"{server.url}/healthz", timeout=TIMEOUT_S).status_code == 503
            status, said = server.stop()
            assert [answer.result().status_code for answer in asked] == [503, 503]
    assert status == 0, said
    assert b"Traceback" not in said


def test_while_postgresql_hangs_requests_end_and_a_step_sent_again_is_taken_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        postgresql() as url,
        serving(tmp_path, database=url, bus="memory://") as served,
        Person(served) as ann,
    ):
        id = ann.open(PAIR, **BOTH)
        command = {"ply": 0, "move": fresh(), "token": legal(served, id)[0]}
        with frozen(url), monkeypatch.context() as patched:
            patched.setattr(store_module, "ANSWER_TIMEOUT_S", 0.5)
            for answer in (ann.post(f"/m/{id}/act", **command), ann.web.get("/mine")):
                assert answer.status_code == 503
                assert ErrorCode.OUTCOME_UNKNOWN.text.en in answer.text
            assert create_match(served.url).json()["code"] == "outcome-unknown"
        assert create_match(served.url).status_code == 201
        assert stored_events(served, id) == [], "nothing is done for who has given up"
        assert ann.post(f"/m/{id}/act", **command).status_code == 303
        assert [move for *_, move in stored_events(served, id)] == [command["move"]]
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT count(*) FROM match").fetchone() == (2,)


def test_a_step_that_was_stored_too_late_is_not_taken_again(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was under way when its sender gave up; what waited behind it is not done any more."""
    monkeypatch.setattr(engines, "CONNECT_TIMEOUT_S", 60)
    with serving(tmp_path, database=url, bus="memory://") as served, Person(served) as ann:
        id, other = ann.open(PAIR, **BOTH), ann.open(PAIR, **BOTH)
        command = {"ply": 0, "move": fresh(), "token": legal(served, id)[0]}
        with lock_database(url), monkeypatch.context() as patched:
            patched.setattr(store_module, "ANSWER_TIMEOUT_S", 0.5)
            assert ann.post(f"/m/{id}/act", **command).status_code == 503
            assert ann.post(f"/m/{other}/act", **command).status_code == 503
            assert served.live_table(id).history.ply == 0
        assert ann.command(id, "act", 0, token=legal(served, id)[1]).status_code == 409
        assert ann.post(f"/m/{id}/act", **command).status_code == 303
        assert [move for *_, move in stored_events(served, id)] == [command["move"]]
        assert stored_events(served, other) == []


@pytest.mark.parametrize("arrives", [True, False])
def test_where_the_line_dies_at_the_commit_it_is_not_said_that_nothing_was_done(
    arrives: bool, tmp_path: Path
) -> None:
    with (
        postgresql() as url,
        serving(tmp_path, database=url, bus="memory://", roles="none") as served,
        Person(served) as ann,
    ):
        id = ann.open(PAIR, **BOTH)
        command = {"ply": 0, "move": fresh(), "token": legal(served, id)[0]}
        let_die_at_commit(served, arrives)
        with capture_logs() as logs:
            answer = ann.post(f"/m/{id}/act", **command)
        assert (answer.status_code, [entry["log_level"] for entry in logs]) == (503, ["error"])
        assert ErrorCode.OUTCOME_UNKNOWN.text.en in answer.text
        assert len(stored_events(served, id)) == arrives
        assert httpx.get(f"{served.url}/api/matches/{id}", timeout=TIMEOUT_S).json()["ply"] == arrives
        assert ann.post(f"/m/{id}/act", **command).status_code == 303
        assert [move for *_, move in stored_events(served, id)] == [command["move"]]


def let_die_at_commit(served: Served, arrives: bool) -> None:
    """Cut the next connection to PostgreSQL at its COMMIT; the commit arrives there, or does not."""

    def die(connection: Connection) -> None:
        line: Any = connection.connection.driver_connection
        if arrives:
            line.execute("COMMIT")
            line.execute("BEGIN")
        engines.disconnect(line)

    event.listen(served.services.tables.store._engine, "commit", die, once=True)


def test_where_the_database_fails_each_job_is_tried_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "CONNECT_TIMEOUT_S", 0.1)
    ran: list[int] = []

    def job(number: int, connection: Connection) -> None:
        ran.append(number)
        connection.execute(text("INSERT INTO name VALUES (:number)"), {"number": number})

    url = f"sqlite:///{tmp_path / 'names.db'}"
    with wal_database(url), lock_database(url):
        found = apart(write_group(url, job))
    assert [type(result) for result in found] == [OperationalError] * 3
    assert ran == [0]


def test_of_events_stored_together_those_of_who_came_second_are_refused_alone(
    url: str, tmp_path: Path
) -> None:
    with serving(tmp_path, database=url, bus="memory://") as served, Person(served) as ann:
        store, go = served.services.tables.store, threading.Event()
        ids = [ann.open(PAIR, **BOTH) for _ in range(3)]

        async def together() -> Any:
            assert await store.append(ids[1], 0, [step()])
            first = store.writer.submit("", lambda _: go.wait(TIMEOUT_S))
            rest = [asyncio.create_task(store.append(id, 0, [step(), step()])) for id in ids]
            while store.writer.waiting < len(ids):
                await asyncio.sleep(0)
            go.set()
            return await asyncio.gather(first, *rest)

        assert served.call(together()) == [True, True, False, True]
    opened = engines.engine(url)
    with opened.connect() as rows:
        found = rows.execute(text("SELECT match_id, count(*) FROM event GROUP BY match_id")).all()
    opened.dispose()
    assert dict(found) == {ids[0]: 2, ids[1]: 1, ids[2]: 2}


def test_after_a_failure_at_the_commit_of_events_further_ones_are_stored(url: str, tmp_path: Path) -> None:
    settings = {"database": url, "bus": "memory://", "roles": "none"}
    with serving(tmp_path, **settings) as served, Person(served) as ann:
        store, id = served.services.tables.store, ann.open(PAIR, **BOTH)
        deaths = Deaths(store._engine)
        for ply in range(3):
            taken, deaths.countdown = step(), 1
            with pytest.raises(Refused):
                served.call(store.append(id, ply, [taken]))
            stored = served.call(store.newest_plies([id]))[id][0] > ply
            assert served.call(store.append(id, ply, [taken])) != stored
        assert served.call(store.newest_plies([id]))[id][0] == 3


def step() -> Event:
    return Step(0, 0, fresh(), action=7)


@contextmanager
def wal_database(url: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as rows:
        rows.execute("PRAGMA journal_mode=WAL")
        rows.execute("CREATE TABLE name (number INTEGER PRIMARY KEY)")
        yield rows


async def write_group(url: str, job: Any) -> list[Any]:
    """Return the results of `job` for 0, 1 and 2, written in one group."""
    opened = engines.engine(url)
    writer = Writer(opened)
    begun, go = threading.Event(), threading.Event()

    def hold(_: Connection) -> None:
        begun.set()
        go.wait(TIMEOUT_S)

    first = writer.submit("", hold)
    await asyncio.to_thread(begun.wait, TIMEOUT_S)
    jobs = [writer.submit(str(n), partial(job, n)) for n in range(3)]
    go.set()
    await first
    found = await asyncio.gather(*jobs, return_exceptions=True)
    await writer.close()
    opened.dispose()
    return found


def apart(work: Any) -> list[Any]:
    """Run in a thread of its own: the browser tests leave a loop running in this one."""
    with ThreadPoolExecutor(1) as pool:
        found: list[Any] = pool.submit(asyncio.run, work).result()
        return found


def test_who_cannot_be_shown_a_table_now_is_hung_up_on_and_calls_again(database: str, tmp_path: Path) -> None:
    """Else the page would take its line for good, and never hear of the table again."""
    with serving(tmp_path, database=database) as served, Person(served) as ann:
        id = ann.open(PAIR)
        with hidden_tables(database), ann.socket() as line:
            say(line, **{"is": "watch", "match": id})
            assert hear(line, "refusal")["code"] == "not-stored"
            with pytest.raises(ConnectionClosed):
                hear(line, "changes")
            assert line.close_code == 1013
        with ann.socket() as line:
            say(line, **{"is": "watch", "match": id})
            assert hear(line, "changes")


def test_news_of_a_table_that_cannot_be_read_is_a_line_in_the_log(database: str, tmp_path: Path) -> None:
    with serving(tmp_path, database=database) as served, Person(served) as ann:
        id, others = ann.open(PAIR), psycopg.connect(database, autocommit=True)
        with hidden_tables(database), others, capture_logs() as logs:
            for ply in (1, 2):  # the first is done with when the second fails
                others.execute("SELECT pg_notify('smallchange', %s)", (json.dumps([[id, ply]]),))
            until(lambda: len(logs) >= 2)
    assert {entry["event"] for entry in logs} == {"could not read"}


@contextmanager
def hidden_tables(url: str) -> Iterator[None]:
    """Hide the tables of the database."""
    opened = engines.engine(url)
    for was, now in (("event", "gone"), ("seat", "hidden")):
        with opened.begin() as connection:
            connection.exec_driver_sql(f"ALTER TABLE {was} RENAME TO {now}")
    yield
    for was, now in (("event", "gone"), ("seat", "hidden")):
        with opened.begin() as connection:
            connection.exec_driver_sql(f"ALTER TABLE {now} RENAME TO {was}")
    opened.dispose()


def test_who_was_on_a_server_that_is_killed_is_away(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_table_module, "PRESENCE_TIMEOUT_S", 4.0)
    there = Process(database=database)
    with (
        serving(tmp_path, database=database) as here,
        Person(here) as ann,
        Person(there) as bo,  # type: ignore[arg-type]
    ):
        id = table_for_two(ann, bo)
        with ann.socket() as a, bo.socket() as b:
            say(a, **{"is": "watch", "match": id})
            say(b, **{"is": "watch", "match": id})
            while "Bo is here" not in str(hear(a, "changes")):
                pass
            there.kill()
            while "Bo is away" not in str(hear(a, "changes")):
                pass
