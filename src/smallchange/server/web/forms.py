"""The forms of the pages. Each executes a command, then redirects to the page."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from urllib.parse import parse_qs

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.server import pages as pages
from smallchange.server.services import Services
from smallchange.server.table.bot_turns import wait_for_bots
from smallchange.server.table.commands import (
    Command,
    Fork,
    Hint,
    Join,
    NewTable,
    PlayMove,
    Rematch,
    TableCommand,
)
from smallchange.server.table.days_off import take_days_off
from smallchange.server.table.live_table import LiveTable
from smallchange.server.table.new_tables import ID_BYTES, random_id
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.preferences import ALL, choice_cookie
from smallchange.server.web.refusal_texts import refusal_text
from smallchange.server.web.request_context import (
    game_of,
    is_own_path,
    page_context,
    read_body,
    variant_of,
    view_for_request,
    whole_number,
)
from smallchange.server.web.sessions import Visitor, client_address, visitor
from smallchange.server.web.status import headers_of, status_of

Fields = dict[str, list[str]]
BOT_WAIT_S = 0.5  # for which a form waits for a bot
MAX_FIELDS = 100
PREFERENCE_PATHS = ("/lang", "/theme", "/settings")
MAX_ERROR_CHARS = 120


def form(
    act: Callable[[Request, Services, Fields], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a form, which shows a refusal on the page of the form."""

    @functools.wraps(act)
    async def respond(request: Request) -> Response:
        services: Services = request.app.state.services
        fields: Fields = {}
        try:
            fields = await read_form(request, services)
            return await act(request, services, fields)
        except Refused as wrong:
            return await _refusal_page(request, services, wrong, fields)

    return respond


@form
async def open_table(request: Request, services: Services, fields: Fields) -> Response:
    """Open a new table."""
    game = variant_of(request, {name: values[0] for name, values in fields.items()})
    seats = {
        player: field(fields, f"seat.{player}") for player in game.seats if field(fields, f"seat.{player}")
    }
    holder = visitor(request).holder
    # the lobby does not ask for a name: then it is the one used last
    account = visitor(request).account
    last = account.name if account else await services.tables.store.last_name(holder)
    name = field(fields, "name") if "name" in fields else last
    time = field(fields, pages.OWN_TIME_FIELD).strip() or field(fields, "time")
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
        number_field(fields, "delay") if "delay" in fields else 0,
        field(fields, "difficulty"),
    )
    with services.opening_table(client_address(request), order.open):
        id, is_open = await services.tables.openings.create_soon(holder, order)
    if is_open:
        if first := field(fields, "first"):
            ply = (await services.tables.live.current(id, holder)).history.ply
            await services.execute(holder, PlayMove(id, ply, random_id(ID_BYTES), first))
        return _redirect(id)
    return RedirectResponse(f"/games/{game.id}/deal/{id}?since={services.tables.now() // 1000}", 303)


@form
async def join(request: Request, services: Services, fields: Fields) -> Response:
    """Take a seat by a join link."""
    code, name, words = request.path_params["code"], field(fields, "name"), _words(fields)
    with services.opening_table(client_address(request)):
        return _redirect(await services.tables.join(visitor(request).holder, code, Join(name, words)))


@form
async def save_preference(request: Request, services: Services, fields: Fields) -> Response:
    """Save the language or colour theme in a cookie."""
    what = request.url.path.rpartition("/")[2]
    value, accepted = field(fields, what), ALL[what]
    back = field(fields, "back", "/")
    if value not in accepted or not is_own_path(back):
        raise Refused(
            ErrorCode.BAD_MESSAGE, why=f"{what} must be one of {', '.join(accepted)}, back a path of ours"
        )
    return await _keep(request, services, RedirectResponse(back, 303), {what: value})


@form
async def save_settings(request: Request, services: Services, fields: Fields) -> Response:
    """Save all that the page of settings asks for, in cookies, and go back to where one came from."""
    back = field(fields, "back", "/settings")
    chosen = {name: field(fields, name) for name in ALL if name in fields}
    for name, value in chosen.items():
        if value not in ALL[name]:
            raise Refused(
                ErrorCode.BAD_MESSAGE, why=f"{name} must be one of {', '.join(ALL[name])}, not {value!r}"
            )
    if not is_own_path(back):
        raise Refused(ErrorCode.BAD_MESSAGE, why="back must be a path of ours")
    return await _keep(request, services, RedirectResponse(back, 303), chosen)


async def _keep(
    request: Request, services: Services, answer: Response, chosen: Mapping[str, str]
) -> Response:
    """Keep what a visitor has chosen: in cookies, and with their account if they have one."""
    account = visitor(request).account
    if account:
        await services.accounts.save_settings(account, chosen)
    for name, value in chosen.items():
        answer.headers.append("Set-Cookie", choice_cookie(name, value, services.settings.secure))
    return answer


@form
async def execute(request: Request, services: Services, fields: Fields) -> Response:
    """Execute a command at a table."""
    id, kind = request.path_params["id"], request.url.path.rpartition("/")[2]
    live_table = await services.tables.live.current(id, visitor(request).holder)
    await services.execute(visitor(request).holder, _command(kind, live_table, visitor(request), fields))
    await wait_for_bots(live_table, BOT_WAIT_S)  # so that a page without script need not ask again
    accepted = kind == "answer" and field(fields, "yes") == "1"
    return _redirect((live_table.history.rematch if accepted else None) or id)


@form
async def days_off(request: Request, services: Services, fields: Fields) -> Response:
    """Take days off, at all tables by correspondence at once."""
    await take_days_off(services.tables, visitor(request).holder, number_field(fields, "days"))
    return RedirectResponse("/mine", 303)


