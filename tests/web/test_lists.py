"""Which tables are listed, and what one is remembered by."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from .serving import Person, Served, serving
from .test_tables import ALONE, PAIR, seated


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


@pytest.mark.parametrize("change", ["game = 'chess'", "options = '{\"size\": 99}'", "version = 99"])
def test_a_table_of_rules_that_are_gone_is_left_out_of_lists(tmp_path: Path, change: str) -> None:
    with serving(tmp_path) as served, Person(served) as ann:
        cookies = ann.web.cookies
        old, new = ann.open(PAIR, open="1"), ann.open(ALONE)
        write(served, f"UPDATE match SET {change} WHERE id = ?", old)
    with serving(tmp_path) as served, Person(served) as bo:
        assert bo.web.get("/").status_code == 200
        bo.web.cookies = cookies
        for path in ("/", "/mine"):
            assert new in bo.web.get(path).text
            assert old not in bo.web.get(path).text
        assert bo.web.get(f"/m/{old}").status_code == 410
