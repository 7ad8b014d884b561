"""The application: the routes of all features, put together. `smallchange server admin routes` lists them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from smallchange.server.accounts import api as accounts_api
from smallchange.server.accounts import pages as account_forms
from smallchange.server.daily import api as daily_api
from smallchange.server.daily import pages as daily_pages
from smallchange.server.database.bus import bus_for
from smallchange.server.insight import api as insight_api
from smallchange.server.insight import pages as insight_pages
from smallchange.server.meeting import api as meeting_api
from smallchange.server.meeting import pages as meeting_pages
from smallchange.server.meeting import player_games
from smallchange.server.meeting.seeking import PairingWorker
from smallchange.server.moderation import pages as keeper_pages
from smallchange.server.notifications import pages as notification_pages
from smallchange.server.notifications.outbox import Notifier, import_senders
from smallchange.server.offline import pages as offline_pages
from smallchange.server.ratings import api as ratings_api
from smallchange.server.ratings.service import RatingWorker
from smallchange.server.services import Services, table_service
from smallchange.server.settings import Settings
from smallchange.server.table.http import api as table_api
from smallchange.server.table.http import forms as table_forms
from smallchange.server.table.http import pages as table_pages
from smallchange.server.table.http.connection import websocket_endpoint
from smallchange.server.table.live.bot_workers import BotWorkers
from smallchange.server.table.live.clock_worker import ClockWorker
from smallchange.server.table.model.commands import (
    Abort,
    Answer,
    Claim,
    Offer,
    PlanMoves,
    PlayMove,
    Resign,
    Undo,
    word_of,
)
from smallchange.server.table.storage.retention import Cleaner
from smallchange.server.table.storage.store import Store
from smallchange.server.tournaments import api as tournament_api
from smallchange.server.tournaments import pages as tournament_pages
from smallchange.server.tournaments.director import Director
from smallchange.server.training import pages as training_pages
from smallchange.server.web import pages
from smallchange.server.web.api import Calls, api_routes, refusal, with_description
from smallchange.server.web.errors import UNAVAILABLE, UNAVAILABLE_WAIT_S, ErrorCode, Refused, headers_of
from smallchange.server.web.path_prefix import PathPrefix, PathPrefixMiddleware
from smallchange.server.web.security import CsrfMiddleware, SecurityMiddleware
from smallchange.server.web.sessions import client_address
from smallchange.server.web.static_files import CompressionMiddleware, PageFiles, documentation

COMMANDS = [word_of(kind) for kind in (PlayMove, Undo, Resign, Offer, Answer, Abort, Claim, PlanMoves)]
API = with_description(
    Calls(
        chain(
            table_api.calls,
            insight_api.calls,
            accounts_api.calls,
            ratings_api.calls,
            meeting_api.calls,
            tournament_api.calls,
            daily_api.calls,
        )
    )
)
METRICS_TYPE = "text/plain; version=0.0.4"


def app(settings: Settings) -> SecurityMiddleware:
    """Return the application with these settings. Raise BadSetting for the database."""
    if settings.site:
        import_senders(bool(settings.mail_server))
    store, bus = Store(settings.database), bus_for(settings.database)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await store.open()
        await store.site.look(store.read)
        bots = BotWorkers(settings.bot_workers, settings.bot_seconds, settings.bot_simulations or None)
        tables = table_service(store, bus, bots, pace_s=settings.arena_pace)
        await tables.open()
        clock = ClockWorker(tables, ends=settings.roles == "all")
        await clock.look()
        app.state.services = services = Services(settings, tables, bots)
        await services.house_bots.open()
        services.begin_role(clock)
        if settings.roles == "all":
            for role in (RatingWorker(tables), PairingWorker(tables), Director(tables), Cleaner(tables)):
                services.begin_role(role)
            services.begin_role(Notifier(tables, settings))
            services.insight.begin()
        services.metrics.add_refused(whole.gate.refused)
        watching = [
            asyncio.create_task(services.metrics.measure_loop()),
            asyncio.create_task(store.site.follow(store.read, services.close_blocked)),
        ]
        try:
            yield
        finally:
            for task in watching:
                task.cancel()
            await services.announce_shutdown()
            await services.insight.close()
            await services.end_roles()
            await tables.close()
            await store.close()

    inner = Starlette(
        routes=[
            *ROUTES,
            *([documentation(settings.docs)] if settings.docs else []),
            *([offline_pages.offline_folder(settings.offline)] if settings.offline else []),
        ],
        lifespan=lifespan,
        middleware=[
            Middleware(CompressionMiddleware),
            Middleware(PathPrefixMiddleware, PathPrefix(settings.path_prefix)),
            Middleware(CsrfMiddleware, settings.origins, _other_origin),
        ],
        exception_handlers={404: _not_found, 405: _not_found, 500: _internal_error},
    )
    whole = SecurityMiddleware(inner, settings, _shutdown_response)
    return whole


class RouteLine(NamedTuple):
    """A route in the list of all: a method, or "WS" for a socket, the path, and the function that answers."""

    method: str
    path: str
    endpoint: Callable[..., Any]


def route_lines(routes: Sequence[BaseRoute] | None = None, above: str = "") -> Iterator[RouteLine]:
    """Yield all routes of the application."""
    for row in ROUTES if routes is None else routes:
        if isinstance(row, Mount) and row.routes:
            yield from route_lines(row.routes, above + row.path)
        elif isinstance(row, Mount):
            yield RouteLine("GET", f"{above}{row.path}/{{file}}", type(row.app))
        elif isinstance(row, WebSocketRoute):
            yield RouteLine("WS", above + row.path, row.endpoint)
        elif isinstance(row, Route):
            for method in (row.methods or set()) - {"HEAD"}:
                yield RouteLine(method, above + row.path, row.endpoint)


async def health(request: Request) -> Response:
    """Answer whether this process can serve, by the status; and what is lacking beside it.

    A proxy must not take all processes away where another part is lacking. With the query `all` that is 503 too.
    """
    services: Services = request.app.state.services
    try:
        serves = not services.draining and await services.tables.store.is_healthy()
    except Refused:  # the store has logged why
        serves = False
    lacking, is_starting = await services.lacking() if serves else ([], False)
    body: dict[str, object] = {"well": serves and not lacking}
    body |= ({"lacking": lacking} if lacking else {}) | ({"starting": True} if is_starting else {})
    if serves and not (lacking and "all" in request.query_params):
        return JSONResponse(body)
    return JSONResponse(body, UNAVAILABLE, {"Retry-After": str(UNAVAILABLE_WAIT_S)})


async def metrics(request: Request) -> Response:
    """Answer with the metrics for Prometheus."""
    services: Services = request.app.state.services
    await services.read_backlog()
    return Response(services.metrics.text(), media_type=METRICS_TYPE)


async def _not_found(request: Request, wrong: Exception) -> Response:
    """Answer that the page or call does not exist, or not with this method."""
    assert isinstance(wrong, HTTPException)
    code = ErrorCode.NO_CALL if _is_api(request) else ErrorCode.NO_PAGE
    response = await _counted_error_response(request, code, wrong.status_code)
    response.headers.update(wrong.headers or {})  # which methods there are
    return response


async def _internal_error(request: Request, wrong: Exception) -> Response:
    """Answer a fault of the server, which uvicorn has logged."""
    return await _error_response(request, ErrorCode.OUTCOME_UNKNOWN, 500)


async def _other_origin(request: Request) -> Response:
    """Answer a request that another site's page made a browser send."""
    return await _counted_error_response(request, ErrorCode.OTHER_ORIGIN, ErrorCode.OTHER_ORIGIN.status)


