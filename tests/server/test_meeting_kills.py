"""kill -9 of workers while people look for opponents, play and are rated. SMALLCHANGE_KILLS says how often (2 here)."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import psycopg

from smallchange.server.ratings import rows as ratings
from smallchange.server.ratings.standings import Board, RatedMatch, Standing, replay
from smallchange.server.table.store import Store

from .outside import Process, until
from .rated import Program, play_and_resign
from .tables import PAIR

KILLS = int(os.environ.get("SMALLCHANGE_KILLS", "2"))
PEOPLE = 4
WORK = "from smallchange.server.work import run; from smallchange.server.settings import settings; run(settings())"


def test_no_match_or_rating_is_lost_or_doubled_while_workers_are_killed(database: str) -> None:
    server = Process(database=database, roles="none", sign_ups=100)
    worker = _worker(database)
    people = [Program(server.url, f"Seeker {i}") for i in range(PEOPLE)]
    try:
        for _ in range(KILLS):
            for person in people:
                person.post("/seek", wishes=[{"game": PAIR, "time": "5+3"}])
            until(lambda: all(person.get("/seek")["match"] for person in people))
            worker = _kill(worker, database)
            for id in {str(person.get("/seek")["match"]) for person in people}:
                players = [person for person in people if person.get("/seek")["match"] == id]
                assert len(players) == 2
                play_and_resign(id, *players)
            worker = _kill(worker, database)
        until(lambda: _count(database, "unrated") == 0)
    finally:
        for person in people:
            person.close()
        server.kill()
        worker.kill()
        worker.communicate()
    n = KILLS * PEOPLE // 2
    assert _count(database, "match") == n
    assert _count(database, "rating_change") == 2 * n
    with ThreadPoolExecutor(1) as apart:
        matches, stored = apart.submit(asyncio.run, _read_ratings(database)).result()
    assert len(matches) == n
    assert replay(matches) == stored


def _worker(database: str) -> subprocess.Popen[bytes]:
    settings = os.environ | {"SMALLCHANGE_DATABASE": database}
    return subprocess.Popen([sys.executable, "-c", WORK], env=settings, stderr=subprocess.DEVNULL)


def _kill(worker: subprocess.Popen[bytes], database: str) -> subprocess.Popen[bytes]:
    """Kill a worker as a power cut would, and start another."""
    worker.kill()
    worker.communicate()
    return _worker(database)


def _count(database: str, table: str) -> int:
    with psycopg.connect(database) as rows:
        found = rows.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(found[0]) if found else 0


async def _read_ratings(database: str) -> tuple[list[RatedMatch], dict[Board, Standing]]:
    store = Store(database)
    await store.open()
    found = await store.read(ratings.rated_matches), await store.read(ratings.all_standings)
    await store.close()
    return found
