"""The page of one's own bots and their tokens, and its forms."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.server.accounts.pages import signed_in
from smallchange.server.accounts.view import NewToken, bots_page
from smallchange.server.web.forms import Fields, field, form
from smallchange.server.web.frame import PageContext
from smallchange.server.web.pages import page
from smallchange.server.web.request_context import page_context
from smallchange.server.web.sessions import new_bot_token, token_hash

if TYPE_CHECKING:
    from smallchange.server.services import Services


PAGE = "/account/bots"


@page
async def bots(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of one's own bots."""
    owned = await services.bot_accounts.of(signed_in(request))
    return HTMLResponse(bots_page(owned, None, context))


@form
async def create(request: Request, services: Services, fields: Fields) -> Response:
    """Create a bot."""
    await services.bot_accounts.create(signed_in(request), field(fields, "name"))
    return RedirectResponse(PAGE, 303)


@form
async def add_token(request: Request, services: Services, fields: Fields) -> Response:
    """Make a token of a bot, and show it once."""
    owner, token = signed_in(request), new_bot_token()
    bot = await services.bot_accounts.add_token(
        owner, field(fields, "bot"), token_hash(token), field(fields, "label")
    )
    context = replace(page_context(request), path=PAGE)
    owned = await services.bot_accounts.of(owner)
    return HTMLResponse(bots_page(owned, NewToken(bot.id, token), context))


@form
async def revoke_token(request: Request, services: Services, fields: Fields) -> Response:
    """Revoke a token of a bot."""
    await services.bot_accounts.revoke_token(signed_in(request), field(fields, "bot"), field(fields, "token"))
    return RedirectResponse(PAGE, 303)


@form
async def remove(request: Request, services: Services, fields: Fields) -> Response:
    """Remove a bot."""
    await services.bot_accounts.remove(signed_in(request), field(fields, "bot"))
    return RedirectResponse(PAGE, 303)
