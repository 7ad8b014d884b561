"""The context of a request: its body, its preferences (each a cookie), and what pages and forms need to answer it."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from ipaddress import ip_address

from starlette.requests import HTTPConnection, Request
from starlette.types import Receive

from smallchange.core.errors import UnknownGame
from smallchange.core.game import Game, complete_game
from smallchange.i18n.formats import day_at
from smallchange.i18n.text import LANGUAGES, Plural, Text
from smallchange.server.database.site_state import Mode, SiteState
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.frame import PageContext
from smallchange.server.web.phrases import THEMES
from smallchange.server.web.sessions import COOKIE_AGE_S, cookie_name, set_cookie, visitor
from smallchange.server.web.view import PREFERENCES, chosen_preferences

MAINTENANCE = Plural(
    "Maintenance begins on {day} at {time} UTC and takes about {n} minute. Clocks stand still meanwhile; "
    "live games that are not over by then end without a result.",
    "Maintenance begins on {day} at {time} UTC and takes about {n} minutes. Clocks stand still meanwhile; "
    "live games that are not over by then end without a result.",
)
MINUTE_MS = 60_000


def notices(state: SiteState, now_ms: int) -> tuple[Text, ...]:
    """Return what each page says of the state of the site."""
    found = []
    if (planned := state.maintenance) and now_ms < planned.at + planned.minutes * MINUTE_MS:
        time = f"{datetime.fromtimestamp(planned.at / 1000, UTC):%H:%M}"
        found.append(MAINTENANCE.fill(day=day_at(planned.at), time=time, n=planned.minutes))
    if state.mode == Mode.DRAINING:
        found.append(ErrorCode.DRAINING.text)
    return tuple(found)


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


def game_of(request: Request) -> Game:
    """Return the game that the path names, with its default options."""
    try:
        return complete_game(request.path_params["game"])
    except UnknownGame:
        raise Refused(ErrorCode.NO_PAGE) from None


ALL: Mapping[str, tuple[str, ...]] = {"lang": tuple(LANGUAGES), "theme": tuple(THEMES), **PREFERENCES}


def wants_own_side(connection: HTTPConnection) -> bool:
    """Return whether a visitor wants the own side of the board at the bottom."""
    return chosen_preferences(connection.cookies)["own_side"] == "on"


def kept_choices(connection: HTTPConnection, secure: bool) -> dict[str, str]:
    """Return what a visitor has chosen by cookies, language and theme included, without defaults."""
    given = {name: connection.cookies.get(_cookie_name(name, secure), "") for name in ALL}
    return {name: value for name, value in given.items() if value and value in ALL[name]}


def choice_cookies(choices: Mapping[str, object], secure: bool) -> list[str]:
    """Return the headers that keep these choices. Others than those of `ALL` are left aside."""
    return [choice_cookie(name, str(choices[name]), secure) for name in ALL if choices.get(name) in ALL[name]]


def choice_cookie(name: str, value: str, secure: bool) -> str:
    """Return the header that keeps a choice for a year."""
    return preference_cookie(name, value) if name in PREFERENCES else set_cookie(name, value, secure)


def _cookie_name(name: str, secure: bool) -> str:
    return name if name in PREFERENCES else cookie_name(name, secure)


def preference_cookie(name: str, value: str) -> str:
    """Return the header that keeps a preference for a year. Switches of the pages read and set it too."""
    return f"{name}={value}; Path=/; Max-Age={COOKIE_AGE_S}; SameSite=Lax"
