"""Forms of the pages: how they are read, counted and refused, and done once however often they are sent."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from cachetools import TTLCache
from sqlalchemy import Connection, delete, select, text, update
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.server.database import schema
from smallchange.server.database.role import Tables
from smallchange.server.web.background_tasks import SingleFlight
from smallchange.server.web.errors import ErrorCode, Refused, headers_of, refusal_text
from smallchange.server.web.frame import whole_number
from smallchange.server.web.request_context import page_context, read_body
from smallchange.server.web.sessions import client_address, token_hash, visitor
from smallchange.server.web.view import error_page

if TYPE_CHECKING:
    from smallchange.server.services import Services

Fields = dict[str, list[str]]
MAX_FIELDS = 100
MAX_SHORT = 8 * 1024  # characters that are read at once
PRESS = "press"  # the field of a form that creates something: an id of its own, from the page
ADDED = "added"  # the field with the words that a browser adds anew at each press
PREFERENCE_PATHS = ("/lang", "/theme", "/settings")


async def refusal_page(request: Request, services: Services, wrong: Refused, fields: Fields) -> Response:
    """Return the page that says why a form was refused, with a way back to the form."""
    has_page = bool({"game", "code"} & request.path_params.keys()) and wrong.code.status != 404
    anew = request.url.path if has_page else ""
    context = replace(page_context(request), wrong=refusal_text(wrong), path=anew or "/")
    return HTMLResponse(error_page(refusal_text(wrong), context, anew), wrong.code.status, headers_of(wrong))


def form(
    act: Callable[[Request, Services, Fields], Awaitable[Response]],
    refuse: Callable[[Request, Services, Refused, Fields], Awaitable[Response]] = refusal_page,
) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a form. `refuse` answers a refusal."""

    @functools.wraps(act)
    async def respond(request: Request) -> Response:
        services: Services = request.app.state.services
        fields: Fields = {}
        try:
            fields = await read_form(request, services)
            key = press_key(request, fields)
            return await services.presses.once(key, lambda: act(request, services, fields))
        except Refused as wrong:
            return await refuse(request, services, wrong, fields)

    return respond


def press_key(request: Request, fields: Fields) -> str:
    """Return what is the same for each press of a form as it was drawn; "" for a form that creates nothing."""
    sent = sorted((name, values) for name, values in fields.items() if name != ADDED)
    key = token_hash(repr((visitor(request).hash, request.url.path, sent)))
    return key if field(fields, PRESS) else ""


async def read_form(request: Request, services: Services) -> Fields:
    """Return the fields of a form."""
    count_form(request, services)
    text = (await read_body(request, request.receive)).decode("utf-8", "replace")
    try:
        read = functools.partial(parse_qs, text, keep_blank_values=True, max_num_fields=MAX_FIELDS)
        fields = read() if len(text) < MAX_SHORT else await services.heavy.do(read)
    except ValueError as wrong:
        raise Refused(ErrorCode.BAD_MESSAGE, why=str(wrong)) from None
    # a page that refuses something gives no cookie, and its form may choose a language all the same
    if request.url.path not in PREFERENCE_PATHS:
        require_cookie(request)
    return fields


def count_form(request: Request, services: Services) -> None:
    """Count a form or call of the client's script. Refuse one too many of this visitor."""
    who, address = visitor(request), client_address(request)
    services.limits.count_message(who.holder if not who.fresh else address, address)


def require_cookie(request: Request) -> None:
    """Refuse a visitor without a cookie: a seat or an account would be lost at once."""
    if visitor(request).fresh:
        raise Refused(ErrorCode.NO_COOKIE)


def field(fields: Fields, name: str, default: str = "") -> str:
    """Return the first value of a field."""
    return fields.get(name, [default])[0]


def number_field(fields: Fields, name: str) -> int:
    """Return the whole number in a field. Refuse any other text."""
    number = whole_number(text := field(fields, name))
    if number is None:
        raise Refused(ErrorCode.BAD_MESSAGE, why=f"{name} must be a whole number, not {text[:40]!r}")
    return number


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
