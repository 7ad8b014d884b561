"""Connecting to a database by its URL, and bringing its schema up to date."""

from __future__ import annotations

import importlib.resources
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from smallchange.web.settings import BadSetting

HEAD = "0002"  # the newest migration
_LOCK = 5_318_008  # of PostgreSQL's advisory locks, so that two processes do not migrate at once


def engine(url: str) -> Engine:
    """The engine for a URL such as sqlite:////path/file.db or postgresql://user@host/name, or BadSetting."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        parsed = URL.create("none")
    if parsed.get_backend_name() not in ("sqlite", "postgresql", "postgres"):
        raise BadSetting(f"database: expected sqlite:///FILE or postgresql://.., not {url!r}")
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() == "sqlite":
        made = create_engine(parsed, connect_args={"timeout": 30, "check_same_thread": False})
        event.listen(made, "connect", _durable)
        return made
    return create_engine(parsed, pool_pre_ping=True, pool_size=4)


def _durable(connection: Any, record: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def migrate(engine: Engine) -> None:
    """Bring the schema to the newest version. Safe when several processes start at once."""
    with engine.connect() as connection:
        if version(connection) == HEAD:
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
    """The migration that a database stands at; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
