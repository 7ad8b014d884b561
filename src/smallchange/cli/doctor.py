"""The doctor of a server."""

from __future__ import annotations

import json
import sys

import click

from .server_settings import DATABASE, server_settings


@click.command()
@DATABASE
@click.option("--json", "as_json", is_flag=True, help="Print all checks as JSON.")
def doctor(database: str | None, as_json: bool) -> None:
    """Say what a public server lacks: settings, limits, room on disk, the clock, the database.

    It reads the same settings as serve, and changes nothing. The exit status is 1 where something is lacking.
    """
    with server_settings(database=database) as settings:
        from smallchange.server.doctor import examine

        checks = examine(settings)
    well = all(check.well for check in checks)
    if as_json:
        click.echo(json.dumps({"well": well, "checks": [check._asdict() for check in checks]}))
    else:
        for check in checks:
            click.echo(f"{'well' if check.well else 'LACKS':6} {check.name:9} {check.text}")
    if not well:
        sys.exit(1)
