"""The server."""

from __future__ import annotations

import gc
from typing import Any

import click

from .options import WholeNumber
from .server_settings import server_settings


@click.command()
@click.option("--host", help="The address to listen on [default: 127.0.0.1].")
@click.option("--port", type=WholeNumber(0, 65535), help="The port; 0 for any free one [default: 8765].")
@click.option(
    "--database", metavar="URL", help="sqlite:///FILE or postgresql://.. [default: the user's own SQLite]."
)
@click.option("--open/--no-open", "open_browser", default=True, show_default=True, help="Open a browser.")
def serve(open_browser: bool, **given: Any) -> None:
    """Serve all games to browsers: alone, against bots, or with a friend through a link.

    Each setting can also come from the environment, SMALLCHANGE_PORT=8080; docs/serve.md has them all.
    """
    with server_settings(**given) as settings:
        gc.disable()  # what is imported stays: sweeps would find nothing; serving enables them
        from smallchange.server.database.opening import CannotOpen
        from smallchange.server.serve import CannotServe, run

        try:
            run(settings, open_browser)
        except (CannotOpen, CannotServe) as wrong:
            raise click.ClickException(str(wrong)) from wrong
