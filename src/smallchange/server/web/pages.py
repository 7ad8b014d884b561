"""The pages: GET endpoints that answer with HTML, pictures and records."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from random import SystemRandom

from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)

from smallchange.bots import install_advice
from smallchange.bots.levels import is_explorable
from smallchange.i18n.text import Text
from smallchange.render.markup_diff import whole
from smallchange.render.theme import LIGHT, stylesheet
from smallchange.server import pages as pages
from smallchange.server.ratings.play_ratings import play_ratings
from smallchange.server.ratings.reviewed import reviewed_games
from smallchange.server.services import Services
from smallchange.server.settings import tests_file
from smallchange.server.table import table_lists as lists
from smallchange.server.table.days_off import days_left
from smallchange.server.table.history import History
from smallchange.server.table.live_table import LiveTable
from smallchange.server.table.origins import SealedDeal
from smallchange.server.web.compression import with_validator
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.paths import analysis_path
from smallchange.server.web.phrases import INTRO, NAME
from smallchange.server.web.preferences import wants_own_side
from smallchange.server.web.refusal_texts import refusal_text
from smallchange.server.web.request_context import (
    game_of,
    is_own_path,
    page_context,
    variant_of,
    view_for_request,
    whole_number,
    with_last_name,
)
from smallchange.server.web.sessions import client_address, visitor
from smallchange.server.web.settings_page import PREFERENCES
from smallchange.server.web.status import headers_of, status_of
from smallchange.server.web.view_model import LobbyView, PageContext

MAX_LINE = 500  # tokens of a position to explore
STATIC_FOLDER = Path(__file__).parent / "static"
ICON_SIZES = (192, 512)
RETRIED = (
    ErrorCode.BOTS_BUSY,
    ErrorCode.BOT_FAILED,
    ErrorCode.PAGE_LIMIT,
)  # refusals whose page offers to try again
# refusals after which there is no table to go back to
UNSEEN = (ErrorCode.NO_TABLE, ErrorCode.RULES_CHANGED, ErrorCode.PAGE_LIMIT, ErrorCode.SEALED)
MAX_DEAL_SEARCH_S = 600  # after which nobody finds a deal any more: the server was started again meanwhile
FLOOD_DELAY_S = 0.25  # for which an address that asks for too many pages waits for the refusal
PageBuilder = Callable[[Request, Services, PageContext], Awaitable[Response]]


def page(build: PageBuilder) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a page. A refusal is answered with a page of its own."""

    @functools.wraps(build)
    async def respond(request: Request) -> Response:
        context = page_context(request)
        services: Services = request.app.state.services
        try:
            services.page_limit.take(client_address(request))
            response = await build(request, services, context)
            services.charge_answer(client_address(request), len(getattr(response, "body", b"")))
            return response
        except Refused as wrong:
            if wrong.code == ErrorCode.PAGE_LIMIT:
                await asyncio.sleep(FLOOD_DELAY_S)
            match = "" if wrong.code in UNSEEN else request.path_params.get("id", "")
            again = f"{request.url.path}?{request.url.query}".rstrip("?") if wrong.code in RETRIED else ""
            body = pages.error_page(refusal_text(wrong), context, match=match, again=again)
            return HTMLResponse(body, status_of(wrong.code), headers_of(wrong))

    return respond


async def error_page(request: Request, text: Text, status: int) -> Response:
    """Return a page that only states an error."""
    return HTMLResponse(pages.error_page(text, page_context(request)), status)


@page
async def lobby(request: Request, services: Services, context: PageContext) -> Response:
    return HTMLResponse(pages.lobby_page(await _lobby_view(request, services), context))


async def _lobby_view(request: Request, services: Services) -> LobbyView:
    """Return the lists of the first page, with the challenges of the visitor's account."""
    found = await lists.lobby(services.tables, visitor(request).holder)
    return replace(found, challenges=await _challenge_rows(request, services))


async def _challenge_rows(request: Request, services: Services) -> tuple[dict[str, object], ...]:
    account = visitor(request).account
    waiting = await services.challenges.waiting(account) if account else []
    return tuple(pages.challenge_row(one, account.id) for one in waiting if account)


