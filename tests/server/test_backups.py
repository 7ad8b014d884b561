"""A backup holds each step that was acknowledged before it, and a server goes on from it."""

from __future__ import annotations

import os
import re
import resource
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import URL, make_url, text

from smallchange.cli import main
from smallchange.core import record
from smallchange.server.database.opening import engine, lock_database, migrate
from smallchange.server.settings import Settings

from .outside import postgresql
from .serving import SETTINGS, Person, serving, stored_events
from .tables import ALONE, PAIR, greedy, legal


def run(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["server", *map(str, arguments)])
    return done.exit_code, done.output


def make_tables(url: str | URL) -> str:
    """Make an empty database of ours, and return its URL."""
    made = engine(url)
    migrate(made)
    made.dispose()
    return str(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Yield the URLs of two databases: for a server, and for what is restored."""
    if request.param == "sqlite":
        yield tuple(f"sqlite:///{tmp_path / name}" for name in ("tables.db", "other.db"))  # type: ignore[misc]
        return
    with postgresql() as url:
        made = engine(url)
        with made.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("CREATE DATABASE other"))
        made.dispose()
        yield url, make_url(url).set(database="other").render_as_string(hide_password=False)


def test_a_backup_beside_play_holds_every_acknowledged_step(
    databases: tuple[str, str], tmp_path: Path
) -> None:
    database, other = databases
    file = tmp_path / "backup"
    with (
        serving(tmp_path, database=database, bus="memory://") as served,
        Person(served) as ann,
        Person(served) as bo,
    ):
        over, running = ann.open(ALONE), ann.open(PAIR)
        assert bo.post(ann.invite(running), name="Bo").status_code == 303
        assert ann.command(over, "resign", served.live_table(over).history.ply).status_code == 303
        ann.command(running, "act", served.live_table(running).history.ply, token=legal(served, running)[0])
        acknowledged = stored_events(served, running)
        kept = ann.web.get(f"/m/{over}/record.txt").text
        done: list[tuple[int, str]] = []
        copying = threading.Thread(
            target=lambda: done.append(run("backup", file, "--database", database)), daemon=True
        )
        copying.start()
        moved = 0
        while copying.is_alive() or not moved:  # moves of others go on meanwhile
            id = bo.open(ALONE)
            history = served.live_table(id).history
            assert bo.command(id, "act", history.ply, token=greedy(history.match.position)).status_code == 303
            moved += 1
        assert done[0][0] == 0, done
        last = ann.open(ALONE)
    assert file.stat().st_mode & 0o077 == 0, "it has secrets"
    status, said = run("restore", file, "--database", other)
    assert status == 0, said
    with serving(tmp_path, database=other, bus="memory://") as served:
        assert stored_events(served, running)[: len(acknowledged)] == acknowledged
        assert served.call(served.services.tables.store.load(last)) is None
        with Person(served) as eve:
            stored = eve.web.get(f"/m/{over}/record.txt").text
        assert stored == kept
        record.verify(stored)
    _, said = run("restore", file, "--database", other)
    assert "--replace" in said
    assert run("restore", file, "--database", other, "--replace")[0] == 0


def zero_a_text(file: Path) -> None:
    """Overwrite a text in a row of a database with zeros, which its structure does not show."""
    data = file.read_bytes()
    at = [found.start() for found in re.finditer(rb"(?<![0-9a-f:])[0-9a-f]{64}", data)][-1]
    file.write_bytes(data[:at] + bytes(64) + data[at + 64 :])


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (lambda file: file.unlink(), "there is no file"),
        (lambda file: file.write_text("a text"), "file is not a database"),
        (lambda file: file.write_bytes(file.read_bytes()[:20_480]), "malformed"),
        (lambda file: file.write_bytes(file.read_bytes()[:-10]), "damaged"),
        (lambda file: file.write_bytes(file.read_bytes()[:-200] + bytes(200)), "damaged"),
        (zero_a_text, "damaged"),
        (lambda file: change(file, "DROP TABLE event"), "no database of Small Change"),
        (lambda file: change(file, "UPDATE alembic_version SET version_num = '9999'"), "newer"),
    ],
)
def test_a_restore_that_is_refused_changes_nothing(
    spoil: Callable[[Path], object], expected: str, tmp_path: Path
) -> None:
    file, database = tmp_path / "backup", f"sqlite:///{tmp_path / 'tables.db'}"
    with serving(tmp_path) as served, Person(served) as ann:
        ann.open(ALONE)
    assert run("backup", file, "--database", database)[0] == 0
    assert "--replace" in run("backup", file, "--database", database)[1]
    before = (tmp_path / "tables.db").read_bytes()
    spoil(file)
    status, said = run("restore", file, "--database", database, "--replace")
    assert (status, len(said.splitlines())) == (1, 1), said
    assert expected in said
    assert (tmp_path / "tables.db").read_bytes() == before
    assert not list(tmp_path.glob(".*part*"))
    other = tmp_path / "new.db"
    assert run("restore", file, "--database", f"sqlite:///{other}")[0] == 1
    assert not list(tmp_path.glob("new.db*"))


@pytest.mark.parametrize(
    "name", ["que?.db", "per%20.db", "%3F.db", "a#b.db", "a b&c=1;d.db", "'q\".db", "Größe.db", "-x"]
)
def test_odd_names_of_files_are_taken_as_they_are(name: str, tmp_path: Path) -> None:
    """Of the database, its backup and their folder; nothing is left beside them, and nobody else may read them."""
    folder = tmp_path / "100% ?"
    folder.mkdir()
    file, database = folder / f"backup {name}", URL.create("sqlite", database=str(folder / name))
    make_tables(database)
    assert run("backup", file, "--database", database) == (
        0,
        f"{file}: 0 tables with 0 events, {file.stat().st_size:,} bytes.\n",
    )
    assert file.stat().st_mode & 0o777 == 0o600
    (folder / name).unlink()
    assert run("restore", file, "--database", database)[0] == 0
    assert {path.name for path in folder.iterdir()} == {file.name, name}


@pytest.mark.parametrize(
    "kind", ["no ordinary file", "the database itself", "File name too long", "too large"]
)
def test_where_no_backup_can_be_is_left_as_it_is(kind: str, tmp_path: Path) -> None:
    file, tables = tmp_path / "backup", tmp_path / "tables.db"
    database = make_tables(f"sqlite:///{tables}")
    before, usual = tables.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    if kind == "no ordinary file":
        os.mkfifo(file)
    elif kind == "the database itself":
        file.symlink_to(tables)
    elif kind == "File name too long":
        file = tmp_path / (250 * "x")
    else:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, usual[1]))
    try:
        status, said = run("backup", file, "--database", database, "--replace")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert (status, said.count("\n")) == (1, 1)
    assert (kind if kind != "too large" else f"cannot copy {tables} to {file}: ") in said
    assert file.is_fifo() == (kind == "no ordinary file")
    assert tables.read_bytes() == before
    assert not list(tmp_path.glob(".*part"))


def test_a_backup_goes_where_a_link_leads(tmp_path: Path) -> None:
    link, file = tmp_path / "latest", tmp_path / "there"
    link.symlink_to(file)
    database = make_tables(f"sqlite:///{tmp_path / 'tables.db'}")
    assert run("backup", link, "--database", database)[0] == 0
    assert link.is_symlink()
    assert file.stat().st_size > 0


def test_a_question_mark_in_the_url_of_a_database_is_not_cut_off(tmp_path: Path) -> None:
    status, said = run("backup", tmp_path / "backup", "--database", f"sqlite:///{tmp_path}/que?.db")
    assert (status, "write a ? in the name of a file as %3F" in said) == (1, True), said
    assert not list(tmp_path.iterdir())


def test_a_database_that_a_server_uses_is_not_replaced(tmp_path: Path) -> None:
    file, database = tmp_path / "backup", f"sqlite:///{tmp_path / 'tables.db'}"
    settings = Settings(**SETTINGS, database=database)
    with serving(tmp_path), lock_database(settings):
        assert run("backup", file, "--database", database)[0] == 0
        assert "another server" in run("restore", file, "--database", database, "--replace")[1]


def test_the_password_of_postgresql_is_not_shown_and_missing_programs_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "backup"
    file.write_text("an archive")
    monkeypatch.setenv("PATH", str(tmp_path))
    status, said = run("restore", file, "--database", "postgresql://ann:open-sesame@127.0.0.1:1/small")
    assert (status, "pg_restore is not installed" in said) == (1, True), said
    assert "open-sesame" not in said


def change(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as rows, rows:
        rows.execute(statement)
