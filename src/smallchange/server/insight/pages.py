"""The pages of rulebooks, lessons, statistics, reviews, analyses and solved positions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from smallchange.bots import install_advice
from smallchange.bots.levels import is_explorable
from smallchange.core.variants import without_idle_options
from smallchange.server.insight.analysis_view import (
    MAX_LINE,
    MAX_PATH,
    analysis_page,
    being_solved_page,
    explorer_page,
    follow_code,
    go_on,
    marks_of,
    read_variation,
)
from smallchange.server.insight.learn import learn_page, lesson_count, rulebook_page
from smallchange.server.insight.review_view import review_page, review_progress_page, tip_markup
from smallchange.server.insight.service import seats_with_tip
from smallchange.server.ratings.reviewed import play_ratings, reviewed_games
from smallchange.server.ratings.statistics import statistics_page
from smallchange.server.ratings.view import play_rating_rows
from smallchange.server.table.http.pages import variant_of
from smallchange.server.table.live import table_lists
from smallchange.server.table.view.options import difficulty_page
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.event_stream import EventStream
from smallchange.server.web.forms import Fields, field, form
from smallchange.server.web.frame import PageContext, analysis_path, whole_number
from smallchange.server.web.pages import page
from smallchange.server.web.request_context import game_of, wants_own_side
from smallchange.server.web.sessions import client_address, visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services


@page
async def statistics(request: Request, services: Services, context: PageContext) -> Response:
    """Return the visitor's own statistics."""
    holder, store = visitor(request).holder, services.tables.store
    results, reviewed = (
        await table_lists.results_by_game(store, holder),
        await store.read(lambda c: reviewed_games(c, holder)),
    )
    play = await play_ratings(store, holder)
    return HTMLResponse(
        await services.heavy.do(statistics_page, results, reviewed, play_rating_rows(play), context)
    )


@page
async def difficulty(request: Request, services: Services, context: PageContext) -> Response:
    """Return how often the simple bot wins with the options of the form; 202 while it still plays."""
    fields = dict(request.query_params)
    game = await services.heavy.do(variant_of, request, fields)
    plain = await services.heavy.do(without_idle_options, game)
    if not services.insight.difficulty.is_known(plain):
        services.limits.difficulties.take(client_address(request))
    found = await services.insight.difficulty.measure_soon(plain)
    return HTMLResponse(
        await services.heavy.do(difficulty_page, game, found, context, request.url.query),
        status_code=200 if found else 202,
    )


@page
async def explore(request: Request, services: Services, context: PageContext) -> Response:
    """Return the values of a position of a solved game, and of its moves; `line` has the tokens that lead there."""
    fields = dict(request.query_params)
    game, line = await services.heavy.do(variant_of, request, fields), fields.get("line", "").split()
    if not is_explorable(game) or len(line) > MAX_LINE:
        raise Refused(ErrorCode.NO_PAGE)
    position = game.start()
    try:
        for token in line:
            position.play(token)
    except ValueError:  # a token that is not possible there
        raise Refused(ErrorCode.NO_PAGE) from None
    try:
        found = await services.insight.look_up(visitor(request).holder, position)
    except TimeoutError:
        return HTMLResponse(being_solved_page(game, context, request.url.query), 202)
    return HTMLResponse(await services.heavy.do(explorer_page, game, line, position, found, context))


@page
async def rules(request: Request, services: Services, context: PageContext) -> Response:
    return HTMLResponse(await services.heavy.do(rulebook_page, game_of(request), context))


@page
async def learn(request: Request, services: Services, context: PageContext) -> Response:
    """Return a lesson of the guided first game: the one in the query, by default the first."""
    game, query = game_of(request), request.query_params
    step = whole_number(query.get("step", "0"))
    answered = query.get("answered") != "0"
    if step is None or step >= lesson_count(game) or (not answered and step == 0):
        raise Refused(ErrorCode.NO_PAGE)
    return HTMLResponse(await services.heavy.do(learn_page, game, step, answered, context))


