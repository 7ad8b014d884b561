"""Retention: a survey of a server's database, and its compaction, for `smallchange tables`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from smallchange.server.database import retention
from smallchange.server.database.engines import HEAD_REVISION, UnfitDatabase, engine, error_line, revision
from smallchange.server.database.retention import Age, Holding
from smallchange.server.serve import CannotServe, lock_database
from smallchange.server.settings import Settings


class NoDatabase(RuntimeError):
    """The database cannot be read. The error gives the reason in one line."""


class Survey(NamedTuple):
    """The content of a database: its tables by kind, and its size."""

    holdings: list[Holding]
    size_bytes: int


class Removal(NamedTuple):
    """The numbers of things removed.

    `compacted`: the room was given back, for which no server may have an SQLite file open.
    """

    tables: int
    leftovers: int
    compacted: bool


def survey(settings: Settings, age: Age, now_ms: int) -> Survey:
    """Return what the database of these settings holds. Raise BadSetting or NoDatabase."""
    with open_database(settings) as opened, opened.connect() as connection:
        return Survey(retention.holdings(connection, age, now_ms), retention.size_bytes(connection))


def remove(settings: Settings, age: Age, now_ms: int) -> Removal:
    """Remove what was abandoned, and give its room back. Raise BadSetting or NoDatabase."""
    with open_database(settings) as opened:
        tables = sum(retention.remove_abandoned(opened, age, now_ms))
        with opened.begin() as connection:
            leftovers = retention.remove_leftovers(connection, now_ms)
        try:
            with lock_database(settings):
                retention.compact(opened)
        except CannotServe:  # a server has the file open, and uses the room itself
            return Removal(tables, leftovers, False)
        return Removal(tables, leftovers, True)


@contextmanager
def open_database(settings: Settings) -> Iterator[Engine]:
    """Open the database, which must be there and be up to date."""
    opened = engine(settings.database)
    name = repr(opened.url.set(query={}))
    try:
        if opened.dialect.name == "sqlite" and not Path(opened.url.database or "").is_file():
            raise NoDatabase(f"there is no database {name}")
        with opened.connect() as connection:
            found = revision(connection)
        if found != HEAD_REVISION:
            raise NoDatabase(
                f"the database {name} is of another version: start this version of the server once"
            )
        yield opened
    except UnfitDatabase as wrong:
        raise NoDatabase(f"the database {name} {wrong}") from wrong
    except SQLAlchemyError as wrong:
        raise NoDatabase(f"cannot use the database {name}: {error_line(wrong)}") from wrong
    finally:
        opened.dispose()
