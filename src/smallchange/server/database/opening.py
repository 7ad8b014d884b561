"""The opening of a database by its URL: its lock, its file, its connections, its migration."""

from __future__ import annotations

import contextlib
import importlib.resources
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO
from weakref import WeakSet

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from smallchange.server.settings import POSTGRESQL_SCHEMES, BadSetting, Settings, read_url

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FIRST_REVISION, HEAD_REVISION = "1001", "1002"  # the oldest and the newest migration
LAST_OLD_COMMIT = "db14ccf"  # the last one that reads databases from before the first revision
FIRST_TABLES = ("match", "seat", "event")  # of every database of ours, however old
CONNECT_TIMEOUT_S = 5  # for a lock of SQLite, or for PostgreSQL to answer at the start
_MIGRATION_LOCK = 5_318_008  # of PostgreSQL's advisory locks, so that two processes do not migrate at once


def engine(url: str | URL) -> Engine:
    """Return the engine for a URL such as sqlite:////path/file.db or postgresql://user@host/name. Raise BadSetting."""
    expected = "sqlite:///FILE or postgresql://.."
    parsed = read_url("database", expected, url)
    if parsed.drivername == "sqlite" and "?" in str(url) and not parsed.query:
        raise BadSetting("database: after ? stand parameters; write a ? in the name of a file as %3F")
    if parsed.drivername == "sqlite" and parsed.database and ":memory:" not in parsed.database:
        waits = {"timeout": CONNECT_TIMEOUT_S, "check_same_thread": False}
        made = create_engine(parsed, connect_args=waits, hide_parameters=True)
        event.listen(made, "connect", _set_pragmas)
        _refuse_replaced_file(made, parsed.database)
        return made
    if parsed.drivername not in POSTGRESQL_SCHEMES:
        raise BadSetting(f"database: expected {expected}, not {parsed.drivername}://..")
    wait = {"connect_timeout": CONNECT_TIMEOUT_S, "tcp_user_timeout": 2000 * CONNECT_TIMEOUT_S}
    limits = {name: value for name, value in wait.items() if name not in parsed.query}
    parsed = parsed.set(drivername="postgresql+psycopg")
    return create_engine(parsed, connect_args=limits, pool_pre_ping=True, pool_size=4, hide_parameters=True)


