"""Reporting a player, and the page and forms of keepers. For all others that page is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.server.moderation import rows as rows
from smallchange.server.moderation.service import Desk, Order
from smallchange.server.moderation.view import (
    BlockedLine,
    KeeperView,
    LoggedLine,
    ReportView,
    keepers_page,
    report_page,
    reported_page,
)
from smallchange.server.table.http.forms import table_form
from smallchange.server.table.model.history import SeatKind
from smallchange.server.web.account import Account, AccountRole, AccountState
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.forms import Fields, field, form
from smallchange.server.web.frame import PageContext
from smallchange.server.web.pages import page
from smallchange.server.web.request_context import page_context, whole_number
from smallchange.server.web.sessions import client_address, visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services


PAGE = "/keepers"
PAGE_ACTIONS = (rows.CLOSE, rows.HIDE, rows.RENAME, rows.BAN)


@page
async def ask(request: Request, services: Services, context: PageContext) -> Response:
    """Return the form to report a player of a table."""
    id, holder = request.path_params["id"], visitor(request).holder
    live_table = await services.tables.live.current(id, holder)
    held = live_table.history.seats_of(holder)
    seats = live_table.view(held).seats
    others = [(i, seat) for i, seat in enumerate(seats) if seat.kind == SeatKind.PERSON and not seat.you]
    return HTMLResponse(report_page(id, others, context))


@table_form
async def report(request: Request, services: Services, fields: Fields) -> Response:
    """Report a player of a table."""
    id, seat = request.path_params["id"], whole_number(field(fields, "seat"))
    if seat is None:
        raise Refused(ErrorCode.BAD_REPORT)
    await services.keeping.report(
        visitor(request).holder,
        client_address(request),
        id,
        seat,
        field(fields, "reason"),
        field(fields, "text"),
    )
    return HTMLResponse(reported_page(id, page_context(request)))


@page
async def keepers(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of keepers."""
    keeper_of(request)
    return HTMLResponse(keepers_page(_view(await services.keeping.desk()), context))


@form
async def act(request: Request, services: Services, fields: Fields) -> Response:
    """Do something about a report."""
    keeper, id, action = keeper_of(request), field(fields, "report"), field(fields, "action")
    found = await services.tables.store.read(lambda c: rows.find_report(c, id))
    if found is None or action not in PAGE_ACTIONS:
        raise Refused(ErrorCode.BAD_REPORT)
    order = Order(action, found.reported, found.id, field(fields, "name"), field(fields, "note"))
    await services.keeping.act(keeper, order)
    return RedirectResponse(PAGE, 303)


@form
async def unban(request: Request, services: Services, fields: Fields) -> Response:
    """Let a banned account in again."""
    keeper = keeper_of(request)
    holder = await services.keeping.holder_of_banned(field(fields, "name"))
    await services.keeping.act(keeper, Order(rows.UNBAN, holder))
    return RedirectResponse(PAGE, 303)


@form
async def block(request: Request, services: Services, fields: Fields) -> Response:
    """Shut a network out, or let it in again."""
    keeper, on = keeper_of(request), request.url.path.endswith("/block")
    await services.keeping.block(keeper, field(fields, "network"), field(fields, "note"), on)
    return RedirectResponse(PAGE, 303)


def keeper_of(request: Request) -> Account:
    """Return the keeper who asks. Refuse everybody else, as if there were no such page."""
    account = visitor(request).account
    if account is None or account.role != AccountRole.KEEPER:
        raise Refused(ErrorCode.NO_PAGE)
    return account


def _view(desk: Desk) -> KeeperView:
    reports = (
        ReportView(
            one.report.id,
            one.reporter,
            one.reported,
            one.report.match_id,
            one.report.reason,
            one.report.text,
            one.report.at,
            one.account is not None and one.account.state != AccountState.ERASED,
        )
        for one in desk.reports
    )
    return KeeperView(
        tuple(reports),
        tuple(desk.banned),
        tuple(LoggedLine(*line) for line in desk.log),
        tuple(BlockedLine(*line) for line in desk.blocked),
        tuple((one.name, one.matches) for one in desk.leavers),
    )
