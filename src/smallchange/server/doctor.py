"""The doctor of a server: it says what a public server lacks.

It looks at the settings, the machine and the database, and changes nothing.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Engine, func, inspect, select, text
from sqlalchemy.exc import SQLAlchemyError

import smallchange
from smallchange.server.database import schema
from smallchange.server.database.bus import CHANNEL
from smallchange.server.database.opening import UnfitDatabase, engine, error_line, revision
from smallchange.server.database.role import missing_roles
from smallchange.server.settings import Settings
from smallchange.server.web.transport import FILES_WITHOUT_LIMIT, file_limit

MIN_FILES = 4096  # that a process may open: one for each connection
MIN_FREE_BYTES = 1 << 30  # where the database is
CLOCK_TOLERANCE_S = 60.0


class Check(NamedTuple):
    """One thing that was looked at: `well`, or what is lacking and how to mend it."""

    name: str
    well: bool
    text: str


def examine(settings: Settings, now_s: float | None = None) -> list[Check]:
    """Return all checks of a server with these settings. Raises BadSetting for a database that is none."""
    now_s = time.time() if now_s is None else now_s
    opened = engine(settings.database)
    try:
        found = [*_settings(settings), _files(), *_database(opened), _clock(opened, now_s)]
        return [*found, *_roles(settings, opened, now_s), *_bus(opened)]
    finally:
        opened.dispose()


def _settings(settings: Settings) -> Iterator[Check]:
    yield Check(
        "secure",
        settings.secure,
        "Cookies are for TLS alone."
        if settings.secure
        else "Cookies may go over connections without TLS: set SMALLCHANGE_SECURE=true behind a proxy with TLS.",
    )
    yield Check(
        "proxies",
        bool(settings.proxies),
        f"X-Forwarded headers of {settings.proxies} are believed."
        if settings.proxies
        else "No proxy is named: behind one, all visitors share the limits of one address. Set SMALLCHANGE_PROXIES.",
    )
    named = [*settings.hosts, *settings.origins]
    if "*" in settings.hosts:
        hosts = "The server goes by any name, also one that another site chose: name its own in SMALLCHANGE_HOSTS."
    elif named:
        hosts = f"The server goes by {', '.join(named)}."
    else:
        hosts = "Requests for any name but localhost are refused: set SMALLCHANGE_HOSTS=play.example."
    yield Check("hosts", bool(named) and "*" not in settings.hosts, hosts)


def _files() -> Check:
    most = file_limit()
    well = most >= min(MIN_FILES, FILES_WITHOUT_LIMIT)
    text = f"A process may open {most} files, one for each connection"
    return Check(
        "files", well, f"{text}." if well else f"{text}: raise it to {MIN_FILES} (ulimit -n, LimitNOFILE)."
    )


def _database(opened: Engine) -> Iterator[Check]:
    if opened.dialect.name == "sqlite":
        folder = _folder(opened)
        if not os.access(folder, os.W_OK | os.X_OK):
            yield Check("folder", False, f"{folder} cannot be written: give it to the user of the server.")
        else:
            yield Check("folder", True, f"{folder} can be written.")
        free = shutil.disk_usage(folder).free
        well = free >= MIN_FREE_BYTES
        text = f"{free >> 20:,} MiB are free at {folder}"
        yield Check(
            "disk", well, f"{text}." if well else f"{text}: make room for {MIN_FREE_BYTES >> 20:,} MiB."
        )
    if _is_missing(opened):
        yield Check("database", True, "The database does not exist yet; the server will make it.")
        return
    try:
        with opened.connect() as connection:
            revision(connection)
    except UnfitDatabase as wrong:
        yield Check("database", False, f"The database {wrong}.")
    except SQLAlchemyError as wrong:
        yield Check("database", False, f"The database cannot be opened: {error_line(wrong)}.")
    else:
        yield Check("database", True, "The database can be opened.")


def _clock(opened: Engine, now_s: float) -> Check:
    """Compare the clock with what must lie behind it: the program's own files, and the newest table."""
    known = {"the program's files": Path(smallchange.__file__).stat().st_mtime}
    newest_ms = _newest_table_ms(opened)
    if newest_ms:
        known["the newest table"] = newest_ms / 1000
    what, latest_s = max(known.items(), key=lambda one: one[1])
    if now_s >= latest_s - CLOCK_TOLERANCE_S:
        return Check("clock", True, "The clock is not behind anything that is stored.")
    behind_s = round(latest_s - now_s)
    return Check("clock", False, f"The clock is {behind_s:,} s behind {what}: let NTP set it.")


def _newest_table_ms(opened: Engine) -> int:
    if _is_missing(opened):
        return 0
    try:
        with opened.connect() as connection:
            if not inspect(connection).has_table(schema.match.name):
                return 0
            return connection.execute(select(func.max(schema.match.c.created))).scalar() or 0
    except SQLAlchemyError:
        return 0  # the check of the database says why


def _roles(settings: Settings, opened: Engine, now_s: float) -> Iterator[Check]:
    """Say whether anybody ends matches, rates them and sends messages, where this server does not."""
    if settings.roles == "all" or _is_missing(opened):
        return
    try:
        with opened.connect() as connection:
            missing = missing_roles(connection, int(1000 * now_s))
    except SQLAlchemyError:
        return  # the check of the database says why
    why = f"Nobody plays {', '.join(missing)}: start `smallchange server work`."
    yield Check("roles", not missing, why if missing else "Other processes play the roles.")


def _bus(opened: Engine) -> Iterator[Check]:
    """Count the processes that hear each other by PostgreSQL. One that does not answer is said by its own check."""
    if opened.dialect.name == "postgresql":
        listening = text("SELECT count(*) FROM pg_stat_activity WHERE query = :listen")
        with contextlib.suppress(SQLAlchemyError), opened.connect() as connection:
            count = connection.execute(listening, {"listen": f"LISTEN {CHANNEL}"}).scalar_one()
            yield Check("bus", True, f"{count} processes hear each other by PostgreSQL.")


def _is_missing(opened: Engine) -> bool:
    """Return whether the database is a file that does not exist. Opening it would make an empty one."""
    return opened.dialect.name == "sqlite" and not Path(opened.url.database or "").exists()


def _folder(opened: Engine) -> Path:
    """Return the folder of the database, or of those above it the first that exists."""
    folder = Path(opened.url.database or ".").absolute().parent
    while not folder.is_dir():
        folder = folder.parent
    return folder