def _set_pragmas(connection: Any, record: object) -> None:
    """Set the pragmas of a new SQLite connection."""
    cursor = connection.cursor()
    # temp_store: the rollback data of a statement of many rows stays in memory
    for pragma in ("synchronous=FULL", "foreign_keys=ON", "temp_store=MEMORY"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _refuse_replaced_file(engine: Engine, path: str) -> None:
    """Refuse to read or write a file that was removed or replaced.

    Anything written there is lost, and opening the path once more would make an empty file.
    """
    opened: list[int | None] = []  # the number of the file, once it is there

    def look(*_: object) -> None:
        if opened and opened[0] != _inode(path):
            raise OperationalError("", None, OSError("the database file was removed or replaced"))

    def learn(*_: object) -> None:
        look()
        opened[:] = [_inode(path)]

    event.listen(engine, "do_connect", look)
    event.listen(engine, "connect", learn)
    event.listen(engine, "begin", look)


def _inode(path: str) -> int | None:
    """Return the number of the file at this path; None if there is no file."""
    try:
        return os.stat(path).st_ino
    except (FileNotFoundError, NotADirectoryError):
        return None


def connections(engine: Engine) -> WeakSet[Any]:
    """Return the set of open connections to a PostgreSQL server, for `disconnect`."""
    found: WeakSet[Any] = WeakSet()
    if engine.dialect.name == "postgresql":
        event.listen(engine, "connect", lambda connection, record: found.add(connection))
    return found


def disconnect(connection: Any) -> None:
    """End a connection from another thread. A thread that waits for its answer gets an error instead."""
    if connection.closed:
        return
    wire = socket.socket(fileno=connection.fileno())
    with contextlib.suppress(OSError):
        wire.shutdown(socket.SHUT_RDWR)
    wire.detach()  # it stays the connection's


class UnfitDatabase(RuntimeError):
    """The database is not one that this version uses. The error says what it is, after its name."""


class ForeignDatabase(UnfitDatabase):
    """The database has another program's tables."""


def migrate(engine: Engine) -> None:
    """Bring the schema to the newest version.

    Several processes may do so at once. Raise UnfitDatabase before anything is changed.
    """
    with engine.connect() as connection:
        found = revision(connection)
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")  # the file remembers it
    if found == HEAD_REVISION:
        return  # Alembic need not even be imported
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
        elif engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        _upgrade(connection)


def _upgrade(connection: Connection) -> None:
    """Run the migrations of Alembic on this connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    folder = importlib.resources.files(__package__).joinpath("migrations")
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def error_line(wrong: Exception) -> str:
    """Return an error of the database in one line, without the rows that it was about."""
    return str(getattr(wrong, "orig", None) or wrong).partition("\n")[0]


def revision(connection: Connection) -> str | None:
    """Return the migration of a database; None for an empty one.

    Raise UnfitDatabase where this version does not know it, and ForeignDatabase where it is another program's.
    """
    there = inspect(connection).get_table_names()
    if not there:
        return None
    if not {"alembic_version", *FIRST_TABLES} <= {*there}:
        raise ForeignDatabase("is another program's, and stays as it is")
    found = str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar())
    if found > HEAD_REVISION:
        raise UnfitDatabase("was made by a newer Small Change; update the program")
    if found < FIRST_REVISION:
        raise UnfitDatabase(
            f"is from before the first release; `smallchange dump` of commit {LAST_OLD_COMMIT} exports its games"
        )
    return found


class CannotOpen(RuntimeError):
    """The database cannot be opened. The error gives the reason in one line."""


class OtherProgramsDatabase(CannotOpen):
    """The database is another program's."""


@contextmanager
def lock_database(settings: Settings, leaves_lock: bool = True) -> Iterator[None]:
    """Lock an SQLite file for this process, which would not see the changes of another. Raise CannotOpen.

    Without `leaves_lock` no file of a lock stays that was not there before.
    """
    url = make_url(settings.database)
    if url.drivername != "sqlite" or not url.database or ":memory:" in url.database:
        yield
        return
    lock = Path(f"{os.path.realpath(str(url.database))}.lock")  # the same for every link to the file
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        made = not lock.exists()
        opened = lock.open("ab")  # as it is, should it be another's
    except OSError as wrong:
        raise CannotOpen(f"cannot make {wrong.filename}: {wrong.strerror}") from wrong
    with opened as file:
        try:
            _lock(file)
        except (BlockingIOError, PermissionError) as wrong:
            raise CannotOpen(f"another server has {url.database} open: an SQLite file is for one") from wrong
        try:
            yield
        except OtherProgramsDatabase:  # another process that waits for the lock will not serve it either
            leaves_lock = False
            raise
        finally:
            if made and not leaves_lock:
                with contextlib.suppress(PermissionError):  # Windows keeps a file that is open
                    lock.unlink(missing_ok=True)


def _lock(file: BinaryIO) -> None:
    """Lock a file for this process, until it is closed."""
    if sys.platform == "win32":
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def prepare_database(database: str) -> None:
    """Create the database, if it is a file that does not exist, and migrate it. Raise CannotOpen."""
    opened = engine(database)
    try:
        if opened.dialect.name == "sqlite" and opened.url.database:
            file = Path(opened.url.database)
            file.parent.mkdir(parents=True, exist_ok=True)
            if not file.exists():
                file.touch(
                    mode=0o600
                )  # it has the secrets of games in play; SQLite gives its other files the same mode
        migrate(opened)
    except OSError as wrong:
        raise CannotOpen(f"cannot make {wrong.filename}: {wrong.strerror}") from wrong
    except UnfitDatabase as wrong:
        refusal = OtherProgramsDatabase if isinstance(wrong, ForeignDatabase) else CannotOpen
        raise refusal(f"the database {opened.url.set(query={})!r} {wrong}") from wrong
    except DBAPIError as wrong:
        raise CannotOpen(
            f"cannot open the database {opened.url.set(query={})!r}: {error_line(wrong)}"
        ) from wrong
    finally:
        opened.dispose()


@contextmanager
def open_database(settings: Settings) -> Iterator[Engine]:
    """Open the database, which must be there and be up to date."""
    opened = engine(settings.database)
    name = repr(opened.url.set(query={}))
    try:
        if opened.dialect.name == "sqlite" and not Path(opened.url.database or "").is_file():
            raise CannotOpen(f"there is no database {name}")
        with opened.connect() as connection:
            found = revision(connection)
        if found != HEAD_REVISION:
            raise CannotOpen(
                f"the database {name} is of another version: start this version of the server once"
            )
        yield opened
    except UnfitDatabase as wrong:
        raise CannotOpen(f"the database {name} {wrong}") from wrong
    except SQLAlchemyError as wrong:
        raise CannotOpen(f"cannot use the database {name}: {error_line(wrong)}") from wrong
    finally:
        opened.dispose()
