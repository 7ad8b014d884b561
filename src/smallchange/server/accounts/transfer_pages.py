"""To go on elsewhere: the link of a guest as text and as a QR code, and the page that it leads to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import segno
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.server.accounts.pages import account_form, browser_of, with_cookie
from smallchange.server.accounts.view import go_on_page, transfer_page
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.forms import Fields, field, form
from smallchange.server.web.frame import PageContext
from smallchange.server.web.pages import page
from smallchange.server.web.request_context import own_address, page_context
from smallchange.server.web.sessions import visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services


@account_form
async def begin(request: Request, services: Services, fields: Fields) -> Response:
    """Show a new link by which this guest goes on in another browser."""
    if visitor(request).account:
        raise Refused(ErrorCode.GUESTS_ALONE)
    link = f"{own_address(request)}/go-on/{await services.transfers.begin(visitor(request).token)}"
    context = replace(page_context(request), path="/account")
    return HTMLResponse(transfer_page(link, qr_code(link), context))


@page
async def ask(request: Request, services: Services, context: PageContext) -> Response:
    """Say whose browser this one would join, and ask. Messengers look at links too: only the button uses it."""
    if visitor(request).account:
        raise Refused(ErrorCode.GUESTS_ALONE)
    offer = await services.transfers.look(request.path_params["code"], visitor(request).hash)
    return HTMLResponse(go_on_page(offer, context))


@form
async def go_on(request: Request, services: Services, fields: Fields) -> Response:
    """Go on here as the guest of the link."""
    if visitor(request).account:
        raise Refused(ErrorCode.GUESTS_ALONE)
    along = {"1": True, "0": False}.get(field(fields, "along"))
    token = await services.transfers.follow(request.path_params["code"], browser_of(request, ""), along)
    return with_cookie(request, RedirectResponse("/mine", 303), token)


def qr_code(link: str) -> str:
    """Return the QR code of a link as inline SVG, dark on light whatever the theme."""
    svg: str = segno.make(link, error="m").svg_inline(
        scale=5, border=4, dark="#000", light="#fff", omitsize=True
    )
    return svg
