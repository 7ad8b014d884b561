"""Reporting a player, and the page and forms of keepers. For all others that page is not there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.i18n.formats import day_at
from smallchange.i18n.text import Text, plain
from smallchange.server.moderation import service
from smallchange.server.moderation.service import Desk, Order
from smallchange.server.table.http.forms import table_form
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.view.seats import seat_label
from smallchange.server.table.view.table_view import SeatView
from smallchange.server.web import phrases as p
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.forms import Fields, field, form
from smallchange.server.web.frame import PageContext, render_page, whole_number
from smallchange.server.web.pages import page
from smallchange.server.web.request_context import page_context
from smallchange.server.web.sessions import Account, AccountRole, AccountState, client_address, visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services

REASONS = {
    "name": Text("an offensive name"),
    "stalling": Text("they let the clock run instead of moving"),
    "cheating": Text("they get help from a program"),
    "other": Text("something else"),
}
ACTIONS = {
    "hide": Text("name hidden"),
    "rename": Text("renamed"),
    "ban": Text("banned"),
    "unban": Text("ban lifted"),
    "close": Text("report closed"),
    "appoint": Text("made a moderator"),
    "dismiss": Text("no moderator any more"),
    "block": Text("network shut out"),
    "unblock": Text("network let in again"),
}


class ReportView(NamedTuple):
    """A report as keepers see it. Names may be empty.

    `has_account`: the reported player is no guest, and has not erased the account.
    """

    id: str
    reporter: str
    reported: str
    match: str
    reason: str
    text: str
    at: int  # milliseconds since 1970
    has_account: bool


class LoggedLine(NamedTuple):
    """A line of the keepers' log. `keeper` is empty for the command line, `subject` for a guest."""

    at: int  # milliseconds since 1970
    keeper: str
    action: str
    subject: str
    note: str


class BlockedLine(NamedTuple):
    """A network that is shut out."""

    network: str
    at: int  # milliseconds since 1970
    note: str


class KeeperView(NamedTuple):
    """The page of keepers: open reports, the names of banned accounts, and the newest lines of the log.

    `leavers` are names of accounts with the number of rated matches that they left early.
    """

    reports: tuple[ReportView, ...]
    banned: tuple[str, ...]
    log: tuple[LoggedLine, ...]
    blocked: tuple[BlockedLine, ...] = ()
    leavers: tuple[tuple[str, int], ...] = ()


def report_page(match: str, seats: Sequence[tuple[int, SeatView]], visit: PageContext) -> str:
    """Return the form to report one of these players of a table, or the thanks where there is none to choose."""
    people = [(number, seat_label(seat)) for number, seat in seats]
    return render_page("report.html", visit, p.REPORT, match=match, people=people, reasons=REASONS)


def reported_page(match: str, visit: PageContext) -> str:
    """Return the page that thanks for a report."""
    return render_page("reported.html", visit, p.REPORT, match=match)


def keepers_page(view: KeeperView, visit: PageContext) -> str:
    """Return the page of keepers: reports with what can be done, banned accounts, and the log."""
    return render_page(
        "keepers.html",
        visit,
        p.KEEPERS,
        reports=[_report(one) for one in view.reports],
        banned=view.banned,
        blocked=[{"of": one, "day": day_at(one.at)} for one in view.blocked],
        leavers=view.leavers,
        log=[_line(one) for one in view.log],
    )


def _report(one: ReportView) -> dict[str, object]:
    return {
        "of": one,
        "who": plain(one.reported) if one.reported else p.A_PERSON,
        "by": plain(one.reporter) if one.reporter else p.A_PERSON,
        "reason": REASONS.get(one.reason, plain(one.reason)),
        "day": day_at(one.at),
    }


def _line(one: LoggedLine) -> dict[str, object]:
    return {
        "day": day_at(one.at),
        "keeper": plain(one.keeper) if one.keeper else p.COMMAND_LINE,
        "action": ACTIONS.get(one.action, plain(one.action)),
        "subject": plain(one.subject) if one.subject else p.A_PERSON,
        "note": one.note,
    }


PAGE = "/keepers"
PAGE_ACTIONS = (service.CLOSE, service.HIDE, service.RENAME, service.BAN)


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
    found = await services.tables.store.read(lambda c: service.find_report(c, id))
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
    await services.keeping.act(keeper, Order(service.UNBAN, holder))
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
