"""Play roles beside servers: `smallchange server work`."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Sequence

import structlog

from smallchange.server.database.bus import bus_for
from smallchange.server.database.opening import open_database, prepare_database
from smallchange.server.database.role import RoleName, missing_roles
from smallchange.server.meeting.pairing_worker import PairingWorker
from smallchange.server.notifications.outbox import Notifier, import_senders
from smallchange.server.ratings.service import RatingWorker
from smallchange.server.serve import CannotServe, loop_factory, write_log
from smallchange.server.services import table_service
from smallchange.server.settings import POSTGRESQL_SCHEMES, Settings, choose_games, read_url
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.clock_worker import ClockWorker
from smallchange.server.table.live.table_service import now_ms
from smallchange.server.table.storage.retention import Cleaner
from smallchange.server.table.storage.store import Store
from smallchange.server.tournaments.director import Director
from smallchange.server.web.background_tasks import play

log = structlog.get_logger("work")


def check(settings: Settings, roles: Sequence[str]) -> list[RoleName]:
    """Return those of these roles that no process has played for a while. Raise BadSetting or CannotOpen."""
    with open_database(settings) as opened, opened.connect() as connection:
        missing = missing_roles(connection, now_ms())
    return [role for role in missing if role in roles]


def run(settings: Settings, roles: Sequence[str]) -> None:
    """Play these roles until SIGINT or SIGTERM. Raise BadSetting, CannotOpen or CannotServe."""
    scheme = read_url("database", "postgresql://..", settings.database).drivername
    if scheme not in POSTGRESQL_SCHEMES:
        raise CannotServe("an SQLite file is for one process, and `smallchange serve` plays all roles there")
    if settings.site:
        import_senders(bool(settings.mail_server))
    choose_games(settings)
    write_log(settings)
    prepare_database(settings.database)
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(work(settings, roles))


async def work(settings: Settings, roles: Sequence[str]) -> None:
    """Play these roles until the process is told to stop."""
    store, bus = Store(settings.database), bus_for(settings.database)
    await store.open()
    following = asyncio.create_task(store.site.follow(store.read))
    bots = None
    if Director.name in roles:  # bots play each other though nobody watches
        bots = BotWorkers(settings.bot_workers, settings.bot_seconds, settings.bot_simulations or None)
    tables = table_service(store, bus, bots, pace_s=settings.arena_pace)
    await tables.open()
    workers = (
        ClockWorker(tables, serves=False),
        RatingWorker(tables),
        PairingWorker(tables),
        Notifier(tables, settings),
        Director(tables),
        Cleaner(tables),
    )
    playing = asyncio.gather(*(play(worker) for worker in workers if worker.name in roles))
    for name in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # on Windows
            asyncio.get_running_loop().add_signal_handler(name, playing.cancel)
    log.info("working", roles=",".join(roles))
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await playing
    finally:
        following.cancel()
        await tables.close()
        await store.close()