HINT_STEPS = ("piece", "move", "why")


@form
async def hint(request: Request, services: Services, fields: Fields) -> Response:
    """Show the table with a step of a hint in words, the piece first, and its piece picked up."""
    id, step = request.path_params["id"], field(fields, "step") or HINT_STEPS[0]
    if step not in HINT_STEPS:
        raise Refused(ErrorCode.BAD_MESSAGE, why=f"the steps of a hint are: {', '.join(HINT_STEPS)}")
    command = Hint(id, number_field(fields, "ply"))
    found = await services.hint(visitor(request).holder, client_address(request), command)
    said = dict(zip(HINT_STEPS, (found.nudge, found.text, found.why), strict=True))[step]
    following = HINT_STEPS[HINT_STEPS.index(step) + 1 :][:1]
    context = replace(
        page_context(request),
        path=f"/m/{id}",
        hint=said,
        next_hint="".join(following),
        pick=found.touch.path[:-1],
    )
    return HTMLResponse(
        pages.table_page(
            view_for_request(await services.tables.live.current(id, visitor(request).holder), request),
            context,
        )
    )


@form
async def say(request: Request, services: Services, fields: Fields) -> Response:
    """Say a set phrase to the others at a table."""
    id = request.path_params["id"]
    await services.tables.say(visitor(request).holder, id, field(fields, "phrase"))
    return _redirect(id)


@form
async def mute(request: Request, services: Services, fields: Fields) -> Response:
    """Hear nothing that is said at a table, or hear it again."""
    id = request.path_params["id"]
    await services.tables.mute(visitor(request).holder, id, field(fields, "on") == "1")
    return _redirect(id)


@form
async def rematch(request: Request, services: Services, fields: Fields) -> Response:
    """Ask for a rematch or open it, or open the same deal once more."""
    id, same, words = request.path_params["id"], field(fields, "same") == "1", _words(fields)
    with services.opening_table(client_address(request)):
        return _redirect(await services.tables.rematch(visitor(request).holder, id, Rematch(same, words)))


@form
async def fork(request: Request, services: Services, fields: Fields) -> Response:
    """Open a practice table."""
    command = Fork(number_field(fields, "at"))
    with services.opening_table(client_address(request)):
        return _redirect(
            await services.tables.openings.fork(visitor(request).holder, request.path_params["id"], command)
        )


async def read_form(request: Request, services: Services) -> Fields:
    """Return the fields of a form."""
    count_form(request, services)
    text = (await read_body(request, request.receive)).decode("utf-8", "replace")
    try:
        fields = parse_qs(text, keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except ValueError as wrong:
        raise Refused(ErrorCode.BAD_MESSAGE, why=str(wrong)) from None
    # a page that refuses something gives no cookie, and its form may choose a language all the same
    if request.url.path not in PREFERENCE_PATHS:
        require_cookie(request)
    return fields


def count_form(request: Request, services: Services) -> None:
    """Count a form or call of the client's script. Refuse one too many of this visitor."""
    who, address = visitor(request), client_address(request)
    services.count_message(who.holder if not who.fresh else address, address)


def require_cookie(request: Request) -> None:
    """Refuse a visitor without a cookie: a seat or an account would be lost at once."""
    if visitor(request).fresh:
        raise Refused(ErrorCode.NO_COOKIE)


async def _refusal_page(request: Request, services: Services, wrong: Refused, fields: Fields) -> Response:
    """Return the page of the form, with the refusal."""
    context = replace(page_context(request), wrong=refusal_text(wrong))
    params = request.path_params
    try:
        id = params.get("id")
        if not id and wrong.code in (ErrorCode.SEAT_TAKEN, ErrorCode.OVER, ErrorCode.WITHDRAWN):
            id = await services.tables.id_by_code(params["code"])
        if id and wrong.code not in (ErrorCode.NO_TABLE, ErrorCode.OUTCOME_UNKNOWN):
            live_table = await services.tables.live.current(id, visitor(request).holder)
            context = replace(context, path=f"/m/{id}")
            return HTMLResponse(
                pages.table_page(view_for_request(live_table, request), context),
                status_of(wrong.code),
                headers_of(wrong),
            )
        if "game" in params and wrong.code in (
            ErrorCode.BAD_OPTIONS,
            ErrorCode.BAD_SEATS,
            ErrorCode.BAD_TIME,
            ErrorCode.CANNOT_RATE,
            ErrorCode.NO_ACCOUNT,
        ):
            given = {name: values[0] for name, values in fields.items()}
            return HTMLResponse(
                pages.options_page(game_of(request), context, given), status_of(wrong.code), headers_of(wrong)
            )
    except Refused:
        pass
    shown = ("game" in params or "code" in params) and status_of(
        wrong.code
    ) != 404  # its form has a page of its own
    anew = request.url.path if shown else ""
    context = replace(context, path=anew or "/")  # where its own forms lead back to
    return HTMLResponse(
        pages.error_page(refusal_text(wrong), context, anew), status_of(wrong.code), headers_of(wrong)
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


def field(fields: Fields, name: str, default: str = "") -> str:
    """Return the first value of a field."""
    return fields.get(name, [default])[0]


def _words(fields: Fields) -> str:
    """Return the words for the luck: the typed ones, or else those that the browser added."""
    return field(fields, "words") or field(fields, "added")


def number_field(fields: Fields, name: str) -> int:
    """Return the whole number in a field. Refuse any other text."""
    number = whole_number(text := field(fields, name))
    if number is None:
        raise Refused(ErrorCode.BAD_MESSAGE, why=f"{name} must be a whole number, not {text[:40]!r}")
    return number
