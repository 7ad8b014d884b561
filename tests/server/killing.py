"""Servers that are killed at random moments while programs play, and the count of what was acknowledged."""

from __future__ import annotations

import random
import threading
from typing import NamedTuple

import httpx

from .outside import Process
from .players import Desk, Player, nothing_is_lost_or_halved, playing
from .serving import TIMEOUT_S

TABLES = 8
RIVALS, SHARED = 6, 2  # players at the same tables, and these tables
MEANWHILE = 10  # steps while one of two servers is down


class Survived(NamedTuple):
    """The steps and tables that went through the kills, none of them lost."""

    kills: int
    acknowledged: int  # steps
    tables: int


def kill_one_server(database: str, kills: int) -> Survived:
    """Kill the only server on a database again and again while it is played on, and look for each step."""
    luck, steps = random.Random(11), threading.Semaphore(0)
    desks = [Desk(seed) for seed in range(TABLES)]
    players = [Player(seed, desk, steps.release) for seed, desk in enumerate(desks)]
    tables = 0
    for _ in range(kills):
        server = Process(database=database)
        with playing(players, [server.url]):
            _await_steps(steps, luck.randint(1, 60))
            server.kill()
        tables = len(nothing_is_lost_or_halved(database, desks))
    return Survived(kills, sum(len(desk.acknowledged) for desk in desks), tables)


def kill_either_of_two_servers(database: str, kills: int) -> Survived:
    """Kill one of two servers on a database and start it again, in turn, while rivals play on both.

    In the end each of them shows every step, takes the next, and stops without an error.
    """
    luck, steps, desk = random.Random(12), threading.Semaphore(0), Desk(12, SHARED)
    servers = [Process(database=database) for _ in range(2)]
    urls = [server.url for server in servers]
    rivals = [Player(seed, desk, steps.release, alone=False) for seed in range(RIVALS)]
    try:
        with httpx.Client(timeout=TIMEOUT_S) as client:
            desk.table(client, urls[0])  # from then on they all have its token
            with playing(rivals, urls):
                for n in range(kills):
                    _await_steps(steps, luck.randint(1, 60))
                    servers[n % 2].kill()
                    _await_steps(steps, MEANWHILE)
                    servers[n % 2] = Process(database=database)
                    urls[n % 2] = servers[n % 2].url
                _await_steps(steps, MEANWHILE)
            assert desk.refused, "there was no race"
            for history in nothing_is_lost_or_halved(database, [desk]):
                for one, other in (urls, urls[::-1], urls, urls[::-1]):
                    Player(0, desk, steps.release).step(client, one, other, history.head.id)
        tables = len(nothing_is_lost_or_halved(database, [desk]))
        for server in servers:
            status, said = server.stop()
            assert status == 0, said
            assert b"Traceback" not in said
    finally:
        for server in servers:
            server.kill()
    return Survived(kills, len(desk.acknowledged), tables)


def _await_steps(steps: threading.Semaphore, n: int) -> None:
    """Wait until so many more steps are acknowledged."""
    for _ in range(n):
        assert steps.acquire(timeout=TIMEOUT_S)
