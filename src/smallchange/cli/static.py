"""The command that writes a folder which plays without a server: `smallchange static`."""

from __future__ import annotations

from pathlib import Path

import click

from .options import refuse, require_extra


@click.command()
@click.option(
    "-o",
    "--out",
    "folder",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write.",
)
@click.option(
    "--runtime",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with the npm package pyodide; without it npm fetches it once.",
)
def static(folder: Path, runtime: Path | None) -> None:
    """Write a folder of files that plays all games in the browser, without a server.

    Any host of files can serve it, below any path; after the first visit it needs no connection. Python comes along, as
    WebAssembly: nothing is asked of anybody else.
    """
    with require_extra("play"):
        from smallchange.server.offline.folder import build
        from smallchange.server.offline.runtime import NoRuntime
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "service_worker.js").is_file():
        refuse(folder, "is there already, and holds something else", "-o")
    try:
        files = build(folder, runtime)
    except NoRuntime as wrong:
        raise click.ClickException(str(wrong)) from wrong
    size = sum(file.stat().st_size for file in files) / 1e6
    click.echo(f"{folder}: {len(files)} files, {size:.1f} MB")
