"""What fails is said in the log, and stops nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from structlog.testing import capture_logs

from smallchange.game import Game

from .serving import Person, Served, hear, say
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


def said(logs: Any, event: str) -> list[Any]:
    return [entry for entry in logs if entry["event"] == event]
