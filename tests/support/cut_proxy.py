"""A network between a page and the server that is cut at a chosen frame, and stays cut until it is mended; or
that swallows what is said without a sign."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable
from typing import Self

BEFORE = "before the frame comes to the server"
AFTER = "right after the frame"
UNHEARD = "before the first answer"
DURING = "in the middle of the first answer"
BETWEEN = "between the first answer and the second"
TIMEOUT_S = 120.0  # seconds after which something that never comes fails a test
TEXT = 1  # the opcode

Writer = asyncio.StreamWriter
Copy = Callable[[asyncio.StreamReader, Writer], Awaitable[None]]


class Cable:
    """Carries bytes between its own port and that of the server. Frames are counted when they are text and go
    to the server."""

    def __init__(self, server: int) -> None:
        self._server = server
        self.planned: list[int] = []
        self._how = BEFORE
        self._frames = 0  # the number of the frame to cut at, counted down, 0 for none
        self._answers = 0  # the same for the answers
        self._whole = True
        self._cut = threading.Event()
        self._ends: set[Writer] = set()
        self._swallowed: set[Writer] = set()
        self._hole = False
        self._joins: set[asyncio.Task[None] | None] = set()
        self._up = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._up.wait(TIMEOUT_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(TIMEOUT_S)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut_at(self, how: str, *frames: int) -> None:
        """Cut at the frame with this number, counted from 1 and from now; once mended, at the next of them
        counted from then."""
        self._how, self.planned = how, list(frames)
        self.mend()

    def cut_at_news(self, how: str, *frames: int) -> None:
        """Cut at the next text from the server, as at a first answer, or right after it; then as above."""
        self._how, self.planned, self._answers = how, list(frames), 1

    def cut_now(self) -> None:
        """Cut now."""
        self._loop.call_soon_threadsafe(self._sever)
        self.wait()

    def swallow(self) -> None:
        """From now on nothing comes through and nothing is closed; what is open now stays like that, what is
        opened once this is mended does not."""
        done = threading.Event()

        def begin() -> None:
            self._hole = True
            self._swallowed |= self._ends
            done.set()

        self._loop.call_soon_threadsafe(begin)
        assert done.wait(TIMEOUT_S)

    def wait(self) -> None:
        """Wait until it is cut."""
        assert self._cut.wait(TIMEOUT_S), "never cut"

    def mend(self) -> None:
        self._cut.clear()
        self._frames = self.planned.pop(0) if self.planned else 0
        self._whole, self._hole = True, False

    async def _run(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        listening = await asyncio.start_server(self._join, "127.0.0.1", 0)
        self.port = listening.sockets[0].getsockname()[1]
        self._up.set()
        await self._over.wait()
        listening.close()
        self._sever()
        await asyncio.gather(*filter(None, self._joins))

    async def _join(self, page: asyncio.StreamReader, to_page: Writer) -> None:
        self._joins.add(asyncio.current_task())
        server, to_server = await asyncio.open_connection("127.0.0.1", self._server)
        ends = {to_page, to_server}
        self._ends |= ends
        if self._hole:
            self._swallowed |= ends
        if self._whole:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                head = await page.readuntil(b"\r\n\r\n")
                self._write(to_server, head)
                framed = b"upgrade: websocket" in head.lower()
                up, down = (self._frames_up, self._frames_down) if framed else (self._copy, self._copy)
                await _either(up(page, to_server), down(server, to_page))
        self._ends -= ends
        for end in ends:
            end.close()

    async def _frames_up(self, page: asyncio.StreamReader, to_server: Writer) -> None:
        while True:
            frame = await _frame(page)
            here = _is_text(frame) and self._frames == 1
            self._frames -= _is_text(frame) and self._frames > 0
            if here and self._how == BEFORE:
                return self._sever()
            if here:
                self._answers = {AFTER: 0, BETWEEN: 2}.get(self._how, 1)
            self._write(to_server, frame)
            if here and self._how == AFTER:
                return self._sever()

    async def _frames_down(self, server: asyncio.StreamReader, to_page: Writer) -> None:
        self._write(to_page, await server.readuntil(b"\r\n\r\n"))
        while True:
            frame = await _frame(server)
            here = _is_text(frame) and self._answers == 1
            self._answers -= _is_text(frame) and self._answers > 0
            if here:
                to_page.write({DURING: frame[: len(frame) // 2], AFTER: frame}.get(self._how, b""))
                return self._sever()
            self._write(to_page, frame)

    async def _copy(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        while some := await reader.read(65536):
            self._write(writer, some)
            await writer.drain()

    def _write(self, end: Writer, some: bytes) -> None:
        if end not in self._swallowed:
            end.write(some)

    def _sever(self) -> None:
        """End all connections; bytes written before still arrive."""
        self._whole, self._frames, self._answers = False, 0, 0
        for end in self._ends:
            end.close()
        self._ends.clear()
        self._cut.set()


def _is_text(frame: bytes) -> bool:
    return frame[0] & 15 == TEXT


async def _frame(reader: asyncio.StreamReader) -> bytes:
    """Return a whole frame as it is on the line (RFC 6455, 5.2)."""
    head = await reader.readexactly(2)
    size = head[1] & 127
    long = await reader.readexactly({126: 2, 127: 8}.get(size, 0))
    masked = 4 if head[1] & 128 else 0
    return head + long + await reader.readexactly((int.from_bytes(long) if long else size) + masked)


async def _either(*ways: Awaitable[None]) -> None:
    """Wait until one of them ends."""
    tasks = [asyncio.ensure_future(way) for way in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
