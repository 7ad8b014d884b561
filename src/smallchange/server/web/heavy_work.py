"""Work that takes long, in threads: one piece at a time for an address, a few for all. Stopping waits for none."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from queue import SimpleQueue
from typing import Any, TypeVar

from smallchange.server.web.errors import ErrorCode, Refused

THREADS = 2
MAX_OF_ADDRESS = 100  # that wait or run
MAX_OPEN = 400
RETRY_S = 3

T = TypeVar("T")
asking_address: ContextVar[str] = ContextVar(
    "asking_address", default=""
)  # that the present request came from


class Turns:
    """Turns for the work that requests ask for: one at a time for an address, `at_once` for all.

    >>> async def refused():
    ...     turns = Turns(1, max_open=1)
    ...     async with turns.turn(), turns.turn():
    ...         pass
    >>> asyncio.run(refused())
    Traceback (most recent call last):
    smallchange.server.web.errors.Refused: busy
    """

    def __init__(self, at_once: int, max_of_address: int = MAX_OF_ADDRESS, max_open: int = MAX_OPEN) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._max_of_address, self._max_open = max_of_address, max_open
        self._open: Counter[str] = Counter()
        self._locks: dict[str, asyncio.Lock] = {}

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn. Refuse where too many of this address wait (429), or of all (503)."""
        address = asking_address.get()
        if self._open.total() >= self._max_open:
            raise Refused(ErrorCode.BUSY, wait_s=RETRY_S)
        if self._open[address] >= self._max_of_address:
            raise Refused(ErrorCode.RATE_LIMIT, wait_s=RETRY_S)
        self._open[address] += 1
        try:
            async with self._locks.setdefault(address, asyncio.Lock()), self._free:
                yield
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address], self._locks[address]


class HeavyWork:
    """Threads for work that would hold up the event loop. `close` leaves what they are at to end with the process."""

    def __init__(self) -> None:
        self._turns = Turns(THREADS)
        self._asked = SimpleQueue[tuple[Callable[[], Any], "asyncio.Future[Any]"]]()
        self._running = set["asyncio.Future[Any]"]()
        self._threads = 0
        self._closed = False

    async def do(self, work: Callable[..., T], *arguments: Any) -> T:
        """Return work(*arguments), in its turn. Refused where too much waits, or once the server stops."""
        async with self._turns.turn():
            if self._closed:
                raise Refused(ErrorCode.SHUTTING_DOWN)
            done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
            self._running.add(done)
            done.add_done_callback(self._running.discard)
            if self._threads < len(self._running):
                self._threads += 1
                threading.Thread(target=self._work, name="heavy", daemon=True).start()
            self._asked.put((lambda: work(*arguments), done))
            return await done

    def _work(self) -> None:
        while True:
            work, done = self._asked.get()
            try:
                answer: tuple[Callable[[Any], None], Any] = done.set_result, work()
            except Exception as wrong:
                answer = done.set_exception, wrong
            with contextlib.suppress(RuntimeError):  # the loop has ended
                done.get_loop().call_soon_threadsafe(_tell, done, *answer)

    def close(self) -> None:
        """Refuse the work that waits or is under way."""
        self._closed = True
        for done in list(self._running):
            _tell(done, done.set_exception, Refused(ErrorCode.SHUTTING_DOWN))


def _tell(done: asyncio.Future[Any], tell: Callable[[Any], None], answer: Any) -> None:
    if not done.done():
        tell(answer)
