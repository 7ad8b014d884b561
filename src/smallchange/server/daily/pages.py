"""The pages and the form of the deal of the day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.render.png import png
from smallchange.server.daily.view import daily_page, daily_picture, day_of, standings_page
from smallchange.server.table.http.forms import table_form
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.forms import Fields
from smallchange.server.web.frame import PageContext
from smallchange.server.web.pages import page
from smallchange.server.web.sessions import client_address, visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services


@page
async def today(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of today's deals."""
    daily, holder = services.daily, visitor(request).holder
    cards = await daily.cards(holder)
    return HTMLResponse(
        await services.heavy.do(
            daily_page, cards, daily.closes_in_ms, await daily.streak(holder), await daily.archive(), context
        )
    )


@page
async def picture(request: Request, services: Services, context: PageContext) -> Response:
    """Return the picture of the visitor's own result in today's deal, to share."""
    drawn = await _picture(request, services, context)
    return Response(drawn, media_type="image/svg+xml")


@page
async def picture_png(request: Request, services: Services, context: PageContext) -> Response:
    """Return the same picture as PNG; where the extra `png` is missing there is no such page."""
    drawn = await _picture(request, services, context)
    services.limits.records.take(client_address(request))
    try:
        return Response(await services.heavy.do(png, drawn), media_type="image/png")
    except ImportError:
        raise Refused(ErrorCode.NO_PAGE) from None


async def _picture(request: Request, services: Services, context: PageContext) -> str:
    """Return the picture as SVG. Refuse where the visitor has no result that counts."""
    cards = await services.daily.cards(visitor(request).holder)
    card = next((card for card in cards if card.game.id == request.path_params["game"]), None)
    drawn = daily_picture(card, context.origin, context.lang) if card else None
    if drawn is None:
        raise Refused(ErrorCode.NO_PAGE)
    return drawn


@page
async def standings(request: Request, services: Services, context: PageContext) -> Response:
    """Return the standings of a day that has closed."""
    day = day_of(request.path_params["day"])
    if day is None:
        raise Refused(ErrorCode.NO_PAGE)
    found = await services.daily.standings(day, visitor(request).holder)
    return HTMLResponse(await services.heavy.do(standings_page, day, found, context))


@table_form
async def play(request: Request, services: Services, fields: Fields) -> Response:
    """Begin today's deal of a game, or go on with it."""
    who = visitor(request)
    name = who.account.name if who.account else await services.tables.store.last_name(who.holder)
    with services.limits.opening_table(client_address(request)):
        id = await services.daily.play(who.holder, name, request.path_params["game"])
    return RedirectResponse(f"/m/{id}", 303)
