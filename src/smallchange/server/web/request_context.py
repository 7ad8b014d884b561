"""The context of a request: its body, and what pages and forms need to answer it."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from contextlib import suppress
from ipaddress import ip_address

from starlette.requests import HTTPConnection, Request
from starlette.types import Receive

from smallchange.core.errors import UnknownGame
from smallchange.core.game import Game, complete_game
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.frame import PageContext
from smallchange.server.web.notices import notices
from smallchange.server.web.sessions import visitor
from smallchange.server.web.settings_page import chosen_preferences

MAX_BODY_BYTES = 64 * 1024
MAX_RECORD_BYTES = 512 * 1024  # of a record to verify
BODY_TIMEOUT_S = 20.0  # for the rest of a request after its head
MAX_PICKED = 8  # pieces
MOVE_ID_BYTES = 12


async def read_body(connection: HTTPConnection, receive: Receive, max_bytes: int = MAX_BODY_BYTES) -> bytes:
    """Return the body of a request. Refuse it as soon as it is too large, or if it is cut short."""
    if int(connection.headers.get("content-length", "0") or 0) > max_bytes:
        raise Refused(ErrorCode.TOO_LARGE)
    whole = bytearray()
    with suppress(TimeoutError):
        async with asyncio.timeout(BODY_TIMEOUT_S):
            while (message := await receive())["type"] != "http.disconnect":
                part: bytes = message.get("body", b"")
                whole += part
                if len(whole) > max_bytes:
                    raise Refused(ErrorCode.TOO_LARGE)
                if not message.get("more_body"):
                    return bytes(whole)
    raise Refused(ErrorCode.BAD_MESSAGE, why="the body ends too soon")


def page_context(request: Request) -> PageContext:
    """Return the context of a page: its visitor and its address."""
    who = visitor(request)
    picked = tuple(request.query_params.getlist("pick")[:MAX_PICKED])
    return PageContext(
        who.lang,
        request.url.path,
        move=secrets.token_urlsafe(MOVE_ID_BYTES),
        pick=picked,
        theme=who.theme,
        preferences=chosen_preferences(request.cookies),
        local=_is_local(request.url.hostname or ""),
        origin=own_address(request),
        account=who.account.name if who.account else "",
        documented=bool(request.app.state.services.settings.docs),
        unread=who.unread,
        notices=notices(request.app.state.services.site.state, int(1000 * time.time())),
    )


def own_origin(request: Request) -> str:
    """Return the origin of our pages."""
    secure = request.app.state.services.settings.secure
    return f"{'https' if secure else request.url.scheme}://{request.url.netloc}"


def own_address(request: Request) -> str:
    """Return the address of our site without the last slash, for links that must be absolute."""
    return own_origin(request) + str(request.app.state.services.settings.path_prefix)


def _is_local(host: str) -> bool:
    """Return whether this name or address is that of this computer alone."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_own_path(path: str) -> bool:
    """Return whether this is a path of this site, not the address of another.

    >>> is_own_path("/m/abc"), is_own_path("//other.test"), is_own_path("https://other.test")
    (True, False, False)
    """
    return path.startswith("/") and path[1:2] not in ("/", "\\")


def whole_number(text: str) -> int | None:
    """Return the whole number in a text, of six digits at most (MAX_PLY); None for any other text."""
    return int(text) if re.fullmatch("[0-9]{1,6}", text) else None


def game_of(request: Request) -> Game:
    """Return the game that the path names, with its default options."""
    try:
        return complete_game(request.path_params["game"])
    except UnknownGame:
        raise Refused(ErrorCode.NO_PAGE) from None
