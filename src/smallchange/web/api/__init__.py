"""The API for programs: JSON over HTTP, described by /api/openapi.json."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from smallchange.web.guard import RECORD, body, same_origin
from smallchange.web.refused import Refused

from . import endpoints, shapes
from .endpoints import Asked
from .routes import CALLS, Call


def _route(call: Call) -> Route:
    does: Callable[[Asked], Awaitable[Any]] = getattr(endpoints, call.does)

    async def respond(request: Request) -> Response:
        try:
            if not same_origin(request, request.app.state.hub.settings.origins):
                raise Refused("origin")
            found = await does(Asked(request, await _body(request, call)))
        except Refused as wrong:
            return await refused(request, wrong)
        except msgspec.MsgspecError as wrong:
            return await refused(request, Refused("message", why=f"{wrong!s:.120}"))
        return found if isinstance(found, Response) else _json(found, call.status)

    return Route(call.path, respond, methods=[call.method], name=f"api {call.does}")


async def _body(request: Request, call: Call) -> Any:
    if call.takes is None:
        return None
    if call.takes is str:
        return (await body(request, request.receive, RECORD)).decode("utf-8", "replace")
    return shapes.read(await body(request, request.receive), call.takes)


async def refused(request: Request, wrong: Refused, status: int = 0) -> Response:
    """What was wrong, and after a conflict how the table stands."""
    table = None
    if wrong.code == "conflict":
        asked = Asked(request, None)
        room = await asked.hub.rooms.room(request.path_params["id"])  # who said so has looked how it stands
        table = endpoints.table(room, asked.holder)
    lang = request.scope["visitor"].lang
    return _json(shapes.Error(wrong.code, wrong.text[lang], table), status or wrong.status, wrong.headers)


def _json(found: Any, status: int, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(found), status, headers, media_type="application/json")


ROUTES = [_route(call) for call in CALLS]
