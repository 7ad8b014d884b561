"""What pages and forms ask alike: who visits, which game, and which table as seen by whom."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import replace
from ipaddress import ip_address

from starlette.requests import Request

from smallchange.errors import BadOption, UnknownGame
from smallchange.game import Game

from . import pages
from .guard import Visitor, visitor
from .hub import Hub
from .look import alike, view
from .refused import Refused
from .room import Room
from .view import View, Visit


def visited(request: Request) -> Visit:
    who = visitor(request)
    picked = tuple(request.query_params.getlist("pick")[:8])
    return Visit(
        who.lang,
        who.forgery,
        request.url.path,
        move=secrets.token_urlsafe(12),
        pick=picked,
        theme=who.theme,
        local=_local(request.url.hostname or ""),
        origin=_origin(request),
    )


def _origin(request: Request) -> str:
    """Where our addresses begin, for who has to have a whole one."""
    secure = request.app.state.hub.settings.secure
    return f"{'https' if secure else request.url.scheme}://{request.url.netloc}"


def _local(host: str) -> bool:
    """Does this name or address lead nowhere but to this computer?"""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def named(hub: Hub, who: Visitor, visit: Visit) -> Visit:
    return visit if who.fresh else replace(visit, name=await hub.rooms.store.name(who.holder))


def whole_number(text: str) -> int | None:
    """The whole number that this text is, of six digits at most (wire.MOST_PLY); None if it is none."""
    return int(text) if re.fullmatch("[0-9]{1,6}", text) else None


def seen(room: Room, request: Request) -> View:
    held = room.story.held(visitor(request).holder)
    at = whole_number(request.query_params.get("at", ""))
    if at is None or at >= len(room.story.match):
        return room.view(held)
    return view(room.story, alike(room.story, room.scene, room.present, at), held)


def variant_of(request: Request, fields: Mapping[str, str]) -> Game:
    """The game with the options that these fields of its form mean."""
    game = game_of(request)
    try:
        return Game(game.id, pages.chosen(game, fields))
    except BadOption as wrong:
        raise Refused("options", why=pages.fault(game, wrong)) from None


def game_of(request: Request) -> Game:
    try:
        return Game(request.path_params["game"])
    except UnknownGame:
        raise Refused("page") from None
