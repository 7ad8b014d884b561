"""The forms of the pages. A form does what the socket does, through the same door, then leads to the page."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from dataclasses import replace
from urllib.parse import parse_qs

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.text import LANGUAGES

from . import pages, turns
from .asked import game_of, seen, variant_of, visited, whole_number
from .guard import Visitor, address, body, same_origin, set_cookie, visitor
from .hub import Hub
from .pages.phrases import THEMES
from .refused import Refused
from .room import Room
from .tables import Order
from .wire import Act, Answer, Deed, Offer, Resign, Undo

Fields = dict[str, list[str]]
ANSWER = 0.5  # seconds for which a form waits for a bot


def form(
    act: Callable[[Request, Hub, Fields], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """A POST of a form of ours, and of nobody else's."""

    async def respond(request: Request) -> Response:
        hub: Hub = request.app.state.hub
        fields: Fields = {}
        try:
            fields = await _posted(request, hub)
            return await act(request, hub, fields)
        except Refused as wrong:
            return await _refused(request, hub, wrong, fields)

    return respond


@form
async def open_table(request: Request, hub: Hub, fields: Fields) -> Response:
    game = variant_of(request, {name: values[0] for name, values in fields.items()})
    seats = {
        player: _one(fields, f"seat.{player}") for player in game.seats if _one(fields, f"seat.{player}")
    }
    holder = visitor(request).holder
    # the lobby does not ask for a name: then it is the one used last
    name = _one(fields, "name") if "name" in fields else await hub.rooms.store.name(holder)
    order = Order(game.id, game.chosen, seats, name, _words(fields), _one(fields, "open") == "1")
    with hub.founding(address(request), order.open):
        return _to(await hub.rooms.create(holder, order))


@form
async def sit_down(request: Request, hub: Hub, fields: Fields) -> Response:
    code, name, words = request.path_params["code"], _one(fields, "name"), _words(fields)
    with hub.founding(address(request)):
        return _to(await hub.rooms.join(visitor(request).holder, code, name, words))


@form
async def remember(request: Request, hub: Hub, fields: Fields) -> Response:
    """Language or colour theme, in a cookie."""
    what = request.url.path.rpartition("/")[2]
    value = _one(fields, what)
    accepted = {"lang": LANGUAGES, "theme": tuple(THEMES)}[what]
    back = _one(fields, "back", "/")
    if value not in accepted or not back.startswith("/") or back[1:2] in ("/", "\\"):
        raise Refused("message", why=f"{what} must be one of {', '.join(accepted)}, back a path of ours")
    answer = RedirectResponse(back, 303)
    answer.headers.append("Set-Cookie", set_cookie(what, value, hub.settings.secure))
    return answer


@form
async def deed(request: Request, hub: Hub, fields: Fields) -> Response:
    """Whatever changes a table, as one of the messages of the socket."""
    id, kind = request.path_params["id"], request.url.path.rpartition("/")[2]
    room = await hub.rooms.current(id)
    await hub.do(visitor(request).holder, _deed(kind, room, visitor(request), fields))
    await turns.answered(room, ANSWER)  # so that a page without script need not ask again
    return _to(id)


@form
async def hint(request: Request, hub: Hub, fields: Fields) -> Response:
    """The table with the hint in words, and picked up what it would have one touch first."""
    id = request.path_params["id"]
    found = await hub.hint(visitor(request).holder, address(request), id, _number(fields, "ply"))
    visit = replace(visited(request), path=f"/m/{id}", hint=found.text, pick=found.touch.path[:-1])
    return HTMLResponse(pages.table(seen(await hub.rooms.room(id), request), visit))


@form
async def again(request: Request, hub: Hub, fields: Fields) -> Response:
    id, same, words = request.path_params["id"], _one(fields, "same") == "1", _words(fields)
    with hub.founding(address(request)):
        return _to(await hub.rooms.again(visitor(request).holder, id, same, words))


@form
async def fork(request: Request, hub: Hub, fields: Fields) -> Response:
    at = _number(fields, "at")
    with hub.founding(address(request)):
        return _to(await hub.rooms.fork(visitor(request).holder, request.path_params["id"], at))


async def _posted(request: Request, hub: Hub) -> Fields:
    if not same_origin(request, hub.settings.origins):
        raise Refused("origin")
    who = visitor(request)
    hub.posts.spend(who.holder if not who.fresh else address(request))
    text = (await body(request, request.receive)).decode("utf-8", "replace")
    try:
        fields = parse_qs(text, keep_blank_values=True, max_num_fields=100)
    except ValueError as wrong:
        raise Refused("message", why=str(wrong)) from None
    if who.fresh or not hmac.compare_digest(_one(fields, "forgery").encode(), who.forgery.encode()):
        raise Refused("forgery")
    return fields


async def _refused(request: Request, hub: Hub, wrong: Refused, fields: Fields) -> Response:
    """The page that the form was on, with what was wrong."""
    visit = replace(visited(request), wrong=wrong.text)
    params = request.path_params
    try:
        id = params.get("id")
        if not id and wrong.code in ("taken", "over", "withdrawn"):
            id = await hub.rooms.led(params["code"])
        if id and wrong.code not in ("match", "late"):
            room = await hub.rooms.current(id)
            visit = replace(visit, path=f"/m/{id}")
            return HTMLResponse(pages.table(seen(room, request), visit), wrong.status, wrong.headers)
        if "game" in params and wrong.code in ("options", "seats"):
            given = {name: values[0] for name, values in fields.items()}
            return HTMLResponse(pages.new(game_of(request), visit, given), wrong.status, wrong.headers)
    except Refused:
        pass
    shown = ("game" in params or "code" in params) and wrong.status != 404  # its form has a page of its own
    anew = request.url.path if shown else ""
    visit = replace(visit, path=anew or "/")  # where its own forms lead back to
    return HTMLResponse(pages.wrong(wrong.text, visit, anew), wrong.status, wrong.headers)


def _deed(kind: str, room: Room, who: Visitor, fields: Fields) -> Deed:
    made = {
        "is": kind,
        "match": room.story.head.id,
        "ply": _number(fields, "ply"),
        "move": _one(fields, "move"),
    }
    if kind == "act":
        made["token"] = _token(room, who, fields)
    elif kind == "offer":
        made["what"] = _one(fields, "what")
    elif kind == "answer":
        made["yes"] = _one(fields, "yes") == "1"
    try:
        return msgspec.convert(made, Act | Undo | Resign | Offer | Answer)
    except msgspec.ValidationError as wrong:
        raise Refused("message", why=f"{wrong!s:.120}") from None


def _token(room: Room, who: Visitor, fields: Fields) -> str:
    """The token that was sent, or the one whose marks were ticked."""
    token = _one(fields, "token")
    if token and token != "marks":
        return token
    marks = sorted(fields.get("marks", []))
    for choice in room.view(room.story.held(who.holder)).choices:
        if marks and sorted(choice.touch.marks) == marks:
            return choice.token
    raise Refused("marks")


def _to(id: str) -> Response:
    return RedirectResponse(f"/m/{id}", 303)


def _one(fields: Fields, name: str, default: str = "") -> str:
    return fields.get(name, [default])[0]


def _words(fields: Fields) -> str:
    """Words for the luck: those that somebody typed, or else those that the browser added."""
    return _one(fields, "words") or _one(fields, "added")


def _number(fields: Fields, name: str) -> int:
    number = whole_number(text := _one(fields, name))
    if number is None:
        raise Refused("message", why=f"{name} must be a whole number, not {text[:40]!r}")
    return number
