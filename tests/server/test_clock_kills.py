"""kill -9 of servers and workers while games run against their clocks. SMALLCHANGE_KILLS says how often (2 here, 20
in the long form, with 10 games for each)."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import psycopg

from smallchange.core import record
from smallchange.server.table.command_events import deadline
from smallchange.server.table.events import How, TimeOut
from smallchange.server.table.history import History
from smallchange.server.table.store import Store

from .outside import Process, until
from .serving import TIMEOUT_S, fresh
from .tables import PAIR

KILLS = int(os.environ.get("SMALLCHANGE_KILLS", "2"))
GAMES = 10 * KILLS
SPREAD_MS = 1_500  # over which deadlines lie, for each kill
WORK = "from smallchange.server.work import run; from smallchange.server.settings import settings; run(settings())"


def test_no_time_out_is_lost_or_early_or_written_twice_while_processes_are_killed(database: str) -> None:
    luck = random.Random(33)
    server = Process(database=database)
    with httpx.Client(base_url=f"{server.url}/api", timeout=TIMEOUT_S) as client:
        games = [_begin(client) for _ in range(GAMES)]
    server.kill()
    with psycopg.connect(database) as rows:
        _let_time_pass(rows, {id: luck.randint(0, SPREAD_MS * KILLS) for id in games})
    server, worker = Process(database=database), _worker(database)
    try:
        for n in range(KILLS):
            over = _over(database)
            until(lambda: _over(database) > over or _over(database) == GAMES)  # noqa: B023
            if n % 2:
                server.kill()
                server = Process(database=database)
            else:
                worker.kill()
                worker.communicate()
                worker = _worker(database)
        until(lambda: _over(database) == GAMES)
    finally:
        server.kill()
        worker.kill()
        worker.communicate()
    with ThreadPoolExecutor(1) as apart:
        for history in apart.submit(asyncio.run, _histories(database, games)).result():
            _check(history)
    with psycopg.connect(database) as rows:
        assert rows.execute("SELECT count(*) FROM deadlines").fetchone() == (0,)
        for (text,) in rows.execute("SELECT record FROM match WHERE control IS NOT NULL"):
            record.read(text)


def _begin(client: httpx.Client) -> str:
    """Return a live game of two, in which each has moved once."""
    made = client.post("/matches", json={"game": PAIR, "time": "1+0"}).json()
    joined = client.post(f"/join/{made['table']['code']}", json={}).json()
    for token in (made["token"], joined["token"]):
        headers = {"Authorization": f"Bearer {token}"}
        table = client.get(f"/matches/{made['match']}", headers=headers).json()
        body = {"ply": table["ply"], "move": fresh(), "token": table["legal"][0]}
        assert client.post(f"/matches/{made['match']}/act", json=body, headers=headers).status_code == 200
    return str(made["match"])


def _let_time_pass(rows: psycopg.Connection, left_ms: dict[str, int]) -> None:
    """Move everything at these tables into the past, so that so much time is left from now on."""
    now = time.time_ns() // 1_000_000
    for id, left in left_ms.items():
        (at,) = rows.execute("SELECT at FROM deadlines WHERE match_id = %s", (id,)).fetchone() or (0,)
        by = at - now - left
        rows.execute(
            "UPDATE deadlines SET at = at - %s, since = since - %s WHERE match_id = %s", (by, by, id)
        )
        rows.execute("UPDATE event SET at = at - %s WHERE match_id = %s", (by, id))
        rows.execute("UPDATE match SET created = created - %s WHERE id = %s", (by, id))
    rows.execute("UPDATE lease SET until = %s WHERE role = 'serve'", (now,))


def _worker(database: str) -> subprocess.Popen[bytes]:
    settings = os.environ | {"SMALLCHANGE_DATABASE": database}
    return subprocess.Popen([sys.executable, "-c", WORK], env=settings, stderr=subprocess.DEVNULL)


def _over(database: str) -> int:
    with psycopg.connect(database) as rows:
        found = rows.execute(
            "SELECT count(*) FROM match WHERE status = 'over' AND control IS NOT NULL"
        ).fetchone()
    return int(found[0]) if found else 0


async def _histories(database: str, ids: list[str]) -> list[History]:
    store = Store(database)
    await store.open()
    found = [await store.load(id) for id in ids]
    await store.close()
    return [history for history in found if history is not None]


def _check(history: History) -> None:
    """Check that the match ended once, by its clock after its deadline, or without a result after an outage."""
    assert history.ending is not None
    assert history.ending.how in (How.TIMED_OUT, How.ABORTED)
    assert sum(isinstance(event, TimeOut) for event in history.events) == (
        history.ending.how == How.TIMED_OUT
    )
    before = History(history.head, history.seats)
    before.append(history.events[:-1])
    assert before.ending is None
    if history.ending.how == How.TIMED_OUT:
        assert before.clock is not None
        due = deadline(before.clock)
        assert due is not None
        assert history.events[-1].at >= due, "early"
