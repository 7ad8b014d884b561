"""Tables inside pages of other sites: the frame, its picture, and oEmbed."""

from __future__ import annotations

import functools
import re
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from smallchange.server.table.http.pages import step_of, view_at
from smallchange.server.table.live.services import TableServices
from smallchange.server.table.view.embedding import (
    embed_page,
    embed_picture,
    embed_refusal_page,
    oembed_description,
)
from smallchange.server.table.view.table_view import TableView
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.frame import PageContext
from smallchange.server.web.refusal_texts import refusal_text
from smallchange.server.web.request_context import page_context, whole_number
from smallchange.server.web.sessions import client_address
from smallchange.server.web.status import headers_of, status_of

TABLE_PATH = re.compile(r"/m/([A-Za-z0-9_-]+)/?")
MAX_SIDE_PX = 10_000
UNKNOWN_FORMAT = 501  # as oEmbed says
Build = Callable[[Request, TableServices, PageContext], Awaitable[Response]]


def _endpoint(
    build: Build, refuse: Callable[[Refused, PageContext], Response]
) -> Callable[..., Awaitable[Response]]:
    """Return the endpoint of a page that counts against the limit of its address; `refuse` answers a refusal."""

    @functools.wraps(build)
    async def respond(request: Request) -> Response:
        services, context = request.app.state.services, page_context(request)
        try:
            services.limits.pages.take(client_address(request))
            response = await build(request, services, context)
        except Refused as wrong:
            return refuse(wrong, context)
        services.limits.charge_answer(client_address(request), len(response.body))
        return response

    return respond


async def _frame(request: Request, services: TableServices, context: PageContext) -> Response:
    shown = await _spectators_view(services, request.path_params["id"], step_of(request))
    return HTMLResponse(embed_page(shown, context))


async def _picture(request: Request, services: TableServices, context: PageContext) -> Response:
    shown = await _spectators_view(services, request.path_params["id"], step_of(request))
    return Response(embed_picture(shown, context.lang), media_type="image/svg+xml")


async def _description(request: Request, services: TableServices, context: PageContext) -> Response:
    """Return the description of the table at a URL of ours. Another URL has none."""
    query = request.query_params
    if query.get("format", "json") != "json":
        return JSONResponse({"error": "the format is json"}, UNKNOWN_FORMAT)
    shown = await _spectators_view(services, _table_of(query.get("url", ""), context.origin), None)
    sides = (whole_number(query.get(name, "")) or MAX_SIDE_PX for name in ("maxwidth", "maxheight"))
    width, height = sides
    return JSONResponse(oembed_description(shown, context, (width, height)))


def _table_of(url: str, origin: str) -> str:
    """Return the id of the table at a URL. Refuse one that is not ours."""
    own = urlsplit(origin)
    try:
        asked = urlsplit(url)
    except ValueError:
        raise Refused(ErrorCode.NO_PAGE) from None
    found = TABLE_PATH.fullmatch(asked.path.removeprefix(own.path))
    if found is None or asked.netloc != own.netloc or not asked.path.startswith(own.path):
        raise Refused(ErrorCode.NO_PAGE)
    return found[1]


async def _spectators_view(services: TableServices, id: str, at: int | None) -> TableView:
    """Return a table as somebody without a seat sees it, whoever asks."""
    live_table = await services.tables.live.current(id, "")
    async with services.long_answers.turn(len(live_table.history.match)):
        return view_at(live_table, (), at)


def _refuse_frame(wrong: Refused, context: PageContext) -> Response:
    body = embed_refusal_page(refusal_text(wrong), context)
    return HTMLResponse(body, status_of(wrong.code), headers_of(wrong))


def _refuse_call(wrong: Refused, context: PageContext) -> Response:
    return JSONResponse(
        {"error": refusal_text(wrong)[context.lang]}, status_of(wrong.code), headers_of(wrong)
    )


frame = _endpoint(_frame, _refuse_frame)
picture = _endpoint(_picture, _refuse_frame)
oembed = _endpoint(_description, _refuse_call)
