"""kill -9 at random moments under load. SMALLCHANGE_KILLS says how often (3 here, 100 in the long form)."""

from __future__ import annotations

import os
import random
import threading
from pathlib import Path

import httpx

from smallchange.web.store.engine import engine

from .outside import Process
from .players import Desk, Player, nothing_is_lost_or_halved, playing
from .serving import PATIENCE

KILLS = int(os.environ.get("SMALLCHANGE_KILLS", "3"))
TABLES = 8
RIVALS, SHARED = 6, 2  # players at the same tables, and these tables
MEANWHILE = 10  # steps while one of two servers is down


def test_no_acknowledged_step_is_lost_and_every_table_goes_on(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    luck, steps = random.Random(11), threading.Semaphore(0)
    desks = [Desk(seed) for seed in range(TABLES)]
    players = [Player(seed, desk, steps.release) for seed, desk in enumerate(desks)]
    for _ in range(KILLS):
        server = Process(database=database)
        with playing(players, [server.url]):
            _after(steps, luck.randint(1, 60))
            server.kill()
        nothing_is_lost_or_halved(database, desks)


def test_rivals_on_two_servers_lose_no_step_while_either_is_killed_and_started_again(database: str) -> None:
    luck, steps, desk = random.Random(12), threading.Semaphore(0), Desk(12, SHARED)
    servers = [Process(database=database, bus=database) for _ in range(2)]
    urls = [server.url for server in servers]
    rivals = [Player(seed, desk, steps.release, alone=False) for seed in range(RIVALS)]
    try:
        with httpx.Client(timeout=PATIENCE) as client:
            desk.table(client, urls[0])  # from then on they all have its token
            with playing(rivals, urls):
                for n in range(KILLS):
                    _after(steps, luck.randint(1, 60))
                    servers[n % 2].kill()
                    _after(steps, MEANWHILE)
                    servers[n % 2] = Process(database=database, bus=database)
                    urls[n % 2] = servers[n % 2].url
                _after(steps, MEANWHILE)
            assert desk.refused, "there was no race"
            for story in nothing_is_lost_or_halved(database, [desk]):
                for one, other in (urls, urls[::-1], urls, urls[::-1]):
                    Player(0, desk, steps.release).step(client, one, other, story.head.id)
        nothing_is_lost_or_halved(database, [desk])
        for server in servers:
            status, said = server.stop()
            assert status == 0, said
            assert b"Traceback" not in said
    finally:
        for server in servers:
            server.kill()


def test_a_commit_waits_for_the_disk(tmp_path: Path) -> None:
    opened = engine(f"sqlite:///{tmp_path / 'tables.db'}")
    with opened.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    opened.dispose()


def _after(steps: threading.Semaphore, n: int) -> None:
    """Until so many more steps are acknowledged."""
    for _ in range(n):
        assert steps.acquire(timeout=PATIENCE)
