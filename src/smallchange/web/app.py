"""The application: all routes, put together.

Pages (GET; `?lang=en|ja` wins over the cookie, which wins over Accept-Language)

| path | page |
| --- | --- |
| / | lobby |
| /games/GAME | one game's options as a form, and who sits where |
| /games/GAME/difficulty?OPTIONS | how hard a variant is, measured now, for the form of its options |
| /games/GAME/preview.png | what messengers show of a link to the game or to a table of it |
| /rules/GAME | its rulebook; `#anchor` is `View.phase` |
| /m/ID | a table. `?at=N`: as it was after N steps. `?pick=PIECE`: play without JavaScript |
| /m/ID/look?at=N | the same as JSON, {"at": N, "length": steps, "html": {id: markup}}: for looking back |
| /m/ID/sheet | what a player looks up: points so far, actions, pieces; of games that have it |
| /m/ID/envelope | the sealed envelope, explained and verified |
| /m/ID/review | once it is over: the odds after each choice, and what would have been better |
| /m/ID/record.txt, /m/ID/record.json | the record to download |
| /j/CODE | a join link: who opened it first may take the seat by one button; others are led to the table |
| /lists | open tables and one's running games, as the lobby shows them |
| /mine | one's running and finished games; `?page=` |
| /about | what this site is |
| /static/FILE | style sheets, client, icons |
| /healthz, /metrics | for who runs the server |

`added` are words for the luck that the browser adds where somebody types none.

Forms (POST, with `forgery`; all but the first three also `move` and `ply`). Answer: a redirect to
the table's page; if refused, that page itself with `Visit.wrong` and a status that says so.

| path | fields |
| --- | --- |
| /games/GAME | every option by name; `seat.PLAYER` (me, open, bot:NAME); `name`, `words`, `added`; `open` |
| /j/CODE | `name`, `words`, `added` |
| /lang | `lang`, `back` (a path of ours) |
| /theme | `theme` (light, dark, or empty for the system's), `back` |
| /m/ID/act | `token`, or `marks` (several; the ids of `Touch.marks`) |
| /m/ID/undo, /m/ID/resign | |
| /m/ID/offer | `what`: draw, undo |
| /m/ID/answer | `yes`: 1 or 0 |
| /m/ID/hint | the answer is the table's page with the hint; no `move`, for nothing changes |
| /m/ID/again | `same`: 1 for the same deal; else seats are swapped and the luck is fresh |
| /m/ID/fork | `at` |

Socket: /ws, messages in `wire.py`. Programs: /api, described by /api/openapi.json.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from . import api, endpoints, forms
from .bots import Bots
from .bus import bus
from .guard import Guard
from .hub import Hub
from .line import socket
from .refused import WHY, Refused
from .rooms import Rooms
from .settings import Settings
from .store import Store

DEEDS = ("act", "undo", "resign", "offer", "answer")


def app(settings: Settings) -> Guard:
    """The application with these settings. BadSetting for a database or a bus that cannot be."""

    store, told = Store(settings.database), bus(settings.bus, settings.database)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await store.open()
        bots = Bots(settings.bot_workers, settings.bot_seconds)
        rooms = Rooms(store, told, bots)
        await rooms.open()
        app.state.hub = hub = Hub(settings, rooms, bots)
        try:
            yield
        finally:
            await hub.say_closing()
            await hub.reviews.close()
            await rooms.close()
            await store.close()

    routes = [*PAGES, *FORMS, WebSocketRoute("/ws", socket), Mount("/api", routes=api.ROUTES), STATIC]
    inner = Starlette(
        routes=routes, lifespan=lifespan, exception_handlers={404: _lost, 405: _lost, 500: _broken}
    )
    return Guard(inner, settings.secure, _stopped)


async def health(request: Request) -> Response:
    """Does the server answer, and its database?"""
    hub: Hub = request.app.state.hub
    try:
        well = not hub.closing.is_set() and await hub.rooms.store.well()
    except Refused:  # the store has logged why
        well = False
    return JSONResponse({"well": well}, 200 if well else 503)


async def metrics(request: Request) -> Response:
    hub: Hub = request.app.state.hub
    return Response(hub.measures.text(), media_type="text/plain; version=0.0.4")


async def _lost(request: Request, wrong: Exception) -> Response:
    """There is no such page or call, or it is not asked like that."""
    assert isinstance(wrong, HTTPException)
    said = await _said(request, "call" if _by_program(request) else "page", wrong.status_code)
    said.headers.update(wrong.headers or {})  # which methods there are
    return said


async def _broken(request: Request, wrong: Exception) -> Response:
    """A fault of ours: logged by who called us, never shown."""
    return await _said(request, "late", 500)


async def _stopped(request: Request) -> Response:
    return await _said(request, "closing", 503)


async def _said(request: Request, code: str, status: int) -> Response:
    """What was wrong, as a program or a person reads it."""
    if _by_program(request):
        return await api.refused(request, Refused(code), status)
    return await endpoints.nothing(request, WHY[code], status)


def _by_program(request: Request) -> bool:
    return request.url.path.startswith("/api/")


PAGES = [
    Route("/", endpoints.lobby),
    Route("/lists", endpoints.listed),
    Route("/mine", endpoints.mine),
    Route("/about", endpoints.about),
    Route("/games/{game}", endpoints.new),
    Route("/games/{game}/difficulty", endpoints.difficulty),
    Route("/games/{game}/preview.png", endpoints.preview),
    Route("/rules/{game}", endpoints.rules),
    Route("/m/{id}", endpoints.table),
    Route("/m/{id}/look", endpoints.look),
    Route("/m/{id}/sheet", endpoints.sheet),
    Route("/m/{id}/envelope", endpoints.envelope),
    Route("/m/{id}/review", endpoints.review),
    Route("/m/{id}/record.txt", endpoints.record_text),
    Route("/m/{id}/record.json", endpoints.record_json),
    Route("/j/{code}", endpoints.invited),
    Route("/healthz", health),
    Route("/metrics", metrics),
]
FORMS = [
    Route("/games/{game}", forms.open_table, methods=["POST"]),
    Route("/j/{code}", forms.sit_down, methods=["POST"]),
    Route("/lang", forms.remember, methods=["POST"]),
    Route("/theme", forms.remember, methods=["POST"]),
    *(Route(f"/m/{{id}}/{kind}", forms.deed, methods=["POST"]) for kind in DEEDS),
    Route("/m/{id}/hint", forms.hint, methods=["POST"]),
    Route("/m/{id}/again", forms.again, methods=["POST"]),
    Route("/m/{id}/fork", forms.fork, methods=["POST"]),
]
FILES = StaticFiles(directory=Path(__file__).parent / "static", check_dir=False)
STATIC = Mount(
    "/static",
    routes=[Route("/pieces.css", endpoints.pieces), Mount("/", FILES)],
    middleware=[Middleware(GZipMiddleware)],  # of these alone: nothing in them is secret
)
