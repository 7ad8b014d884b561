"""Roles beside servers."""

from __future__ import annotations

from typing import Any

import click

from .server_settings import server_settings

ROLES = ("clock", "rater", "pairer", "notifier", "director", "cleaner")


@click.command()
@click.option(
    "--role",
    "roles",
    type=click.Choice(ROLES),
    multiple=True,
    help="A role to play; several may be named [default: all]. clock: end matches whose player is out of time. "
    "rater: compute ratings. pairer: pair people who look for a game. "
    "notifier: send notifications by web push and mail. director: run tournaments. "
    "cleaner: remove what is old.",
)
@click.option("--database", metavar="URL", help="postgresql://.. that servers share.")
@click.option(
    "--check",
    "checks",
    is_flag=True,
    help="Play nothing, but say which roles nobody has played for a minute; the exit status is 1 if there are any.",
)
def work(roles: tuple[str, ...], checks: bool, **given: Any) -> None:
    """Play roles beside servers that share a PostgreSQL database; one process at a time plays each.

    Each setting can also come from the environment, SMALLCHANGE_DATABASE=..; docs/serve.md has them all.
    """
    with server_settings(**given) as settings:
        from smallchange.server.database.opening import CannotOpen
        from smallchange.server.serve import CannotServe, missing_of, run_roles

        try:
            if not checks:
                run_roles(settings, roles or ROLES)
            elif missing := missing_of(settings, roles or ROLES):
                raise click.ClickException(f"nobody plays {', '.join(missing)}")
        except (CannotOpen, CannotServe) as wrong:
            raise click.ClickException(str(wrong)) from wrong
