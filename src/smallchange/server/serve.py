"""Run the server: for `smallchange serve`, for any other start with the same settings, and roles beside servers."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import FrameType
from typing import Any

import structlog
import uvicorn

from smallchange.core.game_places import incomplete_games
from smallchange.server.app import app
from smallchange.server.database.bus import bus_for
from smallchange.server.database.opening import lock_database, open_database, prepare_database
from smallchange.server.database.role import RoleName, missing_roles
from smallchange.server.meeting.seeking import PairingWorker
from smallchange.server.notifications.outbox import Notifier, import_senders
from smallchange.server.ratings.service import RatingWorker
from smallchange.server.services import Services, table_service
from smallchange.server.settings import POSTGRESQL_SCHEMES, Settings, choose_games, read_url, trusted_proxies
from smallchange.server.table.http.messages import MAX_MESSAGE_BYTES
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.clock_worker import ClockWorker
from smallchange.server.table.live.table_service import now_ms
from smallchange.server.table.storage.retention import Cleaner
from smallchange.server.table.storage.store import Store
from smallchange.server.tournaments.director import Director
from smallchange.server.web.background_tasks import play
from smallchange.server.web.limits import SparseFilter
from smallchange.server.web.security import SecurityMiddleware
from smallchange.server.web.transport import HttpTransport, WebSocketTransport, raise_file_limit

log = structlog.get_logger("serve")
SHUTDOWN_GRACE_S = 5  # for open requests
MAX_HEAD_BYTES = 16 * 1024  # of a request besides its body; the event loop reads it, and a piece more gets in
DRAIN_LOOK_S = 0.1  # between looks whether a drain was cut short
THREAD_SWITCH_S = 0.0001  # so that the threads of the database do not wait for a busy event loop


class CannotServe(RuntimeError):
    """The server cannot start. The error gives the reason in one line."""


class Server(uvicorn.Server):
    """A uvicorn server that notifies all connections before it stops, and calls `ready` once it serves.

    After SIGTERM it goes on for the setting `drain_seconds`, in which a proxy finds out that it stops.
    """

    _drains = False

    def __init__(
        self,
        config: uvicorn.Config,
        application: SecurityMiddleware,
        ready: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(config)
        self._application = application
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop serving at SIGINT, SIGTERM and SIGHUP, without a failure."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
        before = {name: signal.signal(signal.Signals[name], self.handle_exit) for name in names}
        try:
            yield
        finally:
            for name, handler in before.items():
                signal.signal(signal.Signals[name], handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._drains = sig == signal.SIGTERM and not self.should_exit  # a second signal cuts it short
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        services = getattr(self._application.app.state, "services", None)
        if services is not None:
            await self._drain(services)
            await services.announce_shutdown()
        await super().shutdown(sockets)

    async def _drain(self, services: Services) -> None:
        """Serve on while the proxy sends new requests elsewhere. No connection is kept for another request."""
        services.draining = self._application.gate.draining = True
        end_s = time.monotonic() + services.settings.drain_seconds
        while self._drains and time.monotonic() < end_s:
            await asyncio.sleep(DRAIN_LOOK_S)


def run(settings: Settings, open_browser: bool = False) -> None:
    """Serve until SIGINT or SIGTERM. Raise BadSetting, CannotOpen or CannotServe."""
    sys.setswitchinterval(THREAD_SWITCH_S)
    raise_file_limit()
    choose_games(settings)
    write_log(settings)
    for id, why in incomplete_games().items():
        log.warning("a game is left out", game=id, why=why)
    application = app(settings)
    with lock_database(settings):
        prepare_database(settings.database)
        _serve(settings, application, open_browser)


def _serve(settings: Settings, application: SecurityMiddleware, open_browser: bool) -> None:
    """Serve on a socket of these settings until the server is stopped."""
    listening = listen(settings)
    url = address(listening) + settings.path_prefix.removeprefix("/")
    url += "/" * (not url.endswith("/"))

    def ready() -> None:
        with contextlib.suppress(OSError):  # nobody reads the output
            print(f"Small Change is at {url} (Ctrl-C stops it; nothing is lost)", flush=True)
        if open_browser:
            asyncio.get_running_loop().run_in_executor(None, webbrowser.open, url)

    server = Server(config(settings, application), application, ready)

    async def serve() -> None:
        # Imported objects stay, and tables are freed without the garbage collector, so its sweeps can be rare.
        # A sweep visits the drawings of all recent tables: 0.1 s for a thousand, in which all requests wait.
        gc.freeze()
        gc.set_threshold(500_000, 10, 20)
        gc.enable()  # after the imports of `smallchange serve`
        await server.serve([listening])

    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(serve())


def config(settings: Settings, application: SecurityMiddleware) -> uvicorn.Config:
    """Return the configuration of uvicorn for these settings."""
    return uvicorn.Config(
        application,
        http=partial(HttpTransport, gate=application.gate),  # type: ignore[arg-type]
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        ws=partial(WebSocketTransport, gate=application.gate),  # type: ignore[arg-type]
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=trusted_proxies(settings.proxies) or None,
        server_header=False,
        log_config=None,
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=SHUTDOWN_GRACE_S,
    )


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the event loop of uvloop where it is installed, else None."""
    try:
        import uvloop
    except ImportError:  # not on every platform
        return None
    made: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return made


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens on the host and port of the settings. Raise CannotServe."""
    host = settings.host.removeprefix("[").removesuffix("]")  # as a URL has an address of IPv6
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # else asyncio leaves Nagle on
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, settings.port))
    except (OSError, TypeError) as wrong:  # the second for a host that is no name at all
        listening.close()
        reason = getattr(wrong, "strerror", wrong)
        raise CannotServe(f"cannot listen on {settings.host}:{settings.port}: {reason}") from wrong
    return listening


def address(listening: socket.socket) -> str:
    """Return the URL at which this socket is reached."""
    host, port = listening.getsockname()[:2]
    if host in ("127.0.0.1", "0.0.0.0", "::"):
        host = "localhost"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class LineLogger(structlog.PrintLogger):
    """A logger that writes lines. A line that cannot be written, because the disk is full, is lost alone."""

    def msg(self, message: str) -> None:
        with contextlib.suppress(OSError):
            super().msg(message)

    info = warning = error = exception = msg


def write_log(settings: Settings) -> None:
    """Log to standard error, one line for each event, for uvicorn and this package alike."""
    plain = structlog.dev.plain_traceback  # with rich installed the default shows local variables
    last: list[Any] = [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=plain)]
    if settings.log == "json":
        last = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    first: list[Any] = [structlog.processors.add_log_level, structlog.processors.TimeStamper(fmt="iso")]
    structlog.configure(
        processors=[*first, *last],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=lambda *_: LineLogger(sys.stderr),
        cache_logger_on_first_use=True,
    )
    # messages that uvicorn, asyncio and others send to Python's own logging
    others = logging.StreamHandler(sys.stderr)
    others.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*first, structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[others])
    logging.getLogger("uvicorn.error").addFilter(SparseFilter())


def missing_of(settings: Settings, roles: Sequence[str]) -> list[RoleName]:
    """Return those of these roles that no process has played for a while. Raise BadSetting or CannotOpen."""
    with open_database(settings) as opened, opened.connect() as connection:
        missing = missing_roles(connection, now_ms())
    return [role for role in missing if role in roles]


def run_roles(settings: Settings, roles: Sequence[str]) -> None:
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
        runner.run(work_roles(settings, roles))


async def work_roles(settings: Settings, roles: Sequence[str]) -> None:
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
    structlog.get_logger("work").info("working", roles=",".join(roles))
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await playing
    finally:
        following.cancel()
        await tables.close()
        await store.close()
