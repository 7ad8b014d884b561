"""A real server on loopback, and people with real cookies who talk to it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import secrets
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, Self

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from smallchange.server.app import app
from smallchange.server.database.bus import MemoryBus
from smallchange.server.serve import Server, config, listen, loop_factory
from smallchange.server.services import Services
from smallchange.server.settings import Settings
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.model.events import columns

TIMEOUT_S = 300.0  # seconds after which something that never comes fails a test
SETTINGS: dict[str, Any] = {
    "host": "127.0.0.1",
    "port": 0,
    "arena_pace": 0,
    "playing": 10_000,
    "watching": 10_000,
    "pages": 100_000,
    "connections": 10_000,
    "new_tables": 10_000,
    "listed_tables": 10_000,
    "sign_ups": 10_000,
    "sign_ins": 10_000,
}


class Served:
    """A running server: its `url`, its `hub`, and a way to run something in its loop."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.security = app(settings)
        self._listening = listen(settings)
        self.port = self._listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._server = Server(config(settings, self.security), self.security)
        self._up = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        assert self._up.wait(TIMEOUT_S)

    @property
    def services(self) -> Services:
        services: Services = self.security.app.state.services
        return services

    def call(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(TIMEOUT_S)

    def live_table(self, id: str) -> LiveTable:
        live_table: LiveTable = self.call(self.services.tables.live.table(id))
        return live_table

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(TIMEOUT_S)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        serving = asyncio.create_task(self._server.serve([self._listening]))
        while not self._server.started and not serving.done():
            await asyncio.sleep(0.005)
        self._up.set()
        await serving


@contextlib.contextmanager
def serving(folder: Path, bus: str = "", **settings: Any) -> Iterator[Served]:
    """Yield a server on a database in this folder. With the bus "memory://" it hears no other process."""
    chosen = SETTINGS | {"database": f"sqlite:///{folder / 'tables.db'}"} | settings
    with pytest.MonkeyPatch.context() as patched:
        if bus:
            patched.setattr("smallchange.server.app.bus_for", lambda database: MemoryBus())
        served = Served(Settings(**chosen))
    try:
        yield served
    finally:
        served.stop()


class Person:
    """Somebody with a browser's cookies, who speaks by forms and by socket."""

    def __init__(self, served: Served, **headers: str) -> None:
        self.served = served
        self.web = httpx.Client(base_url=served.url, timeout=TIMEOUT_S, headers=headers)
        self.web.get("/about")  # which gives the cookie

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.web.close()

    def post(self, path: str, **fields: Any) -> httpx.Response:
        """Post a form."""
        return self.web.post(path, data=fields)

    def open(self, game: str = "dodgem", **fields: Any) -> str:
        """Return a new table's id, one where the deal itself does not end the game."""
        while True:
            answer = self.post(f"/games/{game}", **fields)
            while "/deal/" in answer.headers.get("location", "") or answer.status_code == 202:
                answer = self.web.get(answer.headers.get("location") or str(answer.url))
            assert answer.status_code == 303, answer.text
            id = str(answer.headers["location"].removeprefix("/m/"))
            if self.served.live_table(id).history.ending is None:
                return id

    def command(self, id: str, kind: str, ply: int, /, **fields: Any) -> httpx.Response:
        return self.post(f"/m/{id}/{kind}", **({"ply": ply, "move": fresh()} | fields))

    def page(self, id: str) -> str:
        answer = self.web.get(f"/m/{id}")
        assert answer.status_code == 200, answer.text
        return answer.text

    def invite(self, id: str) -> str:
        """Return the path of the join link that the page shows."""
        found = re.search(r"/j/[a-z0-9]+", self.page(id))
        assert found, "the page shows no join link"
        return found[0]

    def socket(self, **headers: str) -> ClientConnection:
        cookies = "; ".join(f"{name}={value}" for name, value in self.web.cookies.items())
        given = {"Cookie": cookies, "Origin": self.served.url} | headers
        return connect(
            self.served.url.replace("http", "ws") + "/ws",
            additional_headers=given,
            max_size=None,
            open_timeout=TIMEOUT_S,
        )


def hear(socket: ClientConnection, *kinds: str) -> dict[str, Any]:
    """Return the next message of one of these kinds, without its time, others left aside."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(TIMEOUT_S))
        assert message.pop("now") > 0
        if message["is"] in kinds:
            return message


def say(socket: ClientConnection, **message: Any) -> None:
    socket.send(json.dumps(message))


def fresh() -> str:
    """Return a new move id."""
    return secrets.token_hex(8)


def stored_events(served: Served, id: str) -> list[tuple[int, int, int, str | None]]:
    """Return a table's events as they are in the database, without their times."""
    history = served.call(served.services.tables.store.load(id))
    return [columns(event)[:4] for event in history.events]
