"""The pages of tables, old and new, and their records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)

from smallchange.core.errors import BadOption
from smallchange.core.game import Game
from smallchange.core.variants import without_idle_options
from smallchange.render.markup_diff import whole
from smallchange.render.png import png
from smallchange.server.settings import tests_file
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.model.commands import MAX_LINE_STEPS
from smallchange.server.table.model.plans import planning_seat
from smallchange.server.table.view import table_page
from smallchange.server.table.view.documents import (
    envelope_page,
    fairness_page,
    join_page,
    record_page,
    reference_page,
)
from smallchange.server.table.view.ending import card_page, match_card
from smallchange.server.table.view.options import (
    deal_page,
    describe_bad_option,
    drawing_option,
    editor_page,
    options_page,
    parse_options,
)
from smallchange.server.table.view.planning import ahead_page
from smallchange.server.table.view.table_page import turns_again
from smallchange.server.table.view.table_view import TableView
from smallchange.server.table.view.viewer import shared_view, view_for
from smallchange.server.web.errors import ErrorCode, Refused, refusal_text
from smallchange.server.web.frame import PageContext, whole_number
from smallchange.server.web.pages import page
from smallchange.server.web.request_context import game_of, wants_own_side
from smallchange.server.web.sessions import Visitor, client_address, visitor
from smallchange.server.web.static_files import with_validator

if TYPE_CHECKING:
    from smallchange.server.services import Services

MAX_DEAL_SEARCH_S = 600  # after which nobody finds a deal any more: the server was started again meanwhile


@page
async def options(request: Request, services: Services, context: PageContext) -> Response:
    context = await with_last_name(services, visitor(request), context)
    return HTMLResponse(
        await services.heavy.do(options_page, game_of(request), context, dict(request.query_params))
    )


@page
async def editor(request: Request, services: Services, context: PageContext) -> Response:
    """Return the editor with the drawing and the options in the query. Refuse a game that has none."""
    game = game_of(request)
    option = drawing_option(game)
    if option is None:
        raise Refused(ErrorCode.NO_PAGE)
    return HTMLResponse(
        await services.heavy.do(editor_page, game, option, context, dict(request.query_params))
    )


@page
async def deal(request: Request, services: Services, context: PageContext) -> Response:
    """Lead to a table once its deal is found; until then, say how long it is looked for, with status 202."""
    game, id = game_of(request), request.path_params["table"]
    since = request.query_params.get("since", "")
    if not (since.isascii() and since.isdigit() and len(since) <= len("1764000000")):
        raise Refused(ErrorCode.NO_PAGE)
    if await services.tables.openings.is_open(id):
        return RedirectResponse(f"/m/{id}", 303)
    waited_s = max(0, services.tables.now() // 1000 - int(since))
    if waited_s > MAX_DEAL_SEARCH_S:
        raise Refused(ErrorCode.BOTS_BUSY)
    return HTMLResponse(deal_page(game, waited_s, context), 202)


@page
async def fairness(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page on fairness, with the tests of the site's throws where they were published."""
    file = tests_file(Path(services.settings.dump)) if services.settings.dump else None
    tests = json.loads(file.read_text("utf-8")) if file and file.is_file() else None
    return HTMLResponse(fairness_page(tests, context))


@page
async def site_records(request: Request, services: Services, context: PageContext) -> Response:
    """Return the records of all finished games, as they were published last."""
    if not services.settings.dump or not Path(services.settings.dump).is_file():
        raise Refused(ErrorCode.NO_PAGE)
    return FileResponse(services.settings.dump, media_type="application/jsonl")


@page
async def table(request: Request, services: Services, context: PageContext) -> Response:
    id, who = request.path_params["id"], visitor(request)
    try:
        live_table = await services.tables.live.current(id, who.holder)
    except Refused as wrong:
        stored = await services.tables.live.stored_record(id, wrong)
        return HTMLResponse(record_page(id, stored, refusal_text(wrong), context))
    for add in services.on_table_page:
        context = await add(live_table, who, context)
    async with services.long_answers.turn(len(live_table.history.match)):
        return HTMLResponse(
            await services.heavy.do(table_page.table_page, view_for_request(live_table, request), context)
        )


@page
async def look_back(request: Request, services: Services, context: PageContext) -> Response:
    live_table = await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    shown = view_for_request(live_table, request)
    html = {id: whole(part) for id, part in table_page.all_parts(shown, context.lang).items()}
    return JSONResponse({"at": shown.at, "length": shown.length, "ply": shown.ply, "html": html})


@page
async def turns(request: Request, services: Services, context: PageContext) -> Response:
    """Return the turn that ends after `?after=` steps and those after it, except the last."""
    live_table = await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    held = live_table.history.seats_of(visitor(request).holder)
    shown = live_table.view(held, wants_own_side(request))
    after = whole_number(request.query_params.get("after", ""))
    if after is None or after >= shown.length:
        raise Refused(ErrorCode.NO_PAGE)
    return JSONResponse(turns_again(shown, live_table.timeline, after, context.lang))


