"""Which tables are listed, and what one is remembered by."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from .serving import Person, Served
from .test_tables import PAIR, seated


def write(served: Served, statement: str, *values: str) -> None:
    """Change the database from outside."""
    with closing(sqlite3.connect(served.settings.database.removeprefix("sqlite:///"))) as rows, rows:
        rows.execute(statement, values)


def test_practice_is_under_no_name_but_ones_own(served: Served, ann: Person, bo: Person) -> None:
    id = seated(ann, bo, name="Ann")
    bo.deed(id, "resign", 1)
    with Person(served) as third:
        for who, names in ((ann, ["Ann", ""]), (bo, ["", "Bo"]), (third, ["", ""])):
            fork = who.post(f"/m/{id}/fork", at="0").headers["location"].removeprefix("/m/")
            assert [seat.name for seat in served.room(fork).story.seats] == names
        assert 'value="Ann"' not in third.web.get(f"/games/{PAIR}").text
        write(served, "UPDATE seat SET name = 'Ann' WHERE match_id = ?", fork)  # as it once was
        assert 'value="Ann"' not in third.web.get(f"/games/{PAIR}").text
    assert 'value="Ann"' in ann.web.get(f"/games/{PAIR}").text
