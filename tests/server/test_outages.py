"""Outages that are real: a process, a lock and PostgreSQL stand still here once; `simulated_site` has all others."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import httpx
import psycopg
import pytest
from sqlalchemy import text

from smallchange.core.game import Game
from smallchange.server.database.bus import Notice
from smallchange.server.table.live import live_table as live_table_module
from smallchange.server.table.storage import store as store_module
from smallchange.server.web.errors import ErrorCode

from .clock_site import site, sqlite
from .locked_database import create_match, frozen, outlast
from .outside import TIMEOUT_S, postgresql, until
from .serving import Person, fresh, serving, stored_events
from .tables import PAIR, legal


@pytest.mark.parametrize("what", ["process", "lock"])
def test_a_move_in_a_real_outage_is_charged_with_what_was_before_it(what: str, tmp_path: Path) -> None:
    _, left_ms, took_ms = outlast(f"sqlite:///{tmp_path / 'tables.db'}", what)
    assert left_ms > 60_000 - 2_000 - took_ms


def test_while_postgresql_hangs_requests_end_a_step_sent_again_is_taken_once_and_a_server_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        postgresql() as url,
        serving(tmp_path, database=url, bus="memory://") as served,
        Person(served) as ann,
        ThreadPoolExecutor(1) as pool,
    ):
        id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
        command = {"ply": 0, "move": fresh(), "token": legal(served, id)[0]}
        with frozen(url), monkeypatch.context() as patched:
            patched.setattr(store_module, "ANSWER_TIMEOUT_S", 0.5)
            for answer in (ann.post(f"/m/{id}/act", **command), ann.web.get("/mine")):
                assert answer.status_code == 503
                assert ErrorCode.OUTCOME_UNKNOWN.text.en in answer.text
            assert httpx.get(f"{served.url}/healthz", timeout=TIMEOUT_S).status_code == 503
        until(lambda: create_match(served.url).status_code == 201)
        assert ann.post(f"/m/{id}/act", **command).status_code == 303
        assert [move for *_, move in stored_events(served, id)] == [command["move"]]
        assert httpx.get(f"{served.url}/healthz", timeout=TIMEOUT_S).status_code == 200
        opened = served.services.tables.store._engine
        with opened.connect() as rows:
            before = rows.execute(text("SELECT count(*) FROM match")).scalar()
        with frozen(url):
            asked = pool.submit(create_match, served.url)
            until(lambda: served.services.tables.store.writer._group)
            served.stop()
            assert asked.result().json()["code"] == "shutting-down"
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT count(*) FROM match").fetchone() == (before,)


def test_players_of_a_process_that_says_nothing_are_away_but_not_while_the_bus_is_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(live_table_module, "time", SimpleNamespace(monotonic=lambda: now))

    async def run() -> None:
        nonlocal now
        async with site(sqlite(tmp_path)) as here:
            table = await here.tables.live.table(await here.match())
            table.note_presence(Notice(table.history.head.id, 0, (1,), "elsewhere"))
            for silent in (True, False):
                now += 2 * live_table_module.PRESENCE_TIMEOUT_S
                here.time += 70_000
                if silent:
                    table.keep_presence()
                table.refresh_presence()
                assert (1 in table.present) == silent
            assert table.away_since[1] == here.time

    asyncio.run(run())
