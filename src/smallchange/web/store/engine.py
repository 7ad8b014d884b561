"""Connecting to a database by its URL, and bringing its schema up to date."""

from __future__ import annotations

import contextlib
import importlib.resources
import os
import socket
from typing import Any
from weakref import WeakSet

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import OperationalError

from smallchange.web.settings import POSTGRESQL, BadSetting, read_url

from .schema import meta

HEAD = "0004"  # the newest migration
PATIENCE = 5  # seconds to wait for a lock of SQLite, or for PostgreSQL to answer at the start
_LOCK = 5_318_008  # of PostgreSQL's advisory locks, so that two processes do not migrate at once


def engine(url: str) -> Engine:
    """The engine for a URL such as sqlite:////path/file.db or postgresql://user@host/name, or BadSetting."""
    expected = "sqlite:///FILE or postgresql://.."
    parsed = read_url("database", expected, url)
    if parsed.drivername == "sqlite" and parsed.database and ":memory:" not in parsed.database:
        waits = {"timeout": PATIENCE, "check_same_thread": False}
        made = create_engine(parsed, connect_args=waits, hide_parameters=True)
        event.listen(made, "connect", _durable)
        _watch(made, parsed.database)
        return made
    if parsed.drivername not in POSTGRESQL:
        raise BadSetting(f"database: expected {expected}, not {parsed.drivername}://..")
    wait = {"connect_timeout": PATIENCE, "tcp_user_timeout": 2000 * PATIENCE}
    limits = {name: value for name, value in wait.items() if name not in parsed.query}
    parsed = parsed.set(drivername="postgresql+psycopg")
    return create_engine(parsed, connect_args=limits, pool_pre_ping=True, pool_size=4, hide_parameters=True)


def _durable(connection: Any, record: object) -> None:
    cursor = connection.cursor()
    # temp_store: what a statement of many rows would need to be taken back stays in memory
    for pragma in ("synchronous=FULL", "foreign_keys=ON", "temp_store=MEMORY"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _watch(engine: Engine, path: str) -> None:
    """A file that was removed or replaced is read and written as before, and lost: then nothing is done, nor
    is it opened once more, which would make an empty one."""
    opened: list[int | None] = []  # the number of the file, once it is there

    def look(*_: object) -> None:
        if opened and opened[0] != _number(path):
            raise OperationalError("", None, OSError("the database file was removed or replaced"))

    def learn(*_: object) -> None:
        look()
        opened[:] = [_number(path)]

    event.listen(engine, "do_connect", look)
    event.listen(engine, "connect", learn)
    event.listen(engine, "begin", look)


def _number(path: str) -> int | None:
    """What the file system calls the file that lies there."""
    return os.stat(path).st_ino if os.path.exists(path) else None


def lines(engine: Engine) -> WeakSet[Any]:
    """The connections to a PostgreSQL, for `cut`."""
    found: WeakSet[Any] = WeakSet()
    if engine.dialect.name == "postgresql":
        event.listen(engine, "connect", lambda line, record: found.add(line))
    return found


def cut(line: Any) -> None:
    """End a connection from another thread: who waits for its answer gets an error instead."""
    if line.closed:
        return
    wire = socket.socket(fileno=line.fileno())
    with contextlib.suppress(OSError):
        wire.shutdown(socket.SHUT_RDWR)
    wire.detach()  # it stays the connection's


class TooNew(RuntimeError):
    """The database has a schema that this version does not know."""


class Foreign(RuntimeError):
    """The database has tables, and they are another program's."""


def migrate(engine: Engine) -> None:
    """Bring the schema to the newest version; Foreign or TooNew before anything is changed. Safe when several
    processes start at once."""
    with engine.connect() as connection:
        found = version(connection)
        if found is not None and found > HEAD:
            raise TooNew
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")  # the file remembers it
    if found == HEAD:
        return  # Alembic need not even be imported
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        elif engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        _upgrade(connection)


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    folder = importlib.resources.files(__package__).joinpath("migrations")
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def why(wrong: Exception) -> str:
    """What the database said, in one line, without the rows that it was about."""
    return str(getattr(wrong, "orig", None) or wrong).partition("\n")[0]


def version(connection: Connection) -> str | None:
    """The migration that a database stands at; None for an empty one, and Foreign for another program's."""
    there = inspect(connection).get_table_names()
    if not there:
        return None
    if not {"alembic_version", *meta.tables} <= {*there}:
        raise Foreign
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
