"""Backups of a server's database, and their return."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from .server_settings import DATABASE, server_settings

FILE = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))


@click.command()
@FILE
@DATABASE
@click.option("--replace", is_flag=True, help="Write over FILE.")
def backup(file: Path, database: str | None, replace: bool) -> None:
    """Copy a server's database to FILE, while the server goes on.

    Each step that was acknowledged before the command began is in FILE. It has the secrets of games in play, so only
    its owner may read it. For PostgreSQL the command runs pg_dump.
    """
    with _errors(database) as (settings, module):
        content = module.back_up(settings, file, replace)
    held = f"{content.tables:,} tables with {content.events:,} events" if content else "an archive of pg_dump"
    click.echo(f"{file}: {held}, {file.stat().st_size:,} bytes.")


@click.command()
@FILE
@DATABASE
@click.option("--replace", is_flag=True, help="Replace the database by FILE, if there is one.")
def restore(file: Path, database: str | None, replace: bool) -> None:
    """Put a backup in the place of a server's database. Stop the server first.

    Without --replace a database that is there stays, and the command fails. For PostgreSQL the command runs pg_restore.
    """
    with _errors(database) as (settings, module):
        content = module.restore(settings, file, replace)
    click.echo(f"Restored {content.tables:,} tables with {content.events:,} events from {file}.")


@contextmanager
def _errors(database: str | None) -> Iterator[tuple[Any, Any]]:
    """Yield the settings, and the module of backups, whose errors become one line."""
    with server_settings(database=database) as settings:
        from smallchange.server.database import backup as module

        try:
            yield settings, module
        except module.BackupFailed as wrong:
            raise click.ClickException(str(wrong)) from wrong