async def _shutdown_response(request: Request) -> Response:
    """Answer a request that the stop of the server has cut off."""
    return await _error_response(request, ErrorCode.SHUTTING_DOWN, 503)


async def _counted_error_response(request: Request, code: ErrorCode, status: int) -> Response:
    """Answer a refusal that counts as a page of its address. Over the limit, the connection ends with the answer."""
    services: Services = request.app.state.services
    try:
        services.limits.pages.take(client_address(request))
    except Refused as wrong:
        closing = {**headers_of(wrong), "Connection": "close"}
        if not _is_api(request):
            return PlainTextResponse("", wrong.code.status, closing)
        response = refusal(request, wrong)
        response.headers.update(closing)
        return response
    return await _error_response(request, code, status)


async def _error_response(request: Request, code: ErrorCode, status: int) -> Response:
    """Answer a refusal to a program as JSON, to a person as a page."""
    if _is_api(request):
        return refusal(request, Refused(code), status)
    response = await pages.error_page(request, code.text, status)
    response.headers.update(headers_of(Refused(code)) if status == UNAVAILABLE else {})
    return response


def _is_api(request: Request) -> bool:
    return request.url.path.startswith("/api/")


PAGES = [
    Route("/", meeting_pages.lobby),
    Route("/lists", meeting_pages.lobby_lists),
    Route("/mine", meeting_pages.mine),
    Route("/watch", meeting_pages.watch),
    Route("/mine/statistics", insight_pages.statistics),
    Route("/mine/next", notification_pages.next_waiting),
    Route("/notifications", notification_pages.notifications),
    Route("/notifications/count", notification_pages.count),
    Route("/notifications/confirm/{code}", notification_pages.ask_to_confirm),
    Route("/notifications/unsubscribe/{code}", notification_pages.ask_to_unsubscribe),
    Route("/about", pages.about),
    Route("/privacy", pages.privacy),
    Route("/fairness", table_pages.fairness),
    Route("/fairness/games.jsonl", table_pages.site_records),
    Route("/settings", pages.settings),
    Route("/offline", offline_pages.offline),
    Route("/manifest.webmanifest", pages.manifest),
    Route("/service_worker.js", pages.service_worker),
    Route("/account", account_forms.account_page),
    Route("/account/export.json", account_forms.export),
    Route(account_forms.AUTHENTICATE, account_forms.authenticate_page),
    Route("/account/bots", account_forms.bots),
    Route("/daily", daily_pages.today),
    Route("/daily/{day}", daily_pages.standings),
    Route("/daily/{game}/picture.svg", daily_pages.picture),
    Route("/daily/{game}/picture.png", daily_pages.picture_png),
    Route("/play", meeting_pages.play),
    Route("/play/{id}", meeting_pages.seek),
    Route("/play/{id}/news", meeting_pages.seek_news),
    Route("/challenges/{id}", meeting_pages.challenge),
    Route("/challenges/{id}/news", meeting_pages.challenge_news),
    Route("/tournaments", tournament_pages.tournaments),
    Route("/tournaments/{tournament}", tournament_pages.tournament),
    Route("/tournaments/{tournament}/news", tournament_pages.news),
    Route("/people", meeting_pages.find_profile),
    Route("/people/{name:path}", meeting_pages.profile),
    Route("/played/{name:path}", player_games.player_games),
    Route("/ratings/{game}", meeting_pages.leaders),
    Route("/games/{game}", table_pages.options),
    Route("/games/{game}/difficulty", insight_pages.difficulty),
    Route("/games/{game}/deal/{table}", table_pages.deal),
    Route("/games/{game}/draw", table_pages.editor),
    Route("/games/{game}/solved", insight_pages.explore),
    Route("/games/{game}/preview.png", pages.preview),
    Route("/rules/{game}", insight_pages.rules),
    Route("/learn/{game}", insight_pages.learn),
    Route("/train", training_pages.overview),
    Route("/train/{game}", training_pages.next_puzzle),
    Route("/train/{game}/{puzzle}", training_pages.puzzle),
    Route("/m/{id}", table_pages.table),
    Route("/m/{id}/look", table_pages.look_back),
    Route("/m/{id}/turns", table_pages.turns),
    Route("/m/{id}/ahead", table_pages.ahead),
    Route("/m/{id}/sheet", table_pages.sheet),
    Route("/m/{id}/envelope", table_pages.envelope),
    Route("/m/{id}/card", table_pages.card),
    Route("/m/{id}/card.svg", table_pages.card_picture),
    Route("/m/{id}/card.png", table_pages.card_png),
    Route("/m/{id}/review", insight_pages.review),
    Route("/m/{id}/tip", insight_pages.tip),
    Route("/m/{id}/analysis", insight_pages.analysis),
    Route("/m/{id}/analysis/news", insight_pages.analysis_news),
    Route("/m/{id}/record.txt", table_pages.record_text),
    Route("/m/{id}/record.json", table_pages.record_json),
    Route("/m/{id}/report", keeper_pages.ask),
    Route("/m/{id}/players/{seat:int}", meeting_pages.profile_of_seat),
    Route("/keepers", keeper_pages.keepers),
    Route("/j/{code}", table_pages.join),
    Route("/healthz", health),
    Route("/metrics", metrics),
]
FORMS = [
    Route("/games/{game}", table_forms.open_table, methods=["POST"]),
    Route("/daily/{game}", daily_pages.play, methods=["POST"]),
    Route("/train/{game}/{puzzle}", training_pages.answer, methods=["POST"]),
    Route("/j/{code}", table_forms.join, methods=["POST"]),
    Route("/play", meeting_pages.begin_seek, methods=["POST"]),
    Route("/play/{id}/bot", meeting_pages.play_house_bot, methods=["POST"]),
    Route("/play/{id}/withdraw", meeting_pages.withdraw_seek, methods=["POST"]),
    Route("/challenges/{id}/answer", meeting_pages.answer_challenge, methods=["POST"]),
    Route("/tournaments", tournament_pages.open_tournament, methods=["POST"]),
    Route("/tournaments/{tournament}/enter", tournament_pages.enter, methods=["POST"]),
    Route("/tournaments/{tournament}/withdraw", tournament_pages.withdraw, methods=["POST"]),
    Route("/tournaments/{tournament}/begin", tournament_pages.begin, methods=["POST"]),
    Route("/tournaments/{tournament}/play", tournament_pages.open_deal, methods=["POST"]),
    Route("/tournaments/{tournament}/bots", tournament_pages.enter_bots, methods=["POST"]),
    Route("/people/{name:path}/challenge", meeting_pages.send_challenge, methods=["POST"]),
    Route("/people/{name:path}/block", meeting_pages.block, methods=["POST"]),
    Route("/people/{name:path}/follow", meeting_pages.follow, methods=["POST"]),
    Route("/mine/days-off", table_forms.days_off, methods=["POST"]),
    Route("/notifications/read", notification_pages.mark_read, methods=["POST"]),
    Route("/notifications/choose", notification_pages.choose, methods=["POST"]),
    Route("/notifications/mail", notification_pages.mail, methods=["POST"]),
    Route("/notifications/push", notification_pages.begin_push, methods=["POST"]),
    Route("/notifications/push/end", notification_pages.end_push, methods=["POST"]),
    Route("/notifications/confirm/{code}", notification_pages.confirm, methods=["POST"]),
    Route("/notifications/unsubscribe/{code}", notification_pages.unsubscribe, methods=["POST"]),
    Route("/lang", pages.save_preference, methods=["POST"]),
    Route("/theme", pages.save_preference, methods=["POST"]),
    Route("/settings", pages.save_settings, methods=["POST"]),
    *(Route(f"/m/{{id}}/{kind}", table_forms.execute, methods=["POST"]) for kind in COMMANDS),
    Route("/m/{id}/hint", table_forms.hint, methods=["POST"]),
    Route("/m/{id}/say", table_forms.say, methods=["POST"]),
    Route("/m/{id}/mute", table_forms.mute, methods=["POST"]),
    Route("/m/{id}/rematch", table_forms.rematch, methods=["POST"]),
    Route("/m/{id}/fork", table_forms.fork, methods=["POST"]),
    Route("/m/{id}/point", insight_pages.point, methods=["POST"]),
    Route("/m/{id}/report", keeper_pages.report, methods=["POST"]),
    Route("/keepers/act", keeper_pages.act, methods=["POST"]),
    Route("/keepers/unban", keeper_pages.unban, methods=["POST"]),
    Route("/keepers/block", keeper_pages.block, methods=["POST"]),
    Route("/keepers/unblock", keeper_pages.block, methods=["POST"]),
    *(Route(path, endpoint, methods=["POST"]) for path, endpoint in account_forms.FORMS.items()),
    Route("/account/bots", account_forms.create_bot, methods=["POST"]),
    Route("/account/bots/token", account_forms.add_bot_token, methods=["POST"]),
    Route("/account/bots/revoke", account_forms.revoke_bot_token, methods=["POST"]),
    Route("/account/bots/remove", account_forms.remove_bot, methods=["POST"]),
    Route("/offline/bring", offline_pages.bring, methods=["POST"]),
]
STATIC = Mount(
    "/static",
    routes=[Route("/pieces.css", pages.pieces_css), Mount("/", PageFiles(directory=pages.STATIC_FOLDER))],
)
ROUTES: list[BaseRoute] = [
    *PAGES,
    *FORMS,
    WebSocketRoute("/ws", websocket_endpoint),
    Mount("/api", routes=api_routes(API)),
    STATIC,
]
