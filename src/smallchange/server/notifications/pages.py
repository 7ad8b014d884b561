"""The page of notifications, its forms, and the count for the client's script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from smallchange.i18n.text import Text
from smallchange.server.accounts.pages import account_form, signed_in
from smallchange.server.notifications.model import KINDS as NOTIFICATION_KINDS
from smallchange.server.notifications.view import notifications_page
from smallchange.server.web.forms import Fields, form
from smallchange.server.web.frame import PageContext
from smallchange.server.web.pages import page
from smallchange.server.web.sessions import visitor

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
