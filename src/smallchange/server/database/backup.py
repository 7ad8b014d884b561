"""Backups of a server's database, for `smallchange server backup` and `smallchange server restore`.

A backup of SQLite is a database file, copied by SQLite itself while a server goes on. A backup of PostgreSQL is an
archive of `pg_dump`. Either is complete before it gets its name, and only its owner may read it, because it has the
secrets of games in play.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import URL, Connection, Engine, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from smallchange.server.database import schema
from smallchange.server.database.opening import (
    FIRST_TABLES,
    CannotOpen,
    ForeignDatabase,
    UnfitDatabase,
    engine,
    error_line,
    lock_database,
    revision,
)
from smallchange.server.settings import Settings

OWNER_ONLY = 0o600  # mode of a file
SEAL = b"\nsmallchange-sha256:"
SQLITE, PAGE_BYTES = b"SQLite format 3\0", 512  # how its files begin, and a part of their length
SQLITE_COMPANIONS = ("-wal", "-shm")  # ends of the names of files beside an SQLite database
OTHER_CLIENTS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
    "AND backend_type = 'client backend'"
)


class BackupFailed(RuntimeError):
    """A backup or a restore is not possible, and nothing was changed. The error gives the reason in one line."""


class Content(NamedTuple):
    """The numbers of tables and of events in a database or backup."""

    tables: int
    events: int


def back_up(settings: Settings, file: Path, replace: bool = False) -> Content | None:
    """Copy the database of these settings to a file, while a server may go on.

    Return its content; None for PostgreSQL, whose archive is not opened. Raise BadSetting or BackupFailed.
    """
    if file.exists() and not file.is_file():
        raise BackupFailed(f"{file} is no ordinary file")
    if file.exists() and not replace:
        raise BackupFailed(f"{file} exists; --replace writes over it")
    opened = engine(settings.database)
    try:
        if opened.dialect.name == "sqlite" and file.exists() and file.samefile(_existing_file(opened)):
            raise BackupFailed(f"{file} is the database itself")
        content = None
        with _complete_file(Path(os.path.realpath(file))) as made:
            if opened.dialect.name == "sqlite":
                content = _copy_sqlite(_existing_file(opened), made, file)
            else:
                with _failures(opened), opened.connect() as connection:
                    _check_revision(connection, _name(opened))
                _run("pg_dump", opened, "--format=custom", "--no-owner", "--no-privileges", f"--file={made}")
            _seal(made)
        return content
    finally:
        opened.dispose()


def restore(settings: Settings, file: Path, replace: bool = False) -> Content:
    """Put a backup in the place of the database of these settings, which no server may use. Return its content.

    Raise BadSetting or BackupFailed.
    """
    if not file.is_file():
        raise BackupFailed(f"there is no file {file}")
    opened = engine(settings.database)
    try:
        if opened.dialect.name == "sqlite":
            return _restore_sqlite(settings, opened, file, replace)
        return _restore_postgresql(opened, file, replace)
    finally:
        opened.dispose()


def _restore_sqlite(settings: Settings, opened: Engine, file: Path, replace: bool) -> Content:
    target = Path(os.path.realpath(opened.url.database or ""))
    try:
        with lock_database(settings, leaves_lock=False):
            if target.exists() and not replace:
                raise BackupFailed(f"the database {target} exists; --replace puts the backup in its place")
            with _complete_file(target) as made:
                content = _copy_sqlite(file, made, target)
                _check_seal(file)
                for name in SQLITE_COMPANIONS:  # they belong to the file that is replaced
                    target.with_name(target.name + name).unlink(missing_ok=True)
            return content
    except CannotOpen as wrong:
        raise BackupFailed(str(wrong)) from wrong


def _restore_postgresql(opened: Engine, file: Path, replace: bool) -> Content:
    _check_archive(opened, file)
    _check_seal(file)
    with _failures(opened), opened.connect() as connection:
        if connection.execute(text(OTHER_CLIENTS)).scalar_one():
            raise BackupFailed(f"servers use the database {_name(opened)}: stop them first")
        try:
            held = revision(connection)
        except UnfitDatabase as wrong:
            raise BackupFailed(f"the database {_name(opened)} {wrong}") from wrong
    if held is not None and not replace:
        raise BackupFailed(f"the database {_name(opened)} has tables; --replace removes them first")
    clean = ["--clean", "--if-exists"] if replace else []
    where = f"--dbname={_url(opened)}"
    _run(
        "pg_restore",
        opened,
        "--exit-on-error",
        "--single-transaction",
        "--no-owner",
        *clean,
        where,
        os.path.abspath(file),
    )
    with _failures(opened), opened.connect() as connection:
        return _content(connection)


def _check_archive(opened: Engine, file: Path) -> None:
    """Refuse a file that is no archive of a database of ours."""
    lines = _run("pg_restore", opened, "--list", os.path.abspath(file)).splitlines()
    names = {
        line.split()[6] for line in lines if " TABLE DATA " in line
    }  # number; 0 oid TABLE DATA schema name owner
    if not {"alembic_version", *FIRST_TABLES} <= names:
        raise BackupFailed(f"{file} is no backup of Small Change")


def _seal(file: Path) -> None:
    """Write the digest of a complete backup behind its end, where SQLite and PostgreSQL look for nothing."""
    with file.open("rb+") as opened:
        digest = hashlib.file_digest(opened, "sha256")
        opened.write(SEAL + digest.hexdigest().encode())


def _check_seal(file: Path) -> None:
    """Refuse a backup whose digest is another. One that other programs have made has no digest, but whole pages."""
    length = len(SEAL) + 2 * hashlib.sha256().digest_size
    with file.open("rb") as opened:
        is_sqlite, size = opened.read(len(SQLITE)) == SQLITE, opened.seek(0, os.SEEK_END)
        left = max(0, size - length)
        opened.seek(left)
        seal, digest = opened.read(), hashlib.sha256()
        opened.seek(0)
        while left and (part := opened.read(min(left, 1 << 20))):
            digest.update(part)
            left -= len(part)
    is_sealed = SEAL in seal or (is_sqlite and size % PAGE_BYTES > 0)
    if is_sealed and seal != SEAL + digest.hexdigest().encode():
        raise BackupFailed(f"{file} is damaged: it is not what was written")


def _copy_sqlite(source: Path, made: Path, file: Path) -> Content:
    """Copy our SQLite database to an empty file; check it before and after."""
    try:
        with (
            closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as read,
            closing(sqlite3.connect(made)) as written,
        ):
            _check_integrity(read, source)
            read.backup(written)  # one read transaction: the server goes on writing beside it
            written.execute("PRAGMA journal_mode=DELETE")  # one file, whatever the mode of the original
            _check_integrity(written, source)
    except sqlite3.Error as wrong:
        raise BackupFailed(f"cannot copy {source} to {file}: {wrong}") from wrong
    copy = engine(URL.create("sqlite", database=str(made)))
    try:
        with _failures(copy), copy.connect() as connection:
            _check_revision(connection, str(source))
            return _content(connection)
    finally:
        copy.dispose()


def _check_integrity(database: sqlite3.Connection, source: Path) -> None:
    (state,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if state != "ok":
        raise BackupFailed(f"{source} is damaged: {state}")


def _check_revision(connection: Connection, name: str) -> None:
    """Refuse a database that is empty or not one of this version."""
    try:
        found = revision(connection)
    except ForeignDatabase:
        found = None
    except UnfitDatabase as wrong:
        raise BackupFailed(f"{name} {wrong}") from wrong
    if found is None:
        raise BackupFailed(f"{name} is no database of Small Change")


def _content(connection: Connection) -> Content:
    numbers = (select(func.count()).select_from(table) for table in (schema.match, schema.event))
    return Content(*(int(connection.execute(number).scalar_one()) for number in numbers))


def _existing_file(opened: Engine) -> Path:
    """Return the file of an SQLite database, which must be there."""
    file = Path(opened.url.database or "")
    if not file.is_file():
        raise BackupFailed(f"there is no database {_name(opened)}")
    return file


@contextmanager
def _complete_file(file: Path) -> Iterator[Path]:
    """Yield the path of an empty file that gets the name `file` once it is complete and on the disk."""
    made = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        os.close(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
        yield made
        with made.open("rb") as written:
            os.fsync(written.fileno())
        made.replace(file)
    except OSError as wrong:
        raise BackupFailed(f"cannot write {file}: {wrong.strerror}") from wrong
    finally:
        with suppress(OSError):  # where it could not be made, the reason is told already
            made.unlink()


@contextmanager
def _failures(opened: Engine) -> Iterator[None]:
    """Turn an error of the database into BackupFailed."""
    try:
        yield
    except SQLAlchemyError as wrong:
        raise BackupFailed(f"cannot use the database {_name(opened)}: {error_line(wrong)}") from wrong


def _run(program: str, opened: Engine, *arguments: str) -> str:
    """Run a program of PostgreSQL and return its output. The password is not among its arguments."""
    path = shutil.which(program)
    if path is None:
        raise BackupFailed(f"{program} is not installed; it comes with the client programs of PostgreSQL")
    where = [f"--dbname={_url(opened)}"] if program == "pg_dump" else []
    password = {"PGPASSWORD": str(opened.url.password)} if opened.url.password else {}
    done = subprocess.run(
        [path, *where, *arguments], env=os.environ | password, capture_output=True, text=True, check=False
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        raise BackupFailed(f"{program} failed: {lines[0].removeprefix(f'{program}: ')}")
    return done.stdout


def _url(opened: Engine) -> str:
    """Return the URL of a PostgreSQL database without its password, as the programs of PostgreSQL read it."""
    url = opened.url.set(drivername="postgresql")
    return url._replace(password=None).render_as_string(hide_password=False)


def _name(opened: Engine) -> str:
    return repr(opened.url.set(query={}))
