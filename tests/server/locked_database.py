"""Lock the database of a server, or let a process stand still, and see what the server does."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress

import httpx
import psycopg

from smallchange.core.game import Game
from tests.server.outside import Process, until
from tests.server.serving import TIMEOUT_S, fresh
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


@contextmanager
def standstill(server: Process) -> Iterator[None]:
    """Let a process stand still."""
    server._process.send_signal(signal.SIGSTOP)
    yield
    server._process.send_signal(signal.SIGCONT)


def outlast(url: str, what: str, seconds: float = 8) -> tuple[int, int, int]:
    """Move while a real process stands still or its database is locked.

    Return the time left before it and after it in milliseconds, and how long the request took beside it.
    """
    server = Process(database=url)
    with httpx.Client(base_url=f"{server.url}/api", timeout=TIMEOUT_S) as web, ThreadPoolExecutor(1) as pool:
        try:
            first = Game(PAIR).seats[0]
            made = web.post("/matches", json={"game": PAIR, "seats": {first: "me"}, "time": "1+0"}).json()
            joined = web.post(f"/join/{made['table']['code']}", json={}).json()
            path = f"/matches/{made['match']}"

            def act(n: int) -> httpx.Request:
                token = (made, joined)[n % 2]["token"]
                headers = {"Authorization": f"Bearer {token}"}
                table = web.get(path, headers=headers).json()
                body = {"ply": table["ply"], "move": fresh(), "token": table["legal"][0]}
                return web.build_request("POST", f"{path}/act", json=body, headers=headers)

            for n in range(2):
                web.send(act(n)).raise_for_status()
            move, began = act(2), time.monotonic()
            before = web.get(path).json()["clock"]["left"][first]
            with standstill(server) if what == "process" else lock_database(url):
                if what == "process":
                    sent = pool.submit(web.send, move)
                else:
                    assert create_match(server.url).json()["code"] in ("not-stored", "outcome-unknown")
                    assert httpx.get(f"{server.url}/healthz", timeout=TIMEOUT_S).status_code == 503
                until(lambda: time.monotonic() - began > seconds)
                stood_s = time.monotonic() - began
            if (
                what == "lock" or sent.exception()
            ):  # the connection was idle for too long: the same bytes again
                sent = pool.submit(web.send, move)
            sent.result().raise_for_status()
            took_ms = int(1000 * (time.monotonic() - began - stood_s))
            assert httpx.get(f"{server.url}/healthz", timeout=TIMEOUT_S).status_code == 200
            return before, web.get(path).json()["clock"]["left"][first], took_ms
        finally:
            server.kill()
