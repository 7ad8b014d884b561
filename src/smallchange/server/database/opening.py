"""The opening of a database: its lock, its file, its migration."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine, make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from smallchange.server.database.engines import (
    HEAD_REVISION,
    ForeignDatabase,
    UnfitDatabase,
    engine,
    error_line,
    migrate,
    revision,
)
from smallchange.server.settings import Settings

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]


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
    if fcntl is None or url.drivername != "sqlite" or not url.database or ":memory:" in url.database:
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
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as wrong:
            raise CannotOpen(f"another server has {url.database} open: an SQLite file is for one") from wrong
        try:
            yield
        except OtherProgramsDatabase:  # another process that waits for the lock will not serve it either
            leaves_lock = False
            raise
        finally:
            if made and not leaves_lock:
                lock.unlink(missing_ok=True)


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
