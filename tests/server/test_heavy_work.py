"""Work that takes long is done one piece at a time for an address, and stopping does not wait for it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.heavy_work import MAX_OF_ADDRESS, MAX_OPEN, HeavyWork, asking_address

from .serving import TIMEOUT_S, Person, serving


async def ask(heavy: HeavyWork, address: str, work: Callable[[], object]) -> object:
    """Ask for work from this address."""
    asking_address.set(address)
    return await heavy.do(work)


def begin(heavy: HeavyWork, address: str, work: Callable[[], object]) -> asyncio.Task[object]:
    return asyncio.create_task(ask(heavy, address, work))


def hold(begun: threading.Event, end: threading.Event) -> None:
    """Work until the end."""
    begun.set()
    end.wait(TIMEOUT_S)


async def wait_for(event: threading.Event) -> None:
    while not event.is_set():
        await asyncio.sleep(0)


def run(trial: Callable[[HeavyWork, threading.Event], Awaitable[None]]) -> None:
    """Run a trial whose work waits for the event, and let it end."""
    end = threading.Event()

    async def whole() -> None:
        await asyncio.wait_for(trial(HeavyWork(), end), TIMEOUT_S)

    try:
        asyncio.run(whole())
    finally:
        end.set()


def test_an_address_waits_for_itself_and_another_does_not() -> None:
    async def trial(heavy: HeavyWork, end: threading.Event) -> None:
        first, second = threading.Event(), threading.Event()
        slow = begin(heavy, "one", lambda: hold(first, end))
        await wait_for(first)
        waits = begin(heavy, "one", second.set)
        assert await ask(heavy, "two", lambda: "answer") == "answer"
        assert not second.is_set()
        end.set()
        await asyncio.gather(slow, waits)
        assert second.is_set()

    run(trial)


def test_what_waits_has_a_bound_for_an_address_and_for_all() -> None:
    async def trial(heavy: HeavyWork, end: threading.Event) -> None:
        tasks = [begin(heavy, "one", lambda: end.wait(TIMEOUT_S)) for _ in range(MAX_OF_ADDRESS)]
        await asyncio.sleep(0)
        with pytest.raises(Refused) as own:
            await ask(heavy, "one", lambda: None)
        assert own.value.code is ErrorCode.RATE_LIMIT
        tasks += [begin(heavy, str(i), lambda: end.wait(TIMEOUT_S)) for i in range(MAX_OPEN - len(tasks))]
        await asyncio.sleep(0)
        with pytest.raises(Refused) as full:
            await ask(heavy, "another", lambda: None)
        assert full.value.code is ErrorCode.BUSY
        end.set()
        await asyncio.gather(*tasks)
        assert await ask(heavy, "one", lambda: 1) == 1

    run(trial)


def test_stopping_waits_for_no_work() -> None:
    async def trial(heavy: HeavyWork, end: threading.Event) -> None:
        begun = threading.Event()
        works = begin(heavy, "one", lambda: hold(begun, end))
        waits = begin(heavy, "one", lambda: None)
        await wait_for(begun)
        heavy.close()
        for task in (works, waits):
            with pytest.raises(Refused) as refused:
                await task
            assert refused.value.code is ErrorCode.SHUTTING_DOWN

    run(trial)


def test_a_server_stops_though_a_record_is_still_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, end = threading.Event(), threading.Event()
    monkeypatch.setattr("smallchange.core.record.verify", lambda text: hold(begun, end))
    answers = []
    with serving(tmp_path) as served, Person(served) as ann:
        asking = threading.Thread(
            target=lambda: answers.append(ann.web.post("/api/verify", content="x").status_code)
        )
        asking.start()
        assert begun.wait(TIMEOUT_S)
        since = time.monotonic()
        served.stop()
        assert time.monotonic() - since < TIMEOUT_S / 10
        asking.join()
    end.set()
    assert answers == [503]
