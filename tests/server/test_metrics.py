"""The figures for Prometheus move by what was done, and by no more."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed

from smallchange.core.game import Game
from tests.server.locked_database import create_match, lock_database

from .outside import until
from .serving import TIMEOUT_S, Person, Served, fresh, hear, say, serving
from .tables import PAIR, legal

engines = import_module("smallchange.server.database.opening")
Figures = Counter[tuple[str, ...]]


def figures(served: Served) -> Figures:
    """Return every figure by its name and what it is about, but for the times."""
    text = httpx.get(f"{served.url}/metrics", timeout=TIMEOUT_S).text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    names = {sample.name: sample.name.removeprefix("smallchange_") for sample in samples}
    assert all(name.startswith("smallchange_") for name in names)
    return Counter(
        {
            (names[sample.name], *sample.labels.values()): int(sample.value)
            for sample in samples
            if not sample.name.endswith(("_bucket", "_created", "_sum"))
            and not sample.name.startswith("smallchange_loop_delay")  # it goes on by itself
        }
    )


def test_each_command_is_counted_by_what_became_of_it(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    before, token = figures(served), legal(served, id)[0]
    command = {"ply": 0, "move": fresh(), "token": token}
    for _ in range(2):  # sent again, it is done, and asked twice
        assert ann.post(f"/m/{id}/act", **command).status_code == 303
    assert ann.command(id, "act", 0, token=token).status_code == 409
    assert ann.command(id, "act", 1, token="no-such-move").status_code == 400
    assert bo.command(id, "undo", 1).status_code == 403
    with ann.socket() as line:
        for kind in ("undo", "resign", "resign"):
            ply = served.live_table(id).history.ply
            say(line, **{"is": kind, "match": id, "ply": ply, "move": fresh()})
            hear(line, "ack", "refusal")
    counted = figures(served) - before
    del counted["sockets",]  # it may not be closed yet
    assert counted == Counter(
        {
            ("commands_total", "act", "done"): 2,
            ("commands_total", "act", "conflict"): 1,
            ("commands_total", "act", "unknown-token"): 1,
            ("commands_total", "undo", "spectator"): 1,
            ("commands_total", "undo", "done"): 1,
            ("commands_total", "resign", "done"): 1,
            ("commands_total", "resign", "over"): 1,
            ("command_seconds_count",): 4,
        }
    )


def test_what_failed_by_a_fault_of_ours_is_not_counted_as_done(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    before = figures(served)
    monkeypatch.setattr(served.live_table(id), "history", None)
    with ann.socket() as line:
        say(line, **{"is": "resign", "match": id, "ply": 0, "move": fresh()})
        with pytest.raises(ConnectionClosed):
            hear(line, "ack", "refusal")
    counted = figures(served) - before
    assert {labels[2:]: n for labels, n in counted.items() if labels[0] == "commands_total"} == {
        ("fault",): 1
    }


def test_open_lines_and_followed_tables_are_counted_until_they_are_left(served: Served, ann: Person) -> None:
    one, two = ann.open(PAIR), ann.open(PAIR)
    assert open_now(served) == (0, 0)
    with ann.socket() as line:
        say(line, **{"is": "ping"})
        hear(line, "pong")
        assert open_now(served) == (1, 0)
        for id in (one, two, one):
            say(line, **{"is": "watch", "match": id})
            hear(line, "changes")
        assert open_now(served) == (1, 2)
        say(line, **{"is": "leave", "match": two})
        say(line, **{"is": "ping"})
        hear(line, "pong")
        assert open_now(served) == (1, 1)
    until(lambda: open_now(served) == (0, 0))
    with ann.web.stream("GET", f"/api/matches/{one}/stream") as stream:
        events = stream.iter_lines()
        next(events)
        assert open_now(served) == (0, 1), "a stream follows a table too, and is no socket"
    until(lambda: open_now(served) == (0, 0))


def test_the_delay_of_the_event_loop_is_measured(served: Served) -> None:
    def count_measurements() -> float:
        text = httpx.get(f"{served.url}/metrics", timeout=TIMEOUT_S).text
        samples = [one for family in text_string_to_metric_families(text) for one in family.samples]
        return next(one.value for one in samples if one.name == "smallchange_loop_delay_seconds_count")

    before = count_measurements()
    until(lambda: count_measurements() > before)


def open_now(served: Served) -> tuple[int, int]:
    found = figures(served)
    return found["sockets",], found["tables_watched",]


def test_what_waits_to_be_written_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "CONNECT_TIMEOUT_S", 60)
    with serving(tmp_path, roles="none") as served, ThreadPoolExecutor(4) as pool:
        writer = served.services.tables.store.writer
        with lock_database(served.settings.database):
            asked = [pool.submit(create_match, served.url)]
            until(lambda: writer._group)
            asked += [pool.submit(create_match, served.url) for _ in range(3)]
            until(lambda: figures(served)["writes_waiting",] >= 3)  # and what else is written
        assert [answer.result().status_code for answer in asked] == [201] * 4
        until(lambda: figures(served)["writes_waiting",] == 0)
