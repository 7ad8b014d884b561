"""A database that version 0.1 wrote is read as before, and its tables go on."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from smallchange.core import record
from smallchange.server.table.command_events import execute
from smallchange.server.table.commands import Act
from smallchange.server.table.history import RESIGNED, History
from smallchange.server.table.store import Store

from .serving import Person, serving

DUMP = Path(__file__).parent / "database_0.1.sql"
UNDONE, FORKED, WAITING, RESIGNED_TABLE = (
    "m56he7nfcdgnx57u47kq",
    "wdhig7dnfbx3u7a4h24a",
    "tqbsklvytqxflafvgr5q",
    "5ukirgjfwqzgv3w7oqqq",
)


async def load_all(database: str) -> dict[str, History]:
    store = Store(database)
    await store.open()
    tables = {id: await store.load(id) for id in (UNDONE, FORKED, WAITING, RESIGNED_TABLE)}
    await store.close()
    return {id: table for id, table in tables.items() if table is not None}


def test_tables_of_version_0_1_stand_as_they_were_left_and_go_on(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    with closing(sqlite3.connect(file)) as rows:
        rows.executescript(DUMP.read_text(encoding="utf-8"))
    tables = asyncio.run(load_all(f"sqlite:///{file}"))
    undone, forked, waiting, resigned = (tables[id] for id in (UNDONE, FORKED, WAITING, RESIGNED_TABLE))
    end = "coins={} quiet={} plies=3 winner=0 reason=0"
    assert str(undone.match.position).endswith(end.format("31,62344134656", 1)), "a move was taken back"
    assert (forked.head.parent, forked.head.fork_length) == (UNDONE, 2)
    assert str(forked.match.position).endswith(end.format("2063,62344134656", 0))
    assert waiting.waiting
    assert waiting.head.open
    assert resigned.ending is not None
    assert (resigned.ending.how, resigned.ply) == (RESIGNED, 12)
    assert resigned.envelope.is_valid
    token = undone.match.position.legal()[0]
    new = execute(undone, "ann", Act(UNDONE, undone.ply, "goes-on-1", token), 0)
    assert undone.with_events(new.events, after=new.after).match.steps[-1].token == token


def test_finished_matches_of_version_0_1_keep_page_and_record_and_older_rules_are_named(
    tmp_path: Path,
) -> None:
    with closing(sqlite3.connect(tmp_path / "tables.db")) as rows, rows:
        rows.executescript(DUMP.read_text(encoding="utf-8"))
        columns = [name for _, name, *_ in rows.execute("PRAGMA table_info(match)")]
        older = {"id": "'oldersolo1234567'", "game": "'solo'", "code": "'olderscode123456'", "version": "1"}
        values = ", ".join(older.get(name, name) for name in columns)
        rows.execute(f"INSERT INTO match SELECT {values} FROM match WHERE id = '{UNDONE}'")
    with serving(tmp_path) as served, Person(served) as ann:
        assert "given up" in ann.page(RESIGNED_TABLE)
        text = ann.web.get(f"/m/{RESIGNED_TABLE}/record.txt").text
        assert len(record.read(text).steps) == 11
        assert ann.page(UNDONE)
        for lang, said in (("en", "version 1 of its rules"), ("de", "Version 1"), ("ja", "第1版")):
            answer = ann.web.get(f"/m/oldersolo1234567?lang={lang}")
            assert (answer.status_code, said in answer.text) == (410, True), answer.text
