"""The forms of the pages: how they are read, counted and refused."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from smallchange.server.web.errors import ErrorCode, Refused, headers_of, refusal_text
from smallchange.server.web.request_context import page_context, read_body, whole_number
from smallchange.server.web.services import SharedServices
from smallchange.server.web.sessions import client_address, token_hash, visitor
from smallchange.server.web.view import error_page

Fields = dict[str, list[str]]
S = TypeVar("S", bound=SharedServices)
MAX_FIELDS = 100
PRESS = "press"  # the field of a form that creates something: an id of its own, from the page
ADDED = "added"  # the field with the words that a browser adds anew at each press
FIRST_ERROR = 400
PREFERENCE_PATHS = ("/lang", "/theme", "/settings")


async def refusal_page(request: Request, services: S, wrong: Refused, fields: Fields) -> Response:
    """Return the page that says why a form was refused, with a way back to the form."""
    has_page = bool({"game", "code"} & request.path_params.keys()) and wrong.code.status != 404
    anew = request.url.path if has_page else ""
    context = replace(page_context(request), wrong=refusal_text(wrong), path=anew or "/")
    return HTMLResponse(error_page(refusal_text(wrong), context, anew), wrong.code.status, headers_of(wrong))


def form(
    act: Callable[[Request, S, Fields], Awaitable[Response]],
    refuse: Callable[[Request, S, Refused, Fields], Awaitable[Response]] = refusal_page,
) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a form. `refuse` answers a refusal."""

    @functools.wraps(act)
    async def respond(request: Request) -> Response:
        services: S = request.app.state.services
        fields: Fields = {}
        try:
            fields = await read_form(request, services)
            return await answer_once(request, services, fields, lambda: act(request, services, fields))
        except Refused as wrong:
            return await refuse(request, services, wrong, fields)

    return respond


def press_key(request: Request, fields: Fields) -> str:
    """Return what is the same for each press of a form as it was drawn; "" for a form that creates nothing."""
    sent = sorted((name, values) for name, values in fields.items() if name != ADDED)
    key = token_hash(repr((visitor(request).hash, request.url.path, sent)))
    return key if field(fields, PRESS) else ""


async def answer_once(
    request: Request,
    services: SharedServices,
    fields: Fields,
    answer: Callable[[], Awaitable[Response]],
) -> Response:
    """Return the answer of a form. Pressed again as it was drawn, it has the first answer, and nothing is done."""
    if not (key := press_key(request, fields)):
        return await answer()
    found = services.pressed.get(key)

    async def work() -> Response:
        return await answer()

    if found is None:
        found = await services.pressing.do(key, work)
        if found.status_code < FIRST_ERROR:
            services.pressed[key] = found
    again = Response(found.body, found.status_code)
    again.raw_headers = [*found.raw_headers]  # whatever sends an answer adds to its headers
    return again


async def read_form(request: Request, services: SharedServices) -> Fields:
    """Return the fields of a form."""
    count_form(request, services)
    text = (await read_body(request, request.receive)).decode("utf-8", "replace")
    try:
        fields = parse_qs(text, keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except ValueError as wrong:
        raise Refused(ErrorCode.BAD_MESSAGE, why=str(wrong)) from None
    # a page that refuses something gives no cookie, and its form may choose a language all the same
    if request.url.path not in PREFERENCE_PATHS:
        require_cookie(request)
    return fields


def count_form(request: Request, services: SharedServices) -> None:
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
