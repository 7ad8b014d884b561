"""Failures are logged and stop nothing else."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed

from smallchange.core.game import Game
from smallchange.server.database.bus import Notice
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.web.errors import ErrorCode

from .clock_site import no_line
from .outside import Process
from .serving import TIMEOUT_S, Person, Served, fresh, hear, say, serving
from .tables import PAIR, legal

FAILED = "a background task failed"
BOT = {f"seat.{Game(PAIR).seats[1]}": "bot:greedy"}
FAULT = """
import structlog
from smallchange.server.serve import write_log
from smallchange.server.settings import Settings

def fault(secret):
    try:
        secret / 0
    except ZeroDivisionError:
        structlog.get_logger().exception("lost")

write_log(Settings())
fault(int("61" "60"))
"""
ELSEWHERE = """
import logging
from smallchange.server.serve import write_log
from smallchange.server.settings import Settings

def fault(secret):
    try:
        secret / 0
    except ZeroDivisionError:
        logging.getLogger("uvicorn.error").exception("lost %s", "it")

write_log(Settings(log="{log}"))
fault(int("61" "60"))
"""


def test_who_cannot_be_shown_a_table_now_is_hung_up_on_and_calls_again(served: Served, ann: Person) -> None:
    """Else the page would take its line for good, and never hear of the table again."""
    id = ann.open(PAIR)
    for table in (served.live_table(id), None):
        if table:
            served.services.tables.live._tables.clear()
        with no_line(served.services.tables.store._engine) if table else nullcontext(), ann.socket() as line:
            say(line, **{"is": "watch", "match": id})
            if table is None:
                assert hear(line, "changes")
                continue
            assert hear(line, "refusal")["code"] == "not-stored"
            with pytest.raises(ConnectionClosed):
                hear(line, "changes")
            assert line.close_code == 1013


def test_news_of_a_table_that_cannot_be_read_is_a_line_in_the_log(served: Served, ann: Person) -> None:
    id = ann.open(PAIR)
    with no_line(served.services.tables.store._engine), capture_logs() as logs:
        for ply in (1, 2):
            served.call(served.services.tables.live._receive(Notice(id, ply)))
    assert {entry["event"] for entry in logs} == {"could not read"}


def test_a_line_that_can_show_nothing_any_more_is_ended(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = ann.open(PAIR, **BOT)
    with ann.socket() as line, capture_logs() as logs:
        say(line, **{"is": "watch", "match": id})
        hear(line, "changes")
        monkeypatch.delattr(LiveTable, "view")
        ann.command(id, "act", 0, token=legal(served, id)[0])
        with pytest.raises(ConnectionClosed) as closed:
            hear(line, "nothing")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1011
    assert entries(logs, "a table could not be shown")


def test_a_server_that_is_not_well_says_why_in_its_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path) as served:
        assert httpx.get(f"{served.url}/healthz", timeout=TIMEOUT_S).status_code == 200
        monkeypatch.setattr(served.services.tables.store, "is_healthy", None)
        answer = httpx.get(f"{served.url}/healthz", timeout=TIMEOUT_S)
        assert (answer.status_code, ErrorCode.OUTCOME_UNKNOWN.text.en in answer.text) == (
            500,
            True,
        ), "who knows what was done"
    assert "is not callable" in caplog.text


def test_a_write_that_fails_is_one_line_in_the_log(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    order = {"game": PAIR, "seats": dict.fromkeys(Game(PAIR).seats, "me")}
    server = Process(database=f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as rows, httpx.Client(base_url=server.url, timeout=TIMEOUT_S) as web:
        for table in ("match", "event"):
            no = f"BEGIN SELECT RAISE(ABORT, 'no {table}'); END"
            rows.execute(f"CREATE TRIGGER no_{table} BEFORE INSERT ON {table} {no}")
        statuses = [web.post("/api/matches", json=order).status_code]
        rows.execute("DROP TRIGGER no_match")
        made = web.post("/api/matches", json=order).json()
        step = {"ply": 0, "move": fresh(), "token": made["table"]["legal"][0]}
        web.headers["Authorization"] = f"Bearer {made['token']}"
        statuses.append(web.post(f"/api/matches/{made['match']}/act", json=step).status_code)
    _, log = server.stop()
    assert statuses == [503, 503]
    first, _, second = log.decode().splitlines()
    assert "could not store" in first
    assert first.endswith("why='no match'")
    assert second.endswith("why='no event'")


def test_the_trace_of_a_fault_has_no_local_variables() -> None:
    """Even where rich is installed, which draws them: among them is what nobody may know."""
    done = subprocess.run([sys.executable, "-c", FAULT], capture_output=True, text=True, check=True)
    assert done.stderr.endswith("ZeroDivisionError: division by zero\n")
    assert "lost" in done.stderr
    assert "6160" not in done.stderr


def test_a_fault_in_what_we_stand_on_is_one_json_object_too() -> None:
    """Log collectors read line by line."""
    code = ELSEWHERE.format(log="json")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    (line,) = done.stderr.splitlines()
    entry = json.loads(line)
    assert {name: entry[name] for name in ("event", "level", "logger")} == {
        "event": "lost it",
        "level": "error",
        "logger": "uvicorn.error",
    }
    assert entry["exception"].endswith("ZeroDivisionError: division by zero")
    assert "timestamp" in entry
    assert "6160" not in line


def test_a_fault_in_what_we_stand_on_looks_like_ours() -> None:
    code = ELSEWHERE.format(log="text")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert re.match(r"\S+Z \[error    \] lost it +\[uvicorn.error\]\n", done.stderr)
    assert done.stderr.endswith("ZeroDivisionError: division by zero\n")
    assert "6160" not in done.stderr


def test_a_request_that_is_none_is_one_json_object_in_the_log(tmp_path: Path) -> None:
    server = Process(database=f"sqlite:///{tmp_path / 'tables.db'}", log="json")
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n")
        assert b" 400 " in line.recv(100)
    _, log = server.stop()
    entries = [json.loads(line) for line in log.decode().splitlines()]
    assert [entry["event"] for entry in entries] == ["Invalid HTTP request received."]


def test_a_change_that_fails_takes_no_other_of_its_transaction_with_it(served: Served, ann: Person) -> None:
    """Three that wait together: they are tried in the order of their tables, then each alone."""
    store, ran, go = served.services.tables.store, list[str](), threading.Event()
    ids = sorted(ann.open(PAIR) for _ in range(3))

    def change(id: str) -> Callable[[Connection], None]:
        def job(connection: Connection) -> None:
            ran.append(id)
            number = 1 if id != ids[0] else None  # which no table may have
            connection.exec_driver_sql("UPDATE match SET created = ? WHERE id = ?", (number, id))

        return job

    async def together() -> Any:
        first = store.writer.submit("", lambda _: go.wait(TIMEOUT_S))
        rest = [store.writer.submit(id, change(id)) for id in reversed(ids)]
        go.set()
        return await asyncio.gather(first, *rest, return_exceptions=True)

    failed = [isinstance(result, Exception) for result in served.call(together())]
    assert failed == [False, False, False, True]
    assert ran == [ids[0], *ids]
    assert [served.call(store.load(id)).head.created for id in ids[1:]] == [1, 1]


def test_who_gives_up_at_the_last_moment_leaves_the_others_their_answers(served: Served) -> None:
    """Two whose changes are committed together; the one is gone before it is told so."""
    writer, queued, begun, go = served.services.tables.store.writer, *(threading.Event() for _ in range(3))

    def hold(_: Connection) -> None:
        begun.set()
        go.wait(TIMEOUT_S)

    async def together() -> Any:
        first = writer.submit("", lambda _: queued.wait(TIMEOUT_S))
        gone, stays = writer.submit("a", hold), writer.submit("b", lambda _: 7)
        queued.set()
        await asyncio.to_thread(begun.wait, TIMEOUT_S)
        gone.cancel()
        go.set()
        return await first and await asyncio.wait_for(stays, TIMEOUT_S)

    assert served.call(together()) == 7


def entries(logs: Any, event: str) -> list[Any]:
    return [entry for entry in logs if entry["event"] == event]
