"""Tables that were abandoned can be removed; nothing else goes with them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select, text

from smallchange.cli import main
from smallchange.server.database import schema
from smallchange.server.database.opening import engine
from smallchange.server.settings import Settings
from smallchange.server.table.model.clock import DAY_MS
from smallchange.server.table.storage import retention
from smallchange.server.table.storage.retention import Age

from .outside import postgresql
from .serving import Person, Served, serving
from .tables import ALONE, PAIR, legal, table_after_moves, table_for_two

NOW_MS = 1_900_000_000_000
AGE = Age(unstarted_days=30, idle_days=365)


@pytest.fixture(params=["sqlite", "postgresql"])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    if request.param == "sqlite":
        with serving(tmp_path) as found:
            yield found
        return
    with postgresql() as url, serving(tmp_path, database=url, bus="memory://") as found:
        yield found


def let_age(served: Served, days: dict[str, int]) -> None:
    """Let the last event of each of these tables have been so many days ago."""
    opened = engine(served.settings.database)
    with opened.begin() as connection:
        for id, ago in days.items():
            at = {"id": id, "at": NOW_MS - ago * DAY_MS}
            connection.execute(text("UPDATE match SET created = :at WHERE id = :id"), at)
            connection.execute(text("UPDATE event SET at = :at WHERE match_id = :id"), at)
    opened.dispose()


def kinds(settings: Settings) -> dict[str, int]:
    return {holding.kind: holding.tables for holding in retention.survey(settings, AGE, NOW_MS).holdings}


def stored_ids(served: Served) -> set[str]:
    opened = engine(served.settings.database)
    with opened.connect() as connection:
        ids = set(connection.execute(select(schema.match.c.id)).scalars())
        for table in (schema.seat, schema.event):
            assert set(connection.execute(select(table.c.match_id)).scalars()) <= ids
    opened.dispose()
    return ids


def test_abandoned_tables_go_and_finished_matches_keep_page_and_record(
    served: Served, tmp_path: Path
) -> None:
    with Person(served) as ann, Person(served) as bo:
        over = table_after_moves(served, ann, bo, id=table_for_two(ann, bo))
        begun, unstarted, waiting, young, timed = (
            *(table_for_two(ann, bo) for _ in range(2)), ann.open(PAIR), ann.open(ALONE),
            table_for_two(ann, bo, time="1d+3d"),
        )  # fmt: skip
        assert ann.command(over, "resign", served.live_table(over).history.ply).status_code == 303
        for id in (begun, timed):
            assert (
                ann.command(
                    id, "act", served.live_table(id).history.ply, token=legal(served, id)[0]
                ).status_code
                == 303
            )
        record = ann.web.get(f"/m/{over}/record.txt").text
        let_age(served, {over: 4000, begun: 366, unstarted: 31, waiting: 31, young: 29, timed: 4000})
        assert kinds(served.settings) == {"over": 1, "running": 2, "unstarted": 2, "idle": 1}
        assert len(stored_ids(served)) == 6, "to look changes nothing"
        done = retention.remove(served.settings, AGE, NOW_MS)
        assert done.tables == 3
        assert stored_ids(served) == {over, young, timed}
        assert kinds(served.settings) == {"over": 1, "running": 2, "unstarted": 0, "idle": 0}
        assert ann.web.get(f"/m/{over}").status_code == 200
        assert ann.web.get(f"/m/{over}/record.txt").text == record
        assert ann.command(young, "resign", served.live_table(young).history.ply).status_code == 303


def test_a_rematch_that_nobody_began_leaves_no_dead_link(served: Served) -> None:
    with Person(served) as ann, Person(served) as bo:
        id = table_after_moves(served, ann, bo, id=table_for_two(ann, bo))
        history = served.live_table(id).history
        assert ann.command(id, "resign", history.ply).status_code == 303
        for person in (ann, bo):
            assert person.post(f"/m/{id}/rematch").status_code == 303
        rematch = served.live_table(id).history.rematch
        assert rematch
        let_age(served, {rematch: 31})
        assert retention.remove(served.settings, AGE, NOW_MS).tables == 1
        assert served.call(served.services.tables.store.load(id)).rematch is None


def test_a_table_from_which_another_was_forked_stays_with_it(served: Served) -> None:
    with Person(served) as ann:
        id, other = ann.open(ALONE), ann.open(ALONE)
        let_age(served, {id: 4000, other: 1})
        opened = engine(served.settings.database)
        with opened.begin() as connection:
            row = schema.match.c.id == other
            connection.execute(schema.match.update().where(row).values(parent=id))
        opened.dispose()
        assert retention.remove(served.settings, AGE, NOW_MS).tables == 0
        assert stored_ids(served) == {id, other}


def test_the_command_shows_first_and_makes_the_file_smaller_when_asked(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served) as ann:
        let_age(served, {ann.open(ALONE): 20_000 for _ in range(40)})
    database = ["--database", served.settings.database]
    file = tmp_path / "tables.db"

    def run(*arguments: str) -> str:
        done = CliRunner().invoke(main, ["server", "tables", *database, *arguments])
        assert done.exit_code == 0, done.output
        return done.output

    assert "40 tables" in run()
    assert "Nothing was changed" in run()
    before = file.stat().st_size
    found = json.loads(run("--remove", "--json"))
    assert found["removed"] == {"tables": 40, "leftovers": 0, "compacted": True}
    assert file.stat().st_size < before
    assert found["bytes"] == file.stat().st_size
    missing = CliRunner().invoke(main, ["server", "tables", "--database", f"sqlite:///{tmp_path / 'no.db'}"])
    assert (missing.exit_code, (tmp_path / "no.db").exists()) == (1, False)
    assert "there is no database" in missing.output
