"""Presses: forms and calls that create something, each done once, however often and to which process it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from cachetools import TTLCache
from sqlalchemy import Connection, delete, select, text, update
from starlette.responses import RedirectResponse, Response

from smallchange.server.database import schema
from smallchange.server.database.role import Tables
from smallchange.server.web.background_tasks import SingleFlight
from smallchange.server.web.errors import ErrorCode, Refused

MAX_PRESSED = 1_000  # answers that are kept here for another press
PRESSED_MS = 60_000  # for which another press has the first answer
LOOK_S, LOOKS = 0.25, 40  # between looks for the answer of another process, and how many
FIRST_ERROR = 400
SHOWN = "-"  # in place of where an answer leads: it was a page, which is not stored
_CLAIM = text(
    "INSERT INTO press (key, at, location) VALUES (:key, :at, NULL) ON CONFLICT (key) DO UPDATE "
    "SET at = excluded.at, location = NULL WHERE abs(press.at - excluded.at) > :kept"
)


class Presses:
    """The presses of this process, and their rows, which all processes share."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._running = SingleFlight[str, Response]()
        self._answered: TTLCache[str, Response] = TTLCache(MAX_PRESSED, PRESSED_MS / 1000)

    async def once(self, key: str, answer: Callable[[], Awaitable[Response]]) -> Response:
        """Return the answer, or that of the first press with this key. A refusal may be tried again."""
        if not key:
            return await answer()
        found = self._answered.get(key)
        if found is None:
            found = await self._running.do(key, lambda: self._claim(key, answer))
            if found.status_code < FIRST_ERROR:
                self._answered[key] = found
        again = Response(found.body, found.status_code)
        again.raw_headers = [*found.raw_headers]  # whatever sends an answer adds to its headers
        return again

    async def _claim(self, key: str, answer: Callable[[], Awaitable[Response]]) -> Response:
        """Answer, unless another process does so or has done so."""
        store = self._tables.store
        claim = {"key": key, "at": self._tables.now(), "kept": PRESSED_MS}
        for _ in range(LOOKS):
            if await store.write("", lambda c: c.execute(_CLAIM, claim).rowcount == 1):
                return await self._answer(key, answer)
            location = await store.read(lambda c: _location(c, key))
            if location == SHOWN:
                raise Refused(ErrorCode.DONE_ALREADY)
            if location:
                return RedirectResponse(location, 303)
            await asyncio.sleep(LOOK_S)
        raise Refused(ErrorCode.BUSY)

    async def _answer(self, key: str, answer: Callable[[], Awaitable[Response]]) -> Response:
        """Answer, and store where that leads; forget the press where nothing was done, or a cookie alone given."""
        row = schema.press.c.key == key
        forget = delete(schema.press).where(row)
        try:
            found = await answer()
        except BaseException:
            with suppress(Refused):
                await self._tables.store.write("", lambda c: c.execute(forget))
            raise
        is_kept = found.status_code < FIRST_ERROR and "set-cookie" not in found.headers
        keep = update(schema.press).where(row).values(location=found.headers.get("location", SHOWN))
        with suppress(Refused):
            await self._tables.store.write("", lambda c: c.execute(keep if is_kept else forget))
        return found


def _location(connection: Connection, key: str) -> str | None:
    """Return where the answer of a press leads; None while there is none."""
    return connection.execute(select(schema.press.c.location).where(schema.press.c.key == key)).scalar()
