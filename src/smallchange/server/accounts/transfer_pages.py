"""To go on elsewhere: the link of a guest as text and as a QR code, and the page that it leads to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.server.accounts.pages import account_form, browser_of, with_cookie
from smallchange.server.accounts.view import go_on_page, transfer_page
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.forms import Fields, field, form
from smallchange.server.web.frame import PageContext
from smallchange.server.web.pages import page
from smallchange.server.web.request_context import own_address, page_context
from smallchange.server.web.sessions import new_token, token_hash, visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services


@account_form
async def begin(request: Request, services: Services, fields: Fields) -> Response:
    """Show a new link by which this guest goes on in another browser."""
    if visitor(request).account:
        raise Refused(ErrorCode.GUESTS_ALONE)
    code = await services.transfers.begin(visitor(request).token)
    link = f"{own_address(request)}/go-on/{code}"
    context = replace(page_context(request), path="/account")
    return HTMLResponse(transfer_page(link, code, qr_code(link), context))


@account_form
async def confirm(request: Request, services: Services, fields: Fields) -> Response:
    """Let the browser join that shows the number which is typed here."""
    if visitor(request).account:
        raise Refused(ErrorCode.GUESTS_ALONE)
    number = field(fields, "number")
    await services.transfers.confirm(field(fields, "code"), visitor(request).token, number)
    return RedirectResponse("/account", 303)


@account_form
async def end_others(request: Request, services: Services, fields: Fields) -> Response:
    """Go on as a guest in this browser alone: the others that have joined it have its seats no more."""
    if visitor(request).account:
        raise Refused(ErrorCode.GUESTS_ALONE)
    old, token = visitor(request).hash, new_token()
    if not await services.transfers.list_joined(old):
        return RedirectResponse("/account", 303)
    await services.transfers.end_others(old, token_hash(token))
    services.close_session(old)
    return with_cookie(request, RedirectResponse("/account", 303), token)


@page
async def ask(request: Request, services: Services, context: PageContext) -> Response:
    """Say whose browser this one would join, and ask. Messengers look at links too: only the button uses it."""
    if visitor(request).account:
        raise Refused(ErrorCode.GUESTS_ALONE)
    offer = await services.transfers.look(request.path_params["code"], visitor(request).hash)
    return HTMLResponse(go_on_page(offer, context))


@form
async def go_on(request: Request, services: Services, fields: Fields) -> Response:
    """Go on here as the guest of the link, once the browser that made it confirms the number of this one."""
    if visitor(request).account:
        raise Refused(ErrorCode.GUESTS_ALONE)
    along = {"1": True, "0": False}.get(field(fields, "along"))
    code, browser = request.path_params["code"], browser_of(request, "")
    asked = await services.transfers.ask(code, browser, along)
    if not asked.is_confirmed:
        offer = await services.transfers.look(code, visitor(request).hash)
        return HTMLResponse(go_on_page(offer, page_context(request), asked.number))
    token = await services.transfers.follow(code, browser)
    return with_cookie(request, RedirectResponse("/mine", 303), token)


def qr_code(link: str) -> str:
    """Return the QR code of a link as inline SVG, dark on light whatever the theme."""
    import segno

    svg: str = segno.make(link, error="m").svg_inline(
        scale=5, border=4, dark="#000", light="#fff", omitsize=True
    )
    return svg