@page
async def review(request: Request, services: Services, context: PageContext) -> Response:
    live_table = await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    made = services.insight.review(visitor(request).holder, client_address(request), live_table.history)
    id, held = live_table.history.head.id, live_table.history.seats_of(visitor(request).holder)
    if made.running:
        return HTMLResponse(
            await services.heavy.do(
                review_progress_page, id, made.match, made.choices, made.total, context, held
            )
        )
    at = whole_number(request.query_params.get("at", ""))
    turn = live_table.turn(held, wants_own_side(request))
    by_hand = marks_of(request.query_params.multi_items())
    return HTMLResponse(
        await services.heavy.do(review_page, id, made.match, made.choices, context, held, at, turn, by_hand)
    )


@page
async def tip(request: Request, services: Services, context: PageContext) -> Response:
    """Return the tip for a player of an ended match, the best so far, and whether it is the last word."""
    live_table = await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    history, holder = live_table.history, visitor(request).holder
    held = seats_with_tip(history, holder)
    if not held:
        raise Refused(ErrorCode.NO_PAGE)
    found, is_done = services.insight.tip_choices(holder, client_address(request), history)
    html = tip_markup(history.head.id, history.match, found, held, context.lang)
    best = await services.insight.best_so_far(history, holder)
    said = best[context.lang] if best else ""
    return JSONResponse({"html": html, "best": said, "done": is_done})


@page
async def analysis(request: Request, services: Services, context: PageContext) -> Response:
    """Return the analysis board of a match: after `at` of its steps and `to` of the tokens of `line`.

    With `throw` it leads to the position after an outcome of chance, with `text` to the same with this note. A player
    of a match by correspondence that still runs has the board without odds. By `lead` it is shown to all who follow
    it, unless it is fetched to `look` at what they point at.
    """
    who, query = visitor(request), request.query_params
    live_table = await services.tables.live.current(request.path_params["id"], who.holder)
    history = live_table.history
    if history.sealed:
        raise Refused(ErrorCode.SEALED)
    running = history.may_explore(who.holder)
    if not running and (not history.reviewable or install_advice()):
        raise Refused(ErrorCode.NO_PAGE)
    items, board, code = query.multi_items(), None, query.get("follow", "")
    if "lead" in query or code:
        if running:
            raise Refused(ErrorCode.NO_PAGE)
        code = code or follow_code(history.head.id, query["lead"])
        board = services.boards.look(code) if "lead" in query or "at" not in query else None
        if board and "lead" not in query:  # where the board is now
            items = [*parse_qsl(urlsplit(board.path).query), ("follow", code)]
    line = read_variation(history.head.id, len(history.match), items)
    position = line.position(history.match) if line else None
    if position is None and running:  # what this browser kept was taken back
        return RedirectResponse(analysis_path(history.head.id, len(history.match)), 303)
    if line is None or position is None:
        raise Refused(ErrorCode.NO_PAGE)
    if onward := go_on(line, position, query):
        return RedirectResponse(onward.path(), 303)
    if line.group == ("lead", ""):
        return RedirectResponse(replace(line, group=("lead", context.move)).path(), 303)
    if board and "lead" in query and "look" not in query and board.path != line.shared_path:
        services.limits.count_message(who.holder, client_address(request), plays=False)
        if len(line.shared_path) <= MAX_PATH:
            await services.boards.show(code, line.shared_path)
            board = services.boards.look(code)
    line = replace(line, board=board)
    found, refused = None, False
    if position.legal() and not running:
        try:
            found = await services.insight.analyse(who.holder, client_address(request), position)
        except Refused:
            refused = True
    turn = live_table.turn(history.seats_of(who.holder), wants_own_side(request))
    return HTMLResponse(
        await services.heavy.do(
            analysis_page,
            history.match.copy(),
            line,
            position,
            found,
            refused,
            running,
            turn,
            context,
        )
    )


@page
async def analysis_news(request: Request, services: Services, context: PageContext) -> Response:
    """Return a stream of events: the version of a shared board, for its leader and followers."""
    await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    code = request.query_params.get("follow", "")
    if request.method == "HEAD":
        return Response(media_type="text/event-stream")

    async def events() -> AsyncIterator[bytes]:
        async for version in services.boards.follow(code):
            yield b"data: " + msgspec.json.encode({"version": version}) + b"\n\n"

    return EventStream(services, client_address(request), events())


@form
async def point(request: Request, services: Services, fields: Fields) -> Response:
    """Point at a place of a board that one follows."""
    who = visitor(request)
    name = who.account.name if who.account else ""
    await services.boards.point(field(fields, "follow"), field(fields, "mark"), who.holder, name)
    return Response(status_code=204)
