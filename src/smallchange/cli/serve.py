"""The server."""

from __future__ import annotations

from typing import Any

import click


@click.command()
@click.option("--host", help="The address to listen on [default: 127.0.0.1].")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; 0 for any free one [default: 8765].")
@click.option(
    "--database", metavar="URL", help="sqlite:///FILE or postgresql://.. [default: the user's own SQLite]."
)
@click.option("--bus", metavar="URL", help="How several servers tell each other: postgresql:// or redis://.")
@click.option("--open/--no-open", "open_browser", default=True, show_default=True, help="Open a browser.")
def serve(open_browser: bool, **given: Any) -> None:
    """Serve all games to browsers: alone, against bots, or with a friend through a link.

    Each setting can also come from the environment, SMALLCHANGE_PORT=8080; docs/serve.md has them all.
    """
    try:
        from pydantic import ValidationError

        from smallchange.web.serve import run
        from smallchange.web.settings import Settings
    except ModuleNotFoundError as lacking:
        raise click.ClickException(
            f"serving needs {lacking.name}: pip install 'smallchange[web]'"
        ) from lacking
    try:
        settings = Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as wrong:
        faults = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in wrong.errors())
        raise click.ClickException(f"a setting is not accepted: {faults}") from wrong
    try:
        run(settings, open_browser)
    except OSError as wrong:
        raise click.ClickException(
            f"cannot listen on {settings.host}:{settings.port}: {wrong.strerror}"
        ) from wrong
