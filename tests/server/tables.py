"""Tables that tests sit down at, and what they ask of them."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from html import unescape

from smallchange import Position, bots, games
from smallchange.core.game import Game
from smallchange.server.table.model.outcome import MIN_COUNTED_MOVES

from .serving import Person, Served

PAIR = next(id for id in games() if len(Game(id).seats) == 2 and not Game(id).sources)
LUCKY_PAIR = next(id for id in games() if len(Game(id).seats) == 2 and Game(id).sources)
ALONE = [id for id in games() if len(Game(id).seats) == 1][-1]


def table_for_two(ann: Person, bo: Person, **fields: str) -> str:
    """Return a table of Dodg'em's kind with Ann on the first seat and Bo on the second."""
    id = ann.open(PAIR, **fields)
    assert bo.post(ann.invite(id), name="Bo").status_code == 303
    return id


def table_after_moves(served: Served, *people: Person, id: str) -> str:
    """Return the same table after a few moves of each, so that it counts; the first person sits on the first seat."""
    for i in range(MIN_COUNTED_MOVES * 2):
        ply = served.live_table(id).history.ply
        answer = people[i % len(people)].command(
            id, "act", ply, token=greedy(served.live_table(id).history.match.position)
        )
        assert answer.status_code == 303
    return id


def legal(served: Served, id: str) -> list[str]:
    return served.live_table(id).history.match.position.legal()


def under_way(served: Served, ann: Person) -> str:
    """Return a game for one in which three decisions were made, and there are more to make."""
    while True:
        id = ann.open(ALONE)
        history = served.live_table(id).history
        for _ in range(3):
            if not history.ending:
                ann.command(id, "act", history.ply, token=greedy(history.match.position))
        if not history.ending:
            return id


def write(served: Served, statement: str, *values: str) -> None:
    """Change the database from outside."""
    with closing(sqlite3.connect(served.settings.database.removeprefix("sqlite:///"))) as rows, rows:
        rows.execute(statement, values)


def greedy(position: Position) -> str:
    return bots.bot("greedy")(position)


def page_text(page: str) -> str:
    return unescape(re.sub("</?span[^>]*>", "", page))
