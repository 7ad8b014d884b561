"""Play roles beside servers: `smallchange work`."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Sequence

import structlog

from smallchange.server.database.bus import bus_for
from smallchange.server.meeting.pairing_worker import PAIRER, PairingWorker
from smallchange.server.notifications.notifier import NOTIFIER, Notifier, import_senders
from smallchange.server.ratings.rating_worker import RATER, RatingWorker
from smallchange.server.serve import CannotServe, loop_factory, prepare_database, write_log
from smallchange.server.settings import POSTGRESQL_SCHEMES, Settings, read_url
from smallchange.server.table.bot_workers import BotWorkers
from smallchange.server.table.clock_worker import CLOCK, ClockWorker
from smallchange.server.table.new_tables import random_id
from smallchange.server.table.store import Store
from smallchange.server.table.table_service import TableService
from smallchange.server.tournaments.director import DIRECTOR, Director

ROLES = (CLOCK, RATER, PAIRER, NOTIFIER, DIRECTOR)
log = structlog.get_logger("work")


def run(settings: Settings, roles: Sequence[str] = ROLES) -> None:
    """Play these roles until SIGINT or SIGTERM. Raises BadSetting or CannotServe."""
    scheme = read_url("database", "postgresql://..", settings.database).drivername
    if scheme not in POSTGRESQL_SCHEMES:
        raise CannotServe("an SQLite file is for one process, and `smallchange serve` plays all roles there")
    if settings.site:
        import_senders(bool(settings.mail_server))
    write_log(settings)
    prepare_database(settings.database)
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(work(settings, roles))


async def work(settings: Settings, roles: Sequence[str]) -> None:
    """Play these roles until the process is told to stop."""
    store, bus = Store(settings.database), bus_for(settings.bus, settings.database)
    await store.open()
    bots = None
    if DIRECTOR in roles:  # bots play each other though nobody watches
        bots = BotWorkers(settings.bot_workers, settings.bot_seconds, settings.bot_simulations or None)
    tables = TableService(store, bus, bots)
    await tables.open()
    workers = {
        CLOCK: ClockWorker(tables, random_id(12), serves=False).run,
        RATER: RatingWorker(tables, random_id(12)).run,
        NOTIFIER: Notifier(tables, settings, random_id(12)).run,
        PAIRER: PairingWorker(tables, random_id(12)).run,
        DIRECTOR: Director(tables, random_id(12)).run,
    }
    playing = asyncio.gather(*(workers[role]() for role in roles))
    for name in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # on Windows
            asyncio.get_running_loop().add_signal_handler(name, playing.cancel)
    log.info("working", roles=",".join(roles))
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await playing
    finally:
        await tables.close()
        await store.close()