@page
async def lobby_lists(request: Request, services: Services, context: PageContext) -> Response:
    """Return the lists of the lobby alone, for a page that stays open."""
    return HTMLResponse(pages.lobby_lists(await _lobby_view(request, services), context))


@page
async def watch(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of running games that anybody may watch."""
    return HTMLResponse(pages.watch_page(await lists.watchable(services.tables), context))


@page
async def mine(request: Request, services: Services, context: PageContext) -> Response:
    holder, number = visitor(request).holder, whole_number(request.query_params.get("page", "1"))
    if not number:
        raise Refused(ErrorCode.NO_PAGE)
    found, more = await lists.mine(services.tables, holder, number)
    results = await lists.tallies(services.tables.store, holder) if number == 1 else []
    off = await days_left(services.tables, holder) if number == 1 else (0, 0)
    challenges = await _challenge_rows(request, services) if number == 1 else ()
    own = await services.variants.of_holder(holder) if number == 1 else []
    return HTMLResponse(pages.own_tables_page(found, context, results, number, more, off, challenges, own))


@page
async def statistics(request: Request, services: Services, context: PageContext) -> Response:
    """Return the visitor's own statistics."""
    holder, store = visitor(request).holder, services.tables.store
    results, reviewed = (
        await lists.results_by_game(store, holder),
        await store.read(lambda c: reviewed_games(c, holder)),
    )
    play = await play_ratings(store, holder)
    return HTMLResponse(pages.statistics_page(results, reviewed, play, context))


@page
async def options(request: Request, services: Services, context: PageContext) -> Response:
    context = await with_last_name(services, visitor(request), context)
    return HTMLResponse(pages.options_page(game_of(request), context, dict(request.query_params)))


@page
async def difficulty(request: Request, services: Services, context: PageContext) -> Response:
    """Return how often the simple bot wins with the options of the form; 202 while it still plays."""
    fields = dict(request.query_params)
    game = variant_of(request, fields)
    if not services.difficulty.is_known(game):
        services.difficulty_limit.take(client_address(request))
    found = await services.difficulty.measure_soon(game)
    return HTMLResponse(
        pages.difficulty_page(game, found, context, request.url.query), status_code=200 if found else 202
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
    return HTMLResponse(pages.deal_page(game, waited_s, context), 202)


@page
async def explore(request: Request, services: Services, context: PageContext) -> Response:
    """Return the values of a position of a solved game, and of its moves; `line` has the tokens that lead there."""
    fields = dict(request.query_params)
    game, line = variant_of(request, fields), fields.get("line", "").split()
    if not is_explorable(game) or len(line) > MAX_LINE:
        raise Refused(ErrorCode.NO_PAGE)
    position = game.start()
    try:
        for token in line:
            position.play(token)
    except ValueError:  # a token that is not possible there
        raise Refused(ErrorCode.NO_PAGE) from None
    found = await services.look_up(visitor(request).holder, position)
    return HTMLResponse(pages.explorer_page(game, line, position, found, context))


@page
async def rules(request: Request, services: Services, context: PageContext) -> Response:
    return HTMLResponse(pages.rulebook_page(game_of(request), context))


@page
async def learn(request: Request, services: Services, context: PageContext) -> Response:
    """Return a lesson of the guided first game: the one in the query, by default the first."""
    game, query = game_of(request), request.query_params
    step = whole_number(query.get("step", "0"))
    answered = query.get("answered") != "0"
    if step is None or step >= pages.lesson_count(game) or (not answered and step == 0):
        raise Refused(ErrorCode.NO_PAGE)
    return HTMLResponse(pages.learn_page(game, step, answered, context))


@page
async def preview(request: Request, services: Services, context: PageContext) -> Response:
    """Return the picture of the game that messengers show for a link."""
    file = game_of(request).folder / pages.PREVIEW_FILE
    if not file.exists():
        raise Refused(ErrorCode.NO_PAGE)
    found = file.stat()
    return with_validator(request, FileResponse(file), f'"{found.st_mtime_ns:x}-{found.st_size:x}"')


@page
async def about(request: Request, services: Services, context: PageContext) -> Response:
    return HTMLResponse(pages.about_page(context))


@page
async def fairness(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page on fairness, with the tests of the site's throws where they were published."""
    file = tests_file(Path(services.settings.dump)) if services.settings.dump else None
    tests = json.loads(file.read_text("utf-8")) if file and file.is_file() else None
    return HTMLResponse(pages.fairness_page(tests, context))


@page
async def site_records(request: Request, services: Services, context: PageContext) -> Response:
    """Return the records of all finished games, as they were published last."""
    if not services.settings.dump or not Path(services.settings.dump).is_file():
        raise Refused(ErrorCode.NO_PAGE)
    return FileResponse(services.settings.dump, media_type="application/jsonl")


@page
async def settings(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of settings; `back` is the path that its form leads to."""
    back = request.query_params.get("back", "/")
    return HTMLResponse(pages.settings_page(PREFERENCES, context, back if is_own_path(back) else "/"))


async def manifest(request: Request) -> Response:
    """Return what a browser needs to install the site, in the visitor's language."""
    fields = {
        "id": "/",
        "name": NAME[visitor(request).lang],
        "description": INTRO[visitor(request).lang],
        "lang": visitor(request).lang,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": LIGHT["paper"],
        "theme_color": LIGHT["paper"],
        "icons": [
            {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
            *(
                {
                    "src": f"/static/icon-{size}.png",
                    "sizes": f"{size}x{size}",
                    "type": "image/png",
                    "purpose": "any maskable",
                }
                for size in ICON_SIZES
            ),
        ],
    }
    return JSONResponse(fields, media_type="application/manifest+json")


async def service_worker(request: Request) -> Response:
    """Return the script that keeps static files; at the root, for its scope is the whole site."""
    return FileResponse(STATIC_FOLDER / "service_worker.js", media_type="text/javascript")


async def pieces_css(request: Request) -> Response:
    """Return the style sheet of the pieces, which the drawing layer makes."""
    return with_validator(request, Response(stylesheet(), media_type="text/css"))


@page
async def table(request: Request, services: Services, context: PageContext) -> Response:
    id = request.path_params["id"]
    try:
        live_table = await services.tables.live.current(id, visitor(request).holder)
    except Refused as wrong:
        stored = await services.tables.live.stored_record(id, wrong)
        return HTMLResponse(pages.record_page(id, stored, refusal_text(wrong), context))
    who = visitor(request)
    if who.unread:
        context = replace(context, unread=await services.notifications.mark_read(who.holder, who.account, id))
    head = live_table.history.head
    if head.control or isinstance(head.origin, SealedDeal):
        context = replace(context, tournament=await services.tournaments.of_match(id))
    async with services.long_answers.turn(len(live_table.history.match)):
        return HTMLResponse(
            pages.table_page(
                view_for_request(live_table, request), context, _tip(services, live_table, request)
            )
        )


def _seats_with_tip(history: History, holder: str) -> tuple[int, ...]:
    """Return the seats of a holder who gets a tip after the match; () before its end."""
    return history.seats_of(holder) if history.ending and history.started else ()


def _tip(services: Services, live_table: LiveTable, request: Request) -> str:
    """Return the tip that the page of an ended match begins with."""
    history = live_table.history
    held = _seats_with_tip(history, visitor(request).holder)
    if not held:
        return ""
    found = None if history.sealed else services.reviews.finished_choices(history)
    return pages.tip_markup(history.head.id, history.match, found, held, visitor(request).lang)


@page
async def look_back(request: Request, services: Services, context: PageContext) -> Response:
    live_table = await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    shown = view_for_request(live_table, request)
    html = {id: whole(part) for id, part in pages.all_fragments(shown, context.lang).items()}
    return JSONResponse({"at": shown.at, "length": shown.length, "ply": shown.ply, "html": html})


@page
async def turns(request: Request, services: Services, context: PageContext) -> Response:
    """Return the turn that ends after `?after=` steps and those after it, except the last, to show them again."""
    live_table = await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    held = live_table.history.seats_of(visitor(request).holder)
    shown = live_table.view(held, wants_own_side(request))
    after = whole_number(request.query_params.get("after", ""))
    if after is None or after >= shown.length:
        raise Refused(ErrorCode.NO_PAGE)
    first = live_table.timeline.turn_up_to(after)
    found = [first, *live_table.timeline.turns_after(after)] if first else []
    drawn = pages.turn_fragments(shown, found, context.lang, {})
    html = [{"at": number, "html": changed} for number, _, changed in drawn]
    return JSONResponse({"ply": shown.ply, "turns": html})


@page
async def sheet(request: Request, services: Services, context: PageContext) -> Response:
    live_table = await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    if live_table.history.head.game.reference is None:
        raise Refused(ErrorCode.NO_PAGE)
    return HTMLResponse(
        pages.reference_page(live_table.history.head.id, live_table.history.match.position, context)
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
    return HTMLResponse(pages.envelope_page(shown, live_table.history.envelope, verified, context))


@page
async def review(request: Request, services: Services, context: PageContext) -> Response:
    live_table = await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    made = services.review(visitor(request).holder, client_address(request), live_table.history)
    id, held = live_table.history.head.id, live_table.history.seats_of(visitor(request).holder)
    if made.running:
        return HTMLResponse(
            pages.review_progress_page(id, made.match, made.choices, made.total, context, held)
        )
    at = whole_number(request.query_params.get("at", ""))
    turn = live_table.turn(held, wants_own_side(request))
    return HTMLResponse(pages.review_page(id, made.match, made.choices, context, held, at, turn))


@page
async def tip(request: Request, services: Services, context: PageContext) -> Response:
    """Return the tip for a player of an ended match, and whether it is the last word: a review goes on else."""
    live_table = await services.tables.live.current(request.path_params["id"], visitor(request).holder)
    history, holder = live_table.history, visitor(request).holder
    held = _seats_with_tip(history, holder)
    if not held:
        raise Refused(ErrorCode.NO_PAGE)
    made = services.tip_review(holder, client_address(request), history)
    found = made.choices if made and not made.running else None
    html = pages.tip_markup(history.head.id, history.match, found, held, context.lang)
    return JSONResponse({"html": html, "done": made is None or not made.running})


@page
async def analysis(request: Request, services: Services, context: PageContext) -> Response:
    """Return the analysis board of an ended match: after `at` of its steps and the tokens of `line`.

    With `throw` it leads to the position after an outcome of chance.
    """
    who, query = visitor(request), request.query_params
    live_table = await services.tables.live.current(request.path_params["id"], who.holder)
    history = live_table.history
    if history.sealed:
        raise Refused(ErrorCode.SEALED)
    at, line = whole_number(query.get("at", str(len(history.match)))), query.get("line", "").split()
    if (
        not history.reviewable
        or install_advice()
        or at is None
        or at > len(history.match)
        or len(line) > MAX_LINE
    ):
        raise Refused(ErrorCode.NO_PAGE)
    position = history.match.until(at).position.copy()
    try:
        for token in line:
            position.play(token)
    except ValueError:  # a token that is not possible there
        raise Refused(ErrorCode.NO_PAGE) from None
    id, found, refused = history.head.id, None, False
    if "throw" in query and position.actor == "chance":
        tokens, weights = zip(*position.chances(), strict=True)
        thrown = SystemRandom().choices(tokens, weights)[0]
        return RedirectResponse(analysis_path(id, at, [*line, thrown]), 303)
    if position.legal():
        try:
            found = await services.analyse(who.holder, client_address(request), position)
        except Refused:
            refused = True
    turn = live_table.turn(history.seats_of(who.holder), wants_own_side(request))
    return HTMLResponse(
        pages.analysis_page(id, history.match, (at, line), position, found, refused, turn, context)
    )


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
    return HTMLResponse(pages.join_page(live_table.view(held), await with_last_name(services, who, context)))


def _download(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
