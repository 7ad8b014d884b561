"""The settings of a server, for the commands that run it and look after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from .options import require_extra

if TYPE_CHECKING:
    from smallchange.server.settings import Settings

DATABASE = click.option(
    "--database",
    metavar="URL",
    callback=lambda context, parameter, value: value or None,
    help="The database of the server [default: as for serve].",
)


@contextmanager
def server_settings(**given: Any) -> Iterator[Settings]:
    """Yield the settings of a server. A missing package or a setting that is not accepted becomes one line.

    Settings that are None come from the environment, or are the defaults.
    """
    with require_extra("web"):
        from smallchange.server.settings import BadSetting, choose_games, settings

        try:
            found = settings(**{name: value for name, value in given.items() if value is not None})
            choose_games(found)
            yield found
        except BadSetting as wrong:
            raise click.ClickException(f"a setting is not accepted: {wrong}") from wrong
