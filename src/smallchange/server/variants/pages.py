"""The editor of a drawing, the page of a saved variant, and their forms."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.core.game import Game
from smallchange.core.options import Drawing
from smallchange.server.table.http.pages import variant_of
from smallchange.server.variants.view import (
    TITLE_FIELD,
    drawing_option,
    editor_page,
    variant_page,
    variant_picture,
)
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.forms import Fields, field, form
from smallchange.server.web.frame import PageContext
from smallchange.server.web.pages import page
from smallchange.server.web.refusal_texts import refusal_text
from smallchange.server.web.request_context import game_of, page_context
from smallchange.server.web.sessions import visitor
from smallchange.server.web.status import headers_of, status_of

if TYPE_CHECKING:
    from smallchange.server.services import Services


@page
async def editor(request: Request, services: Services, context: PageContext) -> Response:
    """Return the editor with the drawing and the options in the query."""
    game, option = _drawn_game(request)
    return HTMLResponse(editor_page(game, option, context, dict(request.query_params)))


@form
async def save(request: Request, services: Services, fields: Fields) -> Response:
    """Save a variant under a name, and lead to its page. If it is refused, the editor says why."""
    game, option = _drawn_game(request)
    given = {name: values[0] for name, values in fields.items()}
    try:
        variant = variant_of(request, given)
        id = await services.variants.save(visitor(request).holder, variant, field(fields, TITLE_FIELD))
    except Refused as wrong:
        context = replace(page_context(request), wrong=refusal_text(wrong))
        body = editor_page(game, option, context, given)
        return HTMLResponse(body, status_of(wrong.code), headers_of(wrong))
    return RedirectResponse(f"/variants/{id}", 303)


@page
async def variant(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of a saved variant."""
    found, game = await services.variants.find(request.path_params["variant"])
    return HTMLResponse(variant_page(found, game, found.holder == visitor(request).holder, context))


@page
async def picture(request: Request, services: Services, context: PageContext) -> Response:
    """Return the picture of a saved variant."""
    found, game = await services.variants.find(request.path_params["variant"])
    return Response(variant_picture(found, game, context.lang), media_type="image/svg+xml")


@form
async def remove(request: Request, services: Services, fields: Fields) -> Response:
    """Remove one of the visitor's own variants."""
    await services.variants.remove(request.path_params["variant"], visitor(request).holder)
    return RedirectResponse("/mine", 303)


def _drawn_game(request: Request) -> tuple[Game, Drawing]:
    """Return the game that the path names, and its option that may be drawn. Refuse if it has none."""
    game = game_of(request)
    option = drawing_option(game)
    if option is None:
        raise Refused(ErrorCode.NO_PAGE)
    return game, option
