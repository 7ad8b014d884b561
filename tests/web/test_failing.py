"""What fails is said in the log, and stops nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed

from smallchange.game import Game
from smallchange.web.room import Room

from .serving import Person, Served, hear, say, serving
from .test_tables import PAIR, legal

BOT = {f"seat.{Game(PAIR).seats[1]}": "bot:greedy"}


@contextmanager
def no_bots(served: Served) -> Iterator[None]:
    """A database that takes no bot's step."""
    with closing(sqlite3.connect(served.settings.database.removeprefix("sqlite:///"))) as rows:
        rows.execute(
            "CREATE TRIGGER no_bots BEFORE INSERT ON event WHEN NEW.move_id LIKE 'bot-%' "
            "BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        )
        yield
        rows.execute("DROP TRIGGER no_bots")


def test_a_bot_whose_move_cannot_be_stored_waits_and_is_asked_again(served: Served, ann: Person) -> None:
    """And a table that is broken beside it changes nothing."""
    broken, id = ann.open(PAIR), ann.open(PAIR, **BOT)
    room = served.room(id)
    with ann.socket() as line, capture_logs() as logs:
        for watched in (broken, id):
            say(line, **{"is": "watch", "match": watched})
            hear(line, "shown")
        story, served.room(broken).story = served.room(broken).story, None  # type: ignore[assignment]
        with no_bots(served):
            assert ann.deed(id, "act", 0, token=legal(served, id)[0]).status_code == 303
            while room.thinking and len(logs) < 9:
                pass
            assert 0 < len(said(logs, "a bot's move was refused")) < 4
        while hear(line, "shown")["ply"] < 2:
            pass
        served.room(broken).story = story
    assert {entry["match"] for entry in said(logs, "could not look after a table")} == {broken}


def test_a_line_that_can_show_nothing_any_more_is_ended(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = ann.open(PAIR, **BOT)
    with ann.socket() as line, capture_logs() as logs:
        say(line, **{"is": "watch", "match": id})
        hear(line, "shown")
        monkeypatch.delattr(Room, "view")
        ann.deed(id, "act", 0, token=legal(served, id)[0])
        with pytest.raises(ConnectionClosed) as closed:
            hear(line, "nothing")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1011
    assert said(logs, "a table could not be shown")


def test_a_server_that_is_not_well_says_why_in_its_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(tmp_path) as served:
        assert httpx.get(f"{served.url}/healthz").status_code == 200
        served.hub.rooms.store._readers.shutdown()
        assert httpx.get(f"{served.url}/healthz").status_code == 500
    assert "cannot schedule new futures" in caplog.text


def said(logs: Any, event: str) -> list[Any]:
    return [entry for entry in logs if entry["event"] == event]
