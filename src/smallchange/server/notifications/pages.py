"""The page of notifications; mail and web push of an account; the pages that links in mails lead to; their forms."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from smallchange.i18n.text import Text
from smallchange.server.accounts.pages import account_form, authenticated_account, script_call, signed_in
from smallchange.server.notifications.mail import mail_page
from smallchange.server.notifications.model import KINDS as NOTIFICATION_KINDS
from smallchange.server.notifications.view import notifications_page
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.forms import Fields, field, form
from smallchange.server.web.frame import PageContext
from smallchange.server.web.pages import page
from smallchange.server.web.request_context import page_context
from smallchange.server.web.sessions import client_address, visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services

PAGE = "/notifications"
AWAITED_IN = Text("Your move in {game}")


@page
async def notifications(request: Request, services: Services, context: PageContext) -> Response:
    """Return the list of notifications, the unread ones first."""
    who = visitor(request)
    listed = await services.notifications.newest(who.holder, who.account)
    return HTMLResponse(notifications_page(listed, context))


@page
async def count(request: Request, services: Services, context: PageContext) -> Response:
    """Return how many notifications are unread, and the game elsewhere whose clock runs until the visitor moves.

    Those of the table or tournament `?at=` have been read, on its page. `?hidden=` is a page that nobody looks at.
    """
    who, notifications = visitor(request), services.notifications
    at, hidden = request.query_params.get("at", ""), "hidden" in request.query_params
    if not hidden:
        await services.push.note_visible(who.account)
    if at and not hidden:
        unread = await notifications.mark_read(who.holder, who.account, at)
    else:
        unread = await notifications.unread(who.holder, who.account)
    plays, waiting = await notifications.find_waiting(who.holder, at)
    told: dict[str, object] = {"unread": unread}
    if plays:
        told["live"] = True
    if waiting and waiting.clock and waiting.clock.deadline:
        text = AWAITED_IN.fill(game=waiting.head.game.words.TITLE)[context.lang]
        left = max(0, waiting.clock.deadline - services.tables.now())
        told["awaited"] = {"to": f"/m/{waiting.head.id}", "text": text, "left": left}
    return JSONResponse(told)


@page
async def next_waiting(request: Request, services: Services, context: PageContext) -> Response:
    """Lead to the next game that waits for the visitor, behind `?after=`; without one, to their games."""
    after = request.query_params.get("after", "")
    found = await services.notifications.next_waiting(visitor(request).holder, after)
    return RedirectResponse(f"/m/{found}" if found else "/mine", 303)


@form
async def mark_read(request: Request, services: Services, fields: Fields) -> Response:
    """Mark all notifications as read."""
    who = visitor(request)
    await services.notifications.mark_read(who.holder, who.account)
    return RedirectResponse(PAGE, 303)


@account_form
async def choose(request: Request, services: Services, fields: Fields) -> Response:
    """Choose the kinds of notification; those that are not ticked are switched off."""
    wanted = set(fields.get("kind", []))
    muted = [kind for kind in NOTIFICATION_KINDS if kind not in wanted]
    await services.notifications.mute(signed_in(request), muted)
    return RedirectResponse("/account", 303)


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
