"""Pages and forms of tournaments."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.server.accounts.pages import signed_in
from smallchange.server.tournaments.kinds import KINDS, kind_of, offered_kinds
from smallchange.server.tournaments.model import Tournament, TournamentOrder
from smallchange.server.tournaments.view import tournament_page, tournaments_page
from smallchange.server.tournaments.view import version as tournament_version
from smallchange.server.web.account import AccountRole
from smallchange.server.web.event_stream import EventStream
from smallchange.server.web.forms import Fields, field, form, number_field
from smallchange.server.web.frame import PageContext
from smallchange.server.web.pages import page
from smallchange.server.web.sessions import client_address, visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services


PAGE = "/tournaments"


@page
async def tournaments(request: Request, services: Services, context: PageContext) -> Response:
    """Return the list of tournaments."""
    account = visitor(request).account
    await services.tournaments.open_hourly()
    public, own = await services.tournaments.lists_for(account)
    is_keeper = account is not None and account.role == AccountRole.KEEPER
    kind = KINDS.get(request.query_params.get("kind", ""), offered_kinds()[0])
    return HTMLResponse(tournaments_page(public, own, kind, is_keeper, services.tables.now(), context))


@page
async def tournament(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of a tournament."""
    found, account = await services.tournaments.find(_id(request)), visitor(request).account
    account_id = account.id if account else None
    if account:
        unread = await services.notifications.mark_read(account.holder, account, found.head.id)
        context = replace(context, unread=unread)
    return HTMLResponse(tournament_page(found, account_id, services.tables.now(), context))


@page
async def news(request: Request, services: Services, context: PageContext) -> Response:
    """Return a stream of events: the version of the page, and the path of the visitor's running match."""
    found, account = await services.tournaments.find(_id(request)), visitor(request).account
    if request.method == "HEAD":
        return Response(media_type="text/event-stream")

    async def events() -> AsyncIterator[bytes]:
        async for now in services.tournaments.follow(found.head.id):
            path = _own_match(now, account.id) if account else ""
            event = {"version": tournament_version(now), "to": path}
            yield b"data: " + msgspec.json.encode(event) + b"\n\n"

    return EventStream(services, client_address(request), events())


@form
async def open_tournament(request: Request, services: Services, fields: Fields) -> Response:
    """Open a tournament."""
    account = signed_in(request)
    services.limits.count_message(account.holder, client_address(request))

    def number(name: str) -> int:
        return number_field(fields, name) if name in fields else TournamentOrder._field_defaults[name]

    order = TournamentOrder(
        field(fields, "name"),
        field(fields, "kind"),
        field(fields, "game"),
        field(fields, "time"),
        number("rounds"),
        number("minutes"),
        number("begins_in"),
        field(fields, "rated") == "1",
        field(fields, "public") == "1",
    )
    return RedirectResponse(f"{PAGE}/{await services.tournaments.open(account, order)}", 303)


@form
async def enter(request: Request, services: Services, fields: Fields) -> Response:
    """Enter a tournament, or come back to it."""
    await services.tournaments.enter(signed_in(request), _id(request))
    return _back(request)


@form
async def withdraw(request: Request, services: Services, fields: Fields) -> Response:
    """Withdraw from a tournament."""
    await services.tournaments.withdraw(signed_in(request), _id(request))
    return _back(request)


@form
async def begin(request: Request, services: Services, fields: Fields) -> Response:
    """Let a tournament begin."""
    await services.tournaments.begin(signed_in(request), _id(request))
    return _back(request)


@form
async def open_deal(request: Request, services: Services, fields: Fields) -> Response:
    """Begin the deal of a duel, or go on with it."""
    account = signed_in(request)
    with services.limits.opening_table(client_address(request)):
        return RedirectResponse(f"/m/{await services.tournaments.open_deal(account, _id(request))}", 303)


@form
async def enter_bots(request: Request, services: Services, fields: Fields) -> Response:
    """Enter some bots in a tournament."""
    account, count = signed_in(request), number_field(fields, "count")
    await services.tournaments.enter_bots(account, _id(request), field(fields, "bot"), count)
    return _back(request)


def _id(request: Request) -> str:
    id: str = request.path_params["tournament"]
    return id


def _back(request: Request) -> Response:
    return RedirectResponse(f"{PAGE}/{_id(request)}", 303)


def _own_match(found: Tournament, account_id: str) -> str:
    """Return the path of an account's running match, or ""."""
    own = found.entry_of(account_id)
    match = kind_of(found).running_match(found, own.number) if own else None
    return f"/m/{match}" if match else ""
