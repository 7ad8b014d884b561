"""A process is killed, or the database goes away: what was acknowledged stands, and play goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psycopg
import pytest
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed

from smallchange.core.game import Game
from smallchange.server.database.engines import engine
from smallchange.server.table.live import live_table as live_table_module

from .outside import Process, postgresql, until
from .serving import TIMEOUT_S, Person, fresh, hear, say, serving, stored_events
from .tables import PAIR, legal, table_for_two


def test_a_bot_whose_process_was_killed_is_asked_again(database: str) -> None:
    seat, other = Game(PAIR).seats
    first = Process(database=database)
    with httpx.Client(base_url=first.url, timeout=TIMEOUT_S) as one:
        seats = {seat: "me", other: "bot:random"}
        made = one.post("/api/matches", json={"game": PAIR, "seats": seats}).json()
        one.headers["Authorization"] = f"Bearer {made['token']}"
        body = {"ply": 0, "move": fresh(), "token": made["table"]["legal"][0]}
        one.post(f"/api/matches/{made['match']}/act", json=body)
        first.kill()
    second = Process(database=database)
    try:
        with httpx.Client(base_url=second.url, headers=one.headers, timeout=TIMEOUT_S) as two:
            path = f"/api/matches/{made['match']}/stream"
            with two.stream("GET", path) as events:
                for event in events.iter_lines():
                    if '"ply":2' in event:
                        break
            assert two.get(f"/api/matches/{made['match']}").json()["legal"]
    finally:
        second.stop()


def test_while_the_database_is_away_nothing_is_done_and_then_it_goes_on(tmp_path: Path) -> None:
    with (
        postgresql() as url,
        serving(tmp_path, database=url, bus="memory://") as served,
        Person(served) as ann,
    ):
        id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
        token = legal(served, id)[0]
        with hidden_tables(url):
            assert ann.command(id, "act", 0, token=token).status_code == 503
            assert ann.web.get("/mine").status_code == 503
            assert served.live_table(id).history.ply == 0
        assert ann.command(id, "act", 0, token=token).status_code == 303
        assert len(stored_events(served, id)) == 1


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
    opened = engine(url)
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
