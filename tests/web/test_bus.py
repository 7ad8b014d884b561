"""A bus that is away is said once, and not asked again and again for ever."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from structlog.testing import capture_logs

from smallchange.web import bus as buses
from smallchange.web.bus import Notice, Redis


def test_a_bus_that_is_away_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buses, "RETRY", 0.001)
    with (
        capture_logs() as logs,
        ThreadPoolExecutor(1) as apart,
    ):  # the browser tests leave a loop running here
        apart.submit(asyncio.run, _called(8)).result()
    assert [entry["event"] for entry in logs] == ["the bus is away"]


async def _called(times: int) -> None:
    """A bus at a server that hangs up, until it has called so often."""
    called = asyncio.Semaphore(0)

    def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        called.release()
        writer.close()

    async def hear(_: Notice) -> None:
        raise AssertionError

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    bus = Redis(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    await bus.open(hear)
    for _ in range(times):
        await called.acquire()
    await bus.close()
    server.close()
