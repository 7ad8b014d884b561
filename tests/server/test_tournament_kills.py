"""Tournaments of bots by the real roles on PostgreSQL, while the director is killed (kill -9)."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from typing import Any

import psycopg

from .outside import Process, until
from .rated import Program
from .tables import PAIR

WORK = (
    "from smallchange.server.work import run; from smallchange.server.settings import settings; "
    "run(settings(), ['director', 'clock'])"
)
ARENA_MIN = 60  # which is cut short
WAVES = 4  # that the arena lasts at least
KILLS = 2


def test_a_swiss_of_16_bots_an_arena_of_20_and_a_season_of_9_are_played_though_the_director_is_killed_twice(
    database: str,
) -> None:
    server = Process(database=database, roles="none", sign_ups=100)
    opener = Program(server.url, "Opener")
    worker = _worker(database)
    try:
        swiss = _open(opener, "swiss", 16, rounds=5)
        arena = _open(opener, "arena", 20, minutes=ARENA_MIN)
        season = _open(opener, "season", 9, time="1d+3d")
        for round in range(1, KILLS + 1):
            until(lambda: opener.get(f"/tournaments/{swiss}")["round"] >= round)  # noqa: B023
            worker.kill()
            worker.communicate()
            worker = _worker(database)
        until(lambda: opener.get(f"/tournaments/{arena}")["round"] >= WAVES)
        _end_arena(database, arena)
        until(lambda: opener.get(f"/tournaments/{swiss}")["phase"] == "over")
        until(lambda: opener.get(f"/tournaments/{arena}")["phase"] == "over")
        until(lambda: opener.get(f"/tournaments/{season}")["phase"] == "over")
        season_found = opener.get(f"/tournaments/{season}")
        following = opener.get(f"/tournaments/{season_found['next']}")
        found = {kind: opener.get(f"/tournaments/{id}") for kind, id in (("swiss", swiss), ("arena", arena))}
    finally:
        opener.close()
        server.kill()
        worker.kill()
        worker.communicate()
    rounds = Counter(pairing["round"] for pairing in found["swiss"]["pairings"])
    assert rounds == dict.fromkeys(range(1, 6), 8)
    met = Counter(frozenset((one["first"], one["second"])) for one in found["swiss"]["pairings"])
    assert max(met.values()) == 1
    for one in (*found.values(), season_found):
        _check(one, database)
    assert len(season_found["pairings"]) == 5 * 4 // 2 + 4 * 3 // 2
    assert [one["move"] for one in season_found["standings"]].count(-1) == 1
    assert [one["division"] for one in following["standings"]] == [1] * 5 + [2] * 4


def _open(opener: Program, kind: str, bots: int, **more: Any) -> str:
    """Return the id of a tournament of bots that begins now."""
    order = {"name": kind, "kind": kind, "game": PAIR, "time": "1+2", "options": {"size": 3}} | more
    id = str(opener.post("/tournaments", 201, **order)["id"])
    opener.post(f"/tournaments/{id}/bots", bot="level1", count=bots)
    opener.post(f"/tournaments/{id}/begin")
    return id


def _check(found: Any, database: str) -> None:
    """Look that every pairing has one match and a result, and nobody is in two matches of a round."""
    paired = Counter(
        (one["round"], entry) for one in found["pairings"] for entry in (one["first"], one["second"])
    )
    assert max(paired.values()) == 1
    assert all(sum(one["points"]) in (1, 2) for one in found["pairings"])  # in an arena a match is worth 2
    matches = {one["match"] for one in found["pairings"]}
    assert len(matches) == len(found["pairings"])
    with psycopg.connect(database) as rows:
        stored = rows.execute("SELECT count(*) FROM match WHERE id = ANY(%s)", (list(matches),)).fetchone()
    assert stored == (len(matches),)


def _end_arena(database: str, id: str) -> None:
    """Let the time of an arena be over."""
    begun = time.time_ns() // 1_000_000 - ARENA_MIN * 60 * 1000
    with psycopg.connect(database) as rows:
        rows.execute("UPDATE tournament SET begins_at = %s WHERE id = %s", (begun, id))


def _worker(database: str) -> subprocess.Popen[bytes]:
    settings = os.environ | {"SMALLCHANGE_DATABASE": database}
    return subprocess.Popen([sys.executable, "-c", WORK], env=settings, stderr=subprocess.DEVNULL)
