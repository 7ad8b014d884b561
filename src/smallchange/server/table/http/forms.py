"""The forms of tables. Each executes a command, then redirects to the page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.server.table.http.pages import variant_of, view_for_request
from smallchange.server.table.live.bot_turns import wait_for_bots
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.table_lists import take_days_off
from smallchange.server.table.model.commands import (
    Command,
    Fork,
    Hint,
    Join,
    NewTable,
    PlayMove,
    Rematch,
    TableCommand,
)
from smallchange.server.table.model.new_tables import ID_BYTES, prepare_game, random_id
from smallchange.server.table.view.options import OWN_TIME_FIELD, options_page
from smallchange.server.table.view.table_page import table_page
from smallchange.server.web import forms
from smallchange.server.web.errors import ErrorCode, Refused, headers_of, refusal_text
from smallchange.server.web.forms import Fields, field, number_field
from smallchange.server.web.request_context import game_of, page_context
from smallchange.server.web.sessions import Visitor, client_address, visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services

OPTION_REFUSALS = (
    ErrorCode.BAD_OPTIONS,
    ErrorCode.BAD_SEATS,
    ErrorCode.BAD_TIME,
    ErrorCode.CANNOT_RATE,
    ErrorCode.NO_ACCOUNT,
)
BOT_WAIT_S = 0.5  # for which a form waits for a bot
MAX_ERROR_CHARS = 120
HINT_STEPS = ("piece", "move", "why")


async def refusal_page(request: Request, services: Services, wrong: Refused, fields: Fields) -> Response:
    """Return the page of the table or of the options with the refusal, where the form stands on one of them."""
    context, params = replace(page_context(request), wrong=refusal_text(wrong)), request.path_params
    try:
        id = params.get("id")
        if not id and wrong.code in (ErrorCode.SEAT_TAKEN, ErrorCode.OVER, ErrorCode.WITHDRAWN):
            id = await services.tables.id_by_code(params["code"])
        if id and wrong.code not in (ErrorCode.NO_TABLE, ErrorCode.OUTCOME_UNKNOWN):
            live_table = await services.tables.live.current(id, visitor(request).holder)
            context = replace(context, path=f"/m/{id}")
            body = table_page(view_for_request(live_table, request), context)
            return HTMLResponse(body, wrong.code.status, headers_of(wrong))
        if "game" in params and wrong.code in OPTION_REFUSALS:
            given = {name: values[0] for name, values in fields.items()}
            body = await services.heavy.do(options_page, game_of(request), context, given)
            return HTMLResponse(body, wrong.code.status, headers_of(wrong))
    except Refused:
        pass
    return await forms.refusal_page(request, services, wrong, fields)


def table_form(
    act: Callable[[Request, Services, Fields], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a form that stands on the page of a table or of options."""
    return forms.form(act, refusal_page)


@table_form
async def open_table(request: Request, services: Services, fields: Fields) -> Response:
    """Open a new table."""
    game = await services.heavy.do(variant_of, request, {name: values[0] for name, values in fields.items()})
    await services.heavy.do(prepare_game, game.id, game.options)
    seats = {
        player: field(fields, f"seat.{player}") for player in game.seats if field(fields, f"seat.{player}")
    }
    if face := field(fields, "face"):
        seats[game.seats[-1]] = face
    holder = visitor(request).holder
    # the lobby does not ask for a name: then it is the one used last
    account = visitor(request).account
    last = account.name if account else await services.tables.store.last_name(holder)
    name = field(fields, "name") if "name" in fields else last
    time = field(fields, OWN_TIME_FIELD).strip() or field(fields, "time")
    order = NewTable(
        game.id,
        game.non_default_options,
        seats,
        name,
        _words(fields),
        field(fields, "open") == "1",
        time,
        field(fields, "toss") == "1",
        field(fields, "rated") == "1",
        field(fields, "difficulty"),
    )
    with services.limits.opening_table(client_address(request), order.open, bool(order.difficulty)):
        id, is_open = await services.tables.openings.create_soon(holder, order)
    if is_open:
        if first := field(fields, "first"):
            ply = (await services.tables.live.current(id, holder)).history.ply
            await services.execute(holder, PlayMove(id, ply, random_id(ID_BYTES), first))
        return _redirect(id)
    return RedirectResponse(f"/games/{game.id}/deal/{id}?since={services.tables.now() // 1000}", 303)


@table_form
async def join(request: Request, services: Services, fields: Fields) -> Response:
    """Take a seat by a join link."""
    code, name, words = request.path_params["code"], field(fields, "name"), _words(fields)
    return _redirect(await services.tables.join(visitor(request).holder, code, Join(name, words)))


