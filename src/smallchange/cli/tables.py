"""The tables of a server: the contents of its database, and the removal of abandoned matches."""

from __future__ import annotations

import time

import click

from .options import WholeNumber, json_flag, print_json
from .server_settings import DATABASE, server_settings

DAYS = WholeNumber(1, 36_500)
MEANINGS = {
    "over": "over: never removed",
    "running": "running",
    "unstarted": "abandoned: nobody has moved, for {unstarted} days",
    "idle": "abandoned: no move for {idle} days",
}


@click.command()
@DATABASE
@click.option(
    "--unstarted-days",
    type=DAYS,
    default=30,
    show_default=True,
    help="Days after which a table where nobody has moved counts as abandoned.",
)
@click.option(
    "--idle-days",
    type=DAYS,
    default=365,
    show_default=True,
    help="Days after which a match in which nobody moves any more counts as abandoned.",
)
@click.option("--remove", "removes", is_flag=True, help="Remove abandoned tables, and compact the database.")
@json_flag
def tables(database: str | None, unstarted_days: int, idle_days: int, removes: bool, as_json: bool) -> None:
    """Show which tables a server's database holds, and how many of them were abandoned; remove those.

    Matches that are over always stay, with their records. So do tables whose clock runs, and tables from which others
    were forked. The server may go on meanwhile. Without --remove nothing is changed.
    """
    with server_settings(database=database) as settings:
        from smallchange.server.database.opening import CannotOpen
        from smallchange.server.table.storage.retention import Age, remove, survey

        age, now_ms = Age(unstarted_days, idle_days), int(time.time() * 1000)
        try:
            removal = remove(settings, age, now_ms) if removes else None
            held = survey(settings, age, now_ms)
        except CannotOpen as wrong:
            raise click.ClickException(str(wrong)) from wrong
    if as_json:
        kinds = [holding._asdict() for holding in held.holdings]
        removed = removal and removal._asdict()
        print_json({"bytes": held.size_bytes, "tables": kinds, "removed": removed})
        return
    for holding in held.holdings:
        meaning = MEANINGS[holding.kind].format(unstarted=unstarted_days, idle=idle_days)
        click.echo(f"{holding.tables:10,} tables {holding.events:12,} events  {meaning}")
    click.echo(f"The database takes {held.size_bytes:,} bytes.")
    if removal is None:
        click.echo("Nothing was changed; --remove removes abandoned tables.")
        return
    click.echo(f"Removed {removal.tables:,} tables, and {removal.leftovers:,} old challenges and counters.")
    if not removal.compacted:
        click.echo(
            "A server has the file open and will use the room; run this again without it for a smaller file."
        )
