"""kill -9 of the notifier while turns are sent by web push, and a push service that is busy for every tenth message.

SMALLCHANGE_KILLS says how often (2 here; 20 sends 5,000 turns over four minutes, and `-s` shows the figures).
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator

import psycopg
import pytest

from smallchange.server.notifications.notifier import DELAY_MS, PUSHES_AT_ONCE
from smallchange.server.notifications.push_rows import subscription_id

from .outside import Process, until
from .push_service import PushService, push_service
from .rated import Program

KILLS = int(os.environ.get("SMALLCHANGE_KILLS", "2"))
TURNS = 250 * KILLS if KILLS >= 20 else 20 * KILLS
SPREAD_MS = 12_000 * KILLS if KILLS >= 20 else 0  # over which the turns lie
LATE_MS = 60_000
ERRORS = 0.1
PATIENCE_S = 300.0  # in which a worker starts and sends, however busy the machine is
WORK = """
from smallchange.server.service import notifier, outgoing
from smallchange.server.settings import settings
from smallchange.server.work import run
notifier.SWEEP_PERIOD_S = 1.0
notifier.PATIENCE_S = outgoing.TIMEOUT_S = 300.0  # so that a busy machine has no more messages on their way
run(settings(), ["notifier"])
"""


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service() as found:
        yield found


def test_no_turn_is_told_twice_and_few_are_lost_while_the_notifier_is_killed(
    database: str, service: PushService
) -> None:
    luck = random.Random(5)
    service.answer = lambda path: 503 if luck.random() < ERRORS else 201
    turns = _turns(database, service)
    worker = _worker(database, service)
    rows = psycopg.connect(database, autocommit=True)
    try:
        for n in range(KILLS):
            _await_messages(rows, service, round((n + luck.random()) * TURNS / KILLS))
            worker.kill()
            worker.communicate()
            worker = _worker(database, service)
        while _waiting(rows):
            _await_messages(rows, service, TURNS)
            worker.terminate()  # what it has taken is sent first, or stored again
            worker.communicate()
            worker = _worker(database, service)
    finally:
        rows.close()
        worker.kill()
        worker.communicate()
    told = [pushed.message["tag"] for pushed in service.taken]
    assert len(told) == len(set(told)), "told twice"
    assert set(told) <= set(turns)
    waits = sorted(at - turns[id] for id, at in zip(told, service.taken_at, strict=True))
    late = sum(wait > LATE_MS for wait in waits)
    print(
        f"{TURNS} turns, {KILLS} kills: {len(told)} told, {service.refused} refused, {late} after 60 s; "
        f"seconds after the turn: median {waits[len(waits) // 2] / 1000:.1f}, most {waits[-1] / 1000:.1f}"
    )
    assert len(told) >= TURNS - PUSHES_AT_ONCE * KILLS


def _turns(database: str, service: PushService) -> dict[str, int]:
    """Return the ids of tables at which it is the turn of an account with a browser, and since when."""
    server = Process(database=database, roles="none")
    ann = Program(server.url, "Ann who is away")
    id = ann.open(rated=False)["match"]
    ann.close()
    server.kill()
    browser = service.subscription("/ann")
    with psycopg.connect(database) as rows:
        account, holder = rows.execute("SELECT id, holder FROM account").fetchone() or ("", "")
        rows.execute(
            "INSERT INTO push_subscription VALUES (%s, %s, 'none', %s, %s, %s, 'en', 0, 0)",
            (
                subscription_id(browser["endpoint"]),
                account,
                browser["endpoint"],
                browser["keys"]["p256dh"],
                browser["keys"]["auth"],
            ),
        )
        names = [row[0] for row in rows.execute("SELECT * FROM match LIMIT 0").description or ()]
        copied = ", ".join(f"{name} || '-' || n" if name in ("id", "code") else name for name in names)
        rows.execute(
            f"INSERT INTO match SELECT {copied} FROM match, generate_series(1, %s) AS n WHERE id = %s",
            (TURNS, id),
        )
        now = time.time_ns() // 1_000_000
        turns = {f"{id}-{n}": now - DELAY_MS + SPREAD_MS * n // TURNS for n in range(1, TURNS + 1)}
        put = "INSERT INTO notification (holder, match_id, kind, ply, at) VALUES (%s, %s, 'turn', 1, %s)"
        with rows.cursor() as cursor:
            cursor.executemany(put, [(holder, *turn) for turn in turns.items()])
    return turns


def _await_messages(rows: psycopg.Connection, service: PushService, n: int) -> None:
    """Wait until so many messages have come, or none is to be sent any more."""
    while len(service.taken) < n and _waiting(rows):
        before = len(service.taken)
        until(lambda: len(service.taken) > before or not _waiting(rows), PATIENCE_S)  # noqa: B023


def _worker(database: str, service: PushService) -> subprocess.Popen[bytes]:
    given = {"DATABASE": database, "SITE": "https://play.example", "INNER_HOSTS": service.host}
    settings = os.environ | {f"SMALLCHANGE_{name}": value for name, value in given.items()}
    return subprocess.Popen([sys.executable, "-c", WORK], env=settings, stderr=subprocess.DEVNULL)


def _waiting(rows: psycopg.Connection) -> int:
    """Return the number of turns and messages that are still to be sent."""
    found = rows.execute(
        "SELECT (SELECT count(*) FROM notification WHERE taken_at IS NULL) + (SELECT count(*) FROM push_message)"
    ).fetchone()
    return int(found[0]) if found else 0
