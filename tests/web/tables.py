"""Tables that tests sit down at, and what they ask of them."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from html import unescape

from smallchange import Position, games, mind
from smallchange.game import Game

from .serving import Person, Served

PAIR = next(id for id in games() if len(Game(id).seats) == 2 and not Game(id).sources)
LUCKY_PAIR = next(id for id in games() if len(Game(id).seats) == 2 and Game(id).sources)
ALONE = [id for id in games() if len(Game(id).seats) == 1][-1]


def seated(ann: Person, bo: Person, **fields: str) -> str:
    """A table of Dodg'em's kind with Ann on the first seat and Bo on the second."""
    id = ann.open(PAIR, **fields)
    assert bo.post(ann.invite(id), name="Bo").status_code == 303
    return id


def legal(served: Served, id: str) -> list[str]:
    return served.room(id).story.match.position.legal()


def under_way(served: Served, ann: Person) -> str:
    """A game for one in which three decisions were made, and there are more to make."""
    while True:
        id = ann.open(ALONE)
        story = served.room(id).story
        for _ in range(3):
            if not story.ended:
                ann.deed(id, "act", story.ply, token=greedy(story.match.position))
        if not story.ended:
            return id


def write(served: Served, statement: str, *values: str) -> None:
    """Change the database from outside."""
    with closing(sqlite3.connect(served.settings.database.removeprefix("sqlite:///"))) as rows, rows:
        rows.execute(statement, values)


def greedy(position: Position) -> str:
    return mind.bot("greedy")(position)


def page_text(page: str) -> str:
    return unescape(re.sub("</?span[^>]*>", "", page))
