"""The commands that look after a server."""

from __future__ import annotations

import click

from . import Commands


class ServerCommands(Commands):
    """The commands by name."""

    modules = {  # noqa: RUF012 - not changed
        "doctor": "doctor",
        "admin": "admin",
        "tables": "tables",
        "backup": "backup",
        "restore": "backup",
        "dump": "dump",
        "work": "work",
    }


@click.group(cls=ServerCommands)
def server() -> None:
    """Look after a server: what it lacks, keepers, its database, the luck of its games, and work beside it."""
