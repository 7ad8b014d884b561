"""Running the server: the embedded one of `smallchange serve`, and any other on the same settings."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import structlog
import uvicorn
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError

from .app import app
from .guard import Guard
from .incoming import Http, Socket
from .settings import Settings, parts
from .store.engine import Foreign, TooNew, engine, migrate, why
from .wire import FRAME

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

log = structlog.get_logger("serve")
PATIENCE = 5  # seconds that a stop waits for open requests


class CannotServe(RuntimeError):
    """Why there can be no server, in one line."""


class NotOurs(CannotServe):
    """The database is another program's."""


class Server(uvicorn.Server):
    """Tells the tables before it stops; `ready` is called once it serves."""

    def __init__(
        self, config: uvicorn.Config, guard: Guard, ready: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(config)
        self._guard = guard
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """SIGINT, SIGTERM and SIGHUP end the serving and nothing more: to be asked to stop is no failure."""
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

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        hub = getattr(self._guard.app.state, "hub", None)
        if hub is not None:
            await hub.say_closing()
        await super().shutdown(sockets)


def run(settings: Settings, open_browser: bool = False) -> None:
    """Serve until told to stop (SIGINT or SIGTERM). Raises BadSetting or CannotServe."""
    write_log(settings)
    guard = app(settings)
    with held(settings):
        make_ready(settings.database)
        _serve(settings, guard, open_browser)


def _serve(settings: Settings, guard: Guard, open_browser: bool) -> None:
    listening = listen(settings)
    url = address(listening)

    def ready() -> None:
        with contextlib.suppress(OSError):  # nobody reads it
            print(f"Small Change is at {url} (Ctrl-C stops it; nothing is lost)", flush=True)
        if open_browser:
            asyncio.get_running_loop().run_in_executor(None, webbrowser.open, url)

    server = Server(config(settings, guard), guard, ready)

    async def serve() -> None:
        # what was imported stays; tables free themselves, so sweeps can be rare: each goes through what was
        # drawn of every table lately, 0.1 s for a thousand, and everybody waits for it
        gc.freeze()
        gc.set_threshold(200_000, 10, 20)
        await server.serve([listening])

    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(serve())


def config(settings: Settings, guard: Guard) -> uvicorn.Config:
    return uvicorn.Config(
        guard,
        http=Http,
        ws=Socket,
        ws_max_size=FRAME,
        ws_per_message_deflate=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=_believed(settings.proxies) or None,
        server_header=False,
        log_config=None,
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=PATIENCE,
    )


def _believed(proxies: str) -> str:
    """The proxies, those of IPv4 also by the names that they have where `host` is ::."""
    named = parts(proxies)
    networks = [ip_network(part) for part in named if part != "*"]
    mapped = [f"::ffff:{net.network_address}/{96 + net.prefixlen}" for net in networks if net.version == 4]
    return ",".join([*named, *mapped])


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:  # not on every platform
        return None
    made: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return made


@contextlib.contextmanager
def held(settings: Settings) -> Iterator[None]:
    """With an SQLite file for this process alone, where it could not hear of what another does there. Raises
    CannotServe."""
    url = make_url(settings.database)
    if fcntl is None or url.drivername != "sqlite" or settings.bus not in ("", "memory://"):
        yield
        return
    lock = Path(f"{os.path.realpath(str(url.database))}.lock")  # one, by whatever link it is named
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        made = not lock.exists()
        opened = lock.open("ab")  # as it is, should it be another's
    except OSError as wrong:
        raise CannotServe(f"cannot make {wrong.filename}: {wrong.strerror}") from wrong
    with opened as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as wrong:
            raise CannotServe(f"another server has {url.database} open: an SQLite file is for one") from wrong
        try:
            yield
        except NotOurs:  # nor will whoever else has just opened the lock serve it
            if made:
                lock.unlink(missing_ok=True)
            raise


def listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # else asyncio leaves Nagle on
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except (OSError, TypeError) as wrong:  # the second for a host that is no name at all
        listening.close()
        said = getattr(wrong, "strerror", wrong)
        raise CannotServe(f"cannot listen on {settings.host}:{settings.port}: {said}") from wrong
    return listening


def address(listening: socket.socket) -> str:
    """The URL that this socket is reached at."""
    host, port = listening.getsockname()[:2]
    if host in ("127.0.0.1", "0.0.0.0", "::"):
        host = "localhost"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def make_ready(database: str) -> None:
    """The database, made where it is a file that is not there yet, and up to date."""
    opened = engine(database)
    try:
        if opened.dialect.name == "sqlite" and opened.url.database:
            file = Path(opened.url.database)
            file.parent.mkdir(parents=True, exist_ok=True)
            if not file.exists():
                file.touch(
                    mode=0o600
                )  # it has the secrets of games in play; what SQLite puts beside it follows
        migrate(opened)
    except OSError as wrong:
        raise CannotServe(f"cannot make {wrong.filename}: {wrong.strerror}") from wrong
    except Foreign as wrong:
        url = opened.url.set(query={})
        raise NotOurs(f"the database {url!r} is another program's, and stays as it is") from wrong
    except TooNew as wrong:
        raise CannotServe("the database was made by a newer Small Change; update the program") from wrong
    except DBAPIError as wrong:
        raise CannotServe(f"cannot open the database {opened.url.set(query={})!r}: {why(wrong)}") from wrong
    finally:
        opened.dispose()


class Said(structlog.PrintLogger):
    """Lines in the log. One that it does not take, as the disk is full or the reader gone, is lost alone."""

    def msg(self, message: str) -> None:
        with contextlib.suppress(OSError):
            super().msg(message)

    info = warning = error = exception = msg


def write_log(settings: Settings) -> None:
    """One line an event, to standard error; uvicorn's and ours alike."""
    plain = structlog.dev.plain_traceback  # with rich installed the default shows local variables
    last: list[Any] = [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=plain)]
    if settings.log == "json":
        last = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    first: list[Any] = [structlog.processors.add_log_level, structlog.processors.TimeStamper(fmt="iso")]
    structlog.configure(
        processors=[*first, *last],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=lambda *_: Said(sys.stderr),
        cache_logger_on_first_use=True,
    )
    # what uvicorn, asyncio and the rest say by Python's own logging
    others = logging.StreamHandler(sys.stderr)
    others.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*first, structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[others])
