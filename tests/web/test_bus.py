"""A bus that is away is said once, and not asked again and again for ever."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from structlog.testing import capture_logs

from smallchange.web import bus as buses
from smallchange.web.bus import Notice, Postgres, Redis, Remote

from .serving import PATIENCE


@pytest.mark.parametrize(("cut", "said"), [(1, []), (8, ["the bus is away"])])
def test_a_bus_that_is_away_is_said_once_and_a_line_that_is_cut_once_is_none(
    cut: int, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sends finds out late that the line was cut, when it is there again."""
    monkeypatch.setattr(buses, "RETRY", 0.001)
    with (
        capture_logs() as logs,
        ThreadPoolExecutor(1) as apart,
    ):  # the browser tests leave a loop running here
        apart.submit(asyncio.run, _called(cut)).result()
    assert [entry["event"] for entry in logs] == said


async def _called(cut: int) -> None:
    """A bus at a server that hangs up so often, until it has called once more."""
    calls: list[asyncio.StreamWriter] = []
    called = asyncio.Event()

    def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        calls.append(writer)
        if len(calls) > cut:
            called.set()
        else:
            writer.close()

    async def hear(_: Notice) -> None:
        raise AssertionError

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    bus = Redis(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    await bus.open(hear)
    await called.wait()
    await bus.close()
    server.close()
    calls[-1].close()


def test_a_bus_is_reached_by_whatever_url_reaches_the_database(database: str) -> None:
    unusual = database.replace("small@", "small:50%off@", 1)  # to libpq this is no URL
    with ThreadPoolExecutor(1) as apart:
        heard = apart.submit(asyncio.run, _told(Postgres(unusual), Postgres(database))).result()
    assert heard == Notice("table", 1)


async def _told(teller: Remote, listener: Remote) -> Notice:
    """What one hears of what the other says; it may not listen yet when that is said first."""
    found: asyncio.Queue[Notice] = asyncio.Queue()
    for bus in (teller, listener):
        await bus.open(found.put)
    try:
        async with asyncio.timeout(PATIENCE):
            while found.empty():
                await teller.publish(Notice("table", 1))
                await asyncio.sleep(0.05)
    finally:
        for bus in (teller, listener):
            await bus.close()
    return found.get_nowait()._replace(sender="")
