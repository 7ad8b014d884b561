"""The JSON API for programs, described by /api/openapi.json."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from smallchange.server.web.api import endpoints, shapes
from smallchange.server.web.api.endpoints import ApiRequest
from smallchange.server.web.api.routes import CALLS, Call
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.refusal_texts import refusal_text
from smallchange.server.web.request_context import MAX_RECORD_BYTES, read_body
from smallchange.server.web.security import is_same_origin
from smallchange.server.web.sessions import client_address
from smallchange.server.web.status import headers_of, status_of

MAX_ERROR_CHARS = 120


def _route(call: Call) -> Route:
    """Return the route of a call."""
    endpoint: Callable[[ApiRequest], Awaitable[Any]] = getattr(endpoints, call.operation)

    async def respond(request: Request) -> Response:
        try:
            if not is_same_origin(request, request.app.state.services.settings.origins):
                raise Refused(ErrorCode.OTHER_ORIGIN)
            if call.method == "GET":
                request.app.state.services.page_limit.take(client_address(request))
            api_request = ApiRequest(request, await _body(request, call))
            await api_request.identify()
            answer = await endpoint(api_request)
        except Refused as wrong:
            return await refusal(request, wrong)
        except msgspec.MsgspecError as wrong:
            return await refusal(request, Refused(ErrorCode.BAD_MESSAGE, why=f"{wrong!s:.{MAX_ERROR_CHARS}}"))
        response = answer if isinstance(answer, Response) else _json(answer, call.status)
        if call.method == "GET":
            size = len(getattr(response, "body", b""))  # a stream has none
            request.app.state.services.charge_answer(client_address(request), size)
        return response

    path = call.path.replace("{name}", "{name:path}")  # a name may have a slash
    return Route(path, respond, methods=[call.method], name=f"api {call.operation}")


async def _body(request: Request, call: Call) -> Any:
    """Return the body of a request, in the shape that the call takes."""
    if call.body is None:
        return None
    if call.body is str:
        return (await read_body(request, request.receive, MAX_RECORD_BYTES)).decode("utf-8", "replace")
    return shapes.decode(await read_body(request, request.receive), call.body)


async def refusal(request: Request, wrong: Refused, status: int = 0) -> Response:
    """Return the answer to a refused request, after a conflict with the current table."""
    table = None
    if wrong.code == ErrorCode.CONFLICT:
        api_request = ApiRequest(request, None)
        await api_request.identify()
        live_table = await api_request.services.tables.live_table(
            request.path_params["id"]
        )  # which the refused command has just refreshed
        holder = api_request.holder
        table = endpoints.match_shape(live_table.seen_by(holder), holder)
    lang = request.scope["visitor"].lang
    return _json(
        shapes.Error(wrong.code, refusal_text(wrong)[lang], table),
        status or status_of(wrong.code),
        headers_of(wrong),
    )


def _json(answer: Any, status: int, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(answer), status, headers, media_type="application/json")


ROUTES = [_route(call) for call in CALLS]
