"""The records of a server's finished matches, so that anybody can check its luck: `smallchange server dump`."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import click

from smallchange.core import record
from smallchange.core.atomic_files import replacing

from .options import FILE, check_replaced, count_text, report_write_errors, require_extra, write
from .server_settings import DATABASE, server_settings


@click.command()
@click.argument("file", type=FILE)
@DATABASE
def dump(file: Path, database: str | None) -> None:
    """Write the records of all finished matches to FILE, without names: one a line, in JSON.

    Publish FILE, and anybody can check the luck of the site: smallchange check --site FILE. The server may go on
    meanwhile, and its setting `dump` offers FILE on its page on fairness. Practice is left out, and so are games of a
    day whose deal is still sealed.
    """
    check_replaced(file, ".jsonl", "FILE")
    with server_settings(database=database) as settings:
        from smallchange.server.database.opening import CannotOpen, open_database

        try:
            with open_database(settings), report_write_errors(file), require_extra("lab"):
                written, former = asyncio.run(_write(file, settings.database))
        except CannotOpen as wrong:
            raise click.ClickException(str(wrong)) from wrong
    click.echo(f"{file}: {count_text(written, 'game')}")
    if former:
        click.echo(f"{count_text(former, 'game')} under former rules left out")


async def _write(file: Path, database: str) -> tuple[int, int]:
    """Write the records, and the tests of their throws beside them.

    Return the numbers of records written, and of those left out.
    """
    from smallchange.lab.fairness import ThrowCounts
    from smallchange.server.settings import tests_file
    from smallchange.server.table.storage.retention import site_records
    from smallchange.server.table.storage.store import Store

    store, counts, written, former = Store(database), ThrowCounts(), 0, 0
    await store.open()
    try:
        with replacing(file) as out:
            async for match in site_records(store, int(time.time() * 1000)):
                if match is None:
                    former += 1
                else:
                    out.write(record.to_json_text(match).encode())
                    counts.add_match(match)
                    written += 1
    finally:
        await store.close()
    write(tests_file(file), json.dumps({"games": written} | counts.test().to_json()).encode())
    return written, former
