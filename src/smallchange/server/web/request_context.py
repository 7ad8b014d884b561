"""The context of a request: its body, and what pages and forms need to answer it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import replace
from ipaddress import ip_address

from starlette.requests import HTTPConnection, Request
from starlette.types import Receive

from smallchange.core.errors import BadOption, UnknownGame
from smallchange.core.game import Game, complete_game
from smallchange.server import pages as pages
from smallchange.server.services import Services
from smallchange.server.table.live_table import LiveTable
from smallchange.server.table.viewer import shared_view, view_for
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.preferences import wants_own_side
from smallchange.server.web.sessions import Visitor, visitor
from smallchange.server.web.settings_page import chosen_preferences
from smallchange.server.web.view_model import PageContext, TableView

MAX_BODY_BYTES = 64 * 1024
MAX_RECORD_BYTES = 512 * 1024  # of a record to verify
MAX_PICKED = 8  # pieces
MOVE_ID_BYTES = 12


async def read_body(connection: HTTPConnection, receive: Receive, max_bytes: int = MAX_BODY_BYTES) -> bytes:
    """Return the body of a request. Refuse it as soon as it is too large, or if it is cut short."""
    if int(connection.headers.get("content-length", "0") or 0) > max_bytes:
        raise Refused(ErrorCode.TOO_LARGE)
    whole = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused(ErrorCode.BAD_MESSAGE, why="the body ends too soon")
        part: bytes = message.get("body", b"")
        whole += part
        if len(whole) > max_bytes:
            raise Refused(ErrorCode.TOO_LARGE)
        if not message.get("more_body"):
            return whole


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


async def with_last_name(services: Services, who: Visitor, context: PageContext) -> PageContext:
    """Return the context with the name that the visitor used last."""
    if who.account:
        return replace(context, name=who.account.name)
    return context if who.fresh else replace(context, name=await services.tables.store.last_name(who.holder))


def whole_number(text: str) -> int | None:
    """Return the whole number in a text, of six digits at most (MAX_PLY); None for any other text."""
    return int(text) if re.fullmatch("[0-9]{1,6}", text) else None


def view_for_request(live_table: LiveTable, request: Request) -> TableView:
    """Return the table as the visitor sees it, now or as it was after `?at=` steps."""
    held, at = live_table.history.seats_of(visitor(request).holder), step_of(request)
    if at is None or at >= len(live_table.history.match):
        live_table.touch(held)
    return view_at(live_table, held, at, wants_own_side(request))


def step_of(request: Request) -> int | None:
    """Return the number of steps in `?at=`; None without one."""
    return whole_number(request.query_params.get("at", ""))


def view_at(
    live_table: LiveTable, held: tuple[int, ...], at: int | None, own_side: bool = False
) -> TableView:
    """Return the table as the holder of these seats sees it, now or as it was after `at` steps."""
    if at is None or at >= len(live_table.history.match):
        return live_table.view_now(held, own_side)
    earlier = shared_view(live_table.history, live_table.timeline, live_table.present, at)
    return view_for(live_table.history, earlier, held)._replace(turn=live_table.turn(held, own_side))


def variant_of(request: Request, fields: Mapping[str, str]) -> Game:
    """Return the game with the options in these fields of its form."""
    game = game_of(request)
    try:
        return Game(game.id, pages.parse_options(game, fields))
    except BadOption as wrong:
        raise Refused(ErrorCode.BAD_OPTIONS, why=pages.describe_bad_option(game, wrong)) from None


def game_of(request: Request) -> Game:
    """Return the game that the path names, with its default options."""
    try:
        return complete_game(request.path_params["game"])
    except UnknownGame:
        raise Refused(ErrorCode.NO_PAGE) from None
