"""Mail and web push of an account, and the pages that links in mails lead to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from smallchange.server.accounts.pages import account_form, authenticated_account, script_call, signed_in
from smallchange.server.notifications.mail_view import mail_page
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.forms import Fields, field, form
from smallchange.server.web.frame import PageContext
from smallchange.server.web.pages import page
from smallchange.server.web.request_context import page_context
from smallchange.server.web.sessions import client_address, visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services


@account_form
async def mail(request: Request, services: Services, fields: Fields) -> Response:
    """Send mails to an address from now on, or to none."""
    if not services.settings.mail_server:
        raise Refused(ErrorCode.NO_PAGE)
    account, address = signed_in(request), field(fields, "mail").strip()
    if address and address != (await services.contacts.of(account)).mail:
        await authenticated_account(request, services)
    await services.contacts.set_mail(account, address, visitor(request).lang, client_address(request))
    return RedirectResponse("/account", 303)


@script_call
async def begin_push(request: Request, services: Services, sent: dict[str, Any]) -> Response:
    """Send messages to this browser from now on."""
    who = visitor(request)
    await services.push.subscribe(signed_in(request), who.hash, sent.get("subscription"), who.lang)
    return JSONResponse({})


@account_form
async def end_push(request: Request, services: Services, fields: Fields) -> Response:
    """Send no more messages to this browser, or to any of the account."""
    here = visitor(request).hash if field(fields, "here") else None
    await services.push.unsubscribe(signed_in(request), here)
    return RedirectResponse("/account", 303)


@page
async def ask_to_confirm(request: Request, services: Services, context: PageContext) -> Response:
    """Ask whether mails are wanted. Mail programs look at links too: only the button confirms."""
    return HTMLResponse(mail_page(True, context))


@form
async def confirm(request: Request, services: Services, fields: Fields) -> Response:
    """Begin to send mails."""
    await services.contacts.confirm(request.path_params["code"])
    return HTMLResponse(mail_page(True, page_context(request), done=True))


@page
async def ask_to_unsubscribe(request: Request, services: Services, context: PageContext) -> Response:
    """Ask whether mails shall end."""
    return HTMLResponse(mail_page(False, context))


async def unsubscribe(request: Request) -> Response:
    """Stop the e-mails whose links have this code.

    Mail programs post here for their user (RFC 8058), without cookie or form: the code alone allows it, and a
    request of another site that knows it could do nothing else.
    """
    services: Services = request.app.state.services
    context = page_context(request)
    try:
        services.limits.pages.take(client_address(request))
        await services.contacts.unsubscribe(request.path_params["code"])
    except Refused as wrong:
        return await _refusal(request, wrong)
    return HTMLResponse(mail_page(False, replace(context, path="/"), done=True))


async def _refusal(request: Request, wrong: Refused) -> Response:
    @page
    async def answer(request: Request, services: Services, context: PageContext) -> Response:
        raise wrong

    return await answer(request)