@page
async def ahead(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page on which moves are planned, after the steps of `?after=`. Refuse who may plan none."""
    live_table = await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    shown = view_for_request(live_table, request)
    after = request.query_params.getlist("after")
    if planning_seat(live_table.history, shown.own_seats) is None or len(after) >= MAX_LINE_STEPS:
        raise Refused(ErrorCode.NO_PAGE)
    position = live_table.history.match.position.copy()
    explores = live_table.history.may_explore(visitor(request).holder)
    return HTMLResponse(await services.heavy.do(ahead_page, position, shown, after, explores, context))


@page
async def sheet(request: Request, services: Services, context: PageContext) -> Response:
    live_table = await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    if live_table.history.head.game.reference is None:
        raise Refused(ErrorCode.NO_PAGE)
    return HTMLResponse(
        await services.heavy.do(
            reference_page, live_table.history.head.id, live_table.history.match.position.copy(), context
        )
    )


@page
async def envelope(request: Request, services: Services, context: PageContext) -> Response:
    live_table = await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    shown = view_for_request(live_table, request)
    verified = (
        await live_table.is_record_valid()
        if live_table.history.is_revealed and live_table.history.head.is_proven
        else None
    )
    return HTMLResponse(envelope_page(shown, live_table.history.envelope, verified, context))


@page
async def card(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of the card of a result, to share."""
    kinds = ("svg", "png") if find_spec("cairosvg") else ("svg",)
    return HTMLResponse(
        await services.heavy.do(card_page, await _ended_view(request, services), context, kinds)
    )


@page
async def card_picture(request: Request, services: Services, context: PageContext) -> Response:
    """Return the card of a result as SVG."""
    drawn = match_card(await _ended_view(request, services), context.origin, context.lang)
    return Response(drawn, media_type="image/svg+xml")


@page
async def card_png(request: Request, services: Services, context: PageContext) -> Response:
    """Return the card of a result as PNG; where the extra `png` is missing there is no such page."""
    drawn = match_card(await _ended_view(request, services), context.origin, context.lang)
    services.limits.records.take(client_address(request))
    try:
        return Response(await services.heavy.do(png, drawn), media_type="image/png")
    except ImportError:
        raise Refused(ErrorCode.NO_PAGE) from None


async def _ended_view(request: Request, services: Services) -> TableView:
    """Return a table that has ended as everybody sees it. Refuse one that goes on, or whose deal is sealed."""
    live_table = await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    shown = live_table.view(())
    if not shown.can_share:
        raise Refused(ErrorCode.NO_PAGE)
    return shown


@page
async def record_text(request: Request, services: Services, context: PageContext) -> Response:
    id = request.path_params["id"]
    text = PlainTextResponse(await services.tables.live.record_text(id, visitor(request).holder))
    return with_validator(request, _download(text, f"{id}.txt"))


@page
async def record_json(request: Request, services: Services, context: PageContext) -> Response:
    live_table = await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    async with services.long_answers.turn(len(live_table.history.match)):
        response = Response(live_table.record_json, media_type="application/json")
        return with_validator(request, _download(response, f"{live_table.history.head.id}.json"))


@page
async def join(request: Request, services: Services, context: PageContext) -> Response:
    who = visitor(request)
    id = await services.tables.id_by_code(request.path_params["code"])
    live_table = await services.tables.live.current(id, who.holder)
    held = live_table.history.seats_of(who.holder)
    if held or not live_table.history.waiting:
        return RedirectResponse(f"/m/{live_table.history.head.id}", 303)
    return HTMLResponse(
        await services.heavy.do(
            join_page, live_table.view(held), await with_last_name(services, who, context)
        )
    )


def _download(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def variant_of(request: Request, fields: Mapping[str, str]) -> Game:
    """Return the game with the options in these fields of its form. To build its boards takes long, once."""
    game = game_of(request)
    try:
        variant = Game(game.id, parse_options(game, fields))
        without_idle_options(variant)
        return variant
    except BadOption as wrong:
        raise Refused(ErrorCode.BAD_OPTIONS, why=describe_bad_option(game, wrong)) from None


async def with_last_name(services: Services, who: Visitor, context: PageContext) -> PageContext:
    """Return the context with the name that the visitor used last."""
    if who.account:
        return replace(context, name=who.account.name)
    return context if who.fresh else replace(context, name=await services.tables.store.last_name(who.holder))


def view_for_request(live_table: LiveTable, request: Request) -> TableView:
    """Return the table as the visitor sees it, now or as it was after `?at=` steps."""
    held, at = live_table.history.seats_of(visitor(request).holder), step_of(request)
    if at is None or at >= len(live_table.history.match):
        live_table.touch(held)
    return view_at(live_table, held, at, wants_own_side(request))


def step_of(request: Request) -> int | None:
    """Return the number of steps in `?at=`; None without one."""
    return whole_number(request.query_params.get("at", ""))


def view_at(
    live_table: LiveTable, held: tuple[int, ...], at: int | None, own_side: bool = False
) -> TableView:
    """Return the table as the holder of these seats sees it, now or as it was after `at` steps."""
    if at is None or at >= len(live_table.history.match):
        return live_table.view_now(held, own_side)
    earlier = shared_view(live_table.history, live_table.timeline, live_table.present, at)
    return view_for(live_table.history, earlier, held, turn=live_table.turn(held, own_side))
