"""Lock the database of a server, and ask the server for a match."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

import httpx
import psycopg

from smallchange.core.game import Game
from tests.server.serving import TIMEOUT_S
from tests.server.tables import PAIR

ORDER = {"game": PAIR, "seats": dict.fromkeys(Game(PAIR).seats, "me")}


@contextmanager
def lock_database(url: str) -> Iterator[None]:
    """Let nobody else write to the database."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as rows:
            rows.execute("BEGIN IMMEDIATE")
            yield
    else:
        with psycopg.connect(url) as connection:
            connection.execute("LOCK TABLE match IN EXCLUSIVE MODE")
            yield


def create_match(server: str) -> httpx.Response:
    """Ask a server for a match of two seats held by one person."""
    return httpx.post(f"{server}/api/matches", json=ORDER, timeout=TIMEOUT_S)


@contextmanager
def frozen(url: str) -> Iterator[None]:
    """Freeze PostgreSQL as on a machine that hangs: connections stand, and nothing is answered."""
    with psycopg.connect(url, autocommit=True) as connection:
        rows = connection.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        workers = [pid for (pid,) in rows]
        (main,) = connection.execute("SELECT pg_read_file('postmaster.pid')").fetchone() or ("",)
    processes = [int(main.split()[0]), *workers]
    for pid in processes:
        _tell(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in processes:
            _tell(pid, signal.SIGCONT)


def _tell(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # it ended before
        os.kill(pid, number)
