"""Running the server: the embedded one of `smallchange serve`, and any other on the same settings."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import structlog
import uvicorn

from .app import app
from .guard import Guard
from .settings import Settings
from .wire import FRAME

log = structlog.get_logger("serve")
PATIENCE = 5  # seconds that a stop waits for open requests


class Server(uvicorn.Server):
    """Tells the tables before it stops."""

    def __init__(self, config: uvicorn.Config, guard: Guard) -> None:
        super().__init__(config)
        self._guard = guard

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """SIGINT and SIGTERM end the serving, and nothing more: a stop that was asked for is no failure."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {
            number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        hub = getattr(self._guard.app.state, "hub", None)
        if hub is not None:
            await hub.say_closing()
        await super().shutdown(sockets)


def run(settings: Settings, open_browser: bool = False) -> None:
    """Serve until told to stop (SIGINT or SIGTERM). Raises OSError if the address cannot be had."""
    write_log(settings)
    make_folder(settings.database)
    listening = listen(settings)
    host, port = listening.getsockname()[:2]
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host
    url = f"http://{shown}:{port}/"
    guard = app(settings)
    server = Server(config(settings, guard), guard)
    print(f"Small Change is at {url} (Ctrl-C stops it; nothing is lost)", flush=True)

    async def serve() -> None:
        gc.freeze()  # what was imported stays; tables free themselves, so whole sweeps can be rare
        gc.set_threshold(50_000, 20, 50)
        opening = asyncio.create_task(_open_when_ready(server, url)) if open_browser else None
        await server.serve([listening])
        if opening is not None:
            opening.cancel()

    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(serve())


def config(settings: Settings, guard: Guard) -> uvicorn.Config:
    return uvicorn.Config(
        guard,
        http="httptools",
        ws="websockets-sansio",
        ws_max_size=FRAME,
        ws_per_message_deflate=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies or None,
        server_header=False,
        log_config=None,
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=PATIENCE,
    )


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:  # not on every platform
        return None
    made: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return made


def listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((settings.host, settings.port))
    return listening


def make_folder(database: str) -> None:
    parts = urlsplit(database)
    if parts.scheme.startswith("sqlite") and len(parts.path) > 1:
        Path(parts.path[1:]).parent.mkdir(parents=True, exist_ok=True)


async def _open_when_ready(server: uvicorn.Server, url: str) -> None:
    while not server.started:
        await asyncio.sleep(0.02)
    await asyncio.to_thread(webbrowser.open, url)


def write_log(settings: Settings) -> None:
    """One line an event, to standard error; uvicorn's and ours alike."""
    last: list[Any] = [structlog.dev.ConsoleRenderer(colors=False)]
    if settings.log == "json":
        last = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.processors.TimeStamper(fmt="iso"), *last],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")