@table_form
async def execute(request: Request, services: Services, fields: Fields) -> Response:
    """Execute a command at a table."""
    id, kind = request.path_params["id"], request.url.path.rpartition("/")[2]
    live_table = await services.tables.live.current(id, visitor(request).holder)
    await services.execute(visitor(request).holder, _command(kind, live_table, visitor(request), fields))
    await wait_for_bots(live_table, BOT_WAIT_S)  # so that a page without script need not ask again
    accepted = kind == "answer" and field(fields, "yes") == "1"
    return _redirect((live_table.history.rematch if accepted else None) or id)


@table_form
async def days_off(request: Request, services: Services, fields: Fields) -> Response:
    """Take days off, at all tables by correspondence at once."""
    await take_days_off(services.tables, visitor(request).holder, number_field(fields, "days"))
    return RedirectResponse("/mine", 303)


@table_form
async def hint(request: Request, services: Services, fields: Fields) -> Response:
    """Show the table with a step of a hint in words, the piece first, and its piece picked up."""
    id, step = request.path_params["id"], field(fields, "step") or HINT_STEPS[0]
    if step not in HINT_STEPS:
        raise Refused(ErrorCode.BAD_MESSAGE, why=f"the steps of a hint are: {', '.join(HINT_STEPS)}")
    command = Hint(id, number_field(fields, "ply"))
    found = await services.hints.find(visitor(request).holder, client_address(request), command)
    said = dict(zip(HINT_STEPS, (found.nudge, found.text, found.why), strict=True))[step]
    steps = HINT_STEPS if found.why.en else HINT_STEPS[:-1]
    following = steps[steps.index(step) + 1 :][:1] if step in steps else ()
    context = replace(
        page_context(request),
        path=f"/m/{id}",
        hint=said,
        next_hint="".join(following),
        pick=found.touch.path[:-1],
    )
    return HTMLResponse(
        table_page(
            view_for_request(await services.tables.live.current(id, visitor(request).holder), request),
            context,
        )
    )


@table_form
async def say(request: Request, services: Services, fields: Fields) -> Response:
    """Say a set phrase to the others at a table."""
    id = request.path_params["id"]
    await services.tables.say(visitor(request).holder, id, field(fields, "phrase"))
    return _redirect(id)


@table_form
async def mute(request: Request, services: Services, fields: Fields) -> Response:
    """Hear nothing that is said at a table, or hear it again."""
    id = request.path_params["id"]
    await services.tables.mute(visitor(request).holder, id, field(fields, "on") == "1")
    return _redirect(id)


@table_form
async def rematch(request: Request, services: Services, fields: Fields) -> Response:
    """Ask for a rematch or open it, or open the same deal once more."""
    id, same, words = request.path_params["id"], field(fields, "same") == "1", _words(fields)
    with services.limits.opening_table(client_address(request)):
        return _redirect(await services.tables.rematch(visitor(request).holder, id, Rematch(same, words)))


@table_form
async def fork(request: Request, services: Services, fields: Fields) -> Response:
    """Open a practice table."""
    command = Fork(number_field(fields, "at"))
    with services.limits.opening_table(client_address(request)):
        return _redirect(
            await services.tables.openings.fork(visitor(request).holder, request.path_params["id"], command)
        )


def _command(kind: str, live_table: LiveTable, who: Visitor, fields: Fields) -> Command:
    """Return the command that the fields of a form stand for."""
    values = {
        "is": kind,
        "match": live_table.history.head.id,
        "ply": number_field(fields, "ply"),
        "move": field(fields, "move"),
    }
    if kind == "act":
        values["token"] = _token(live_table, who, fields)
    elif kind in ("offer", "claim"):
        values["what"] = field(fields, "what")
    elif kind == "plan":
        values["lines"] = [line.split() for line in fields.get("line", [])]
        values["more"] = field(fields, "more") == "1"
    elif kind == "answer":
        values["yes"] = field(fields, "yes") == "1"
    try:
        command: Command = msgspec.convert(values, TableCommand)
        return command
    except msgspec.ValidationError as wrong:
        raise Refused(ErrorCode.BAD_MESSAGE, why=f"{wrong!s:.{MAX_ERROR_CHARS}}") from None


def _token(live_table: LiveTable, who: Visitor, fields: Fields) -> str:
    """Return the token that was sent, or that of the choice whose marks were ticked."""
    token = field(fields, "token")
    if token and token != "marks":
        return token
    marks = sorted(fields.get("marks", []))
    for choice in live_table.view(live_table.history.seats_of(who.holder)).choices:
        if marks and sorted(choice.touch.marks) == marks:
            return choice.token
    raise Refused(ErrorCode.MARKS)


def _redirect(id: str) -> Response:
    return RedirectResponse(f"/m/{id}", 303)


def _words(fields: Fields) -> str:
    """Return the words for the luck: the typed ones, or else those that the browser added."""
    return field(fields, "words") or field(fields, forms.ADDED)
