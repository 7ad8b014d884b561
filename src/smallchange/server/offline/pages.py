"""Offline play: its page, its tables as they begin, the scripts that they need, and the form that brings a record."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.core import record
from smallchange.core.errors import BadRecord
from smallchange.core.game import Game
from smallchange.server.offline import bundle
from smallchange.server.offline.browser_modules import playable_games
from smallchange.server.offline.local_table import LocalTable, table_id
from smallchange.server.offline.view import offline_page
from smallchange.server.table.table_page import table_page
from smallchange.server.web.compression import with_validator
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.forms import Fields, field, form
from smallchange.server.web.frame import PageContext
from smallchange.server.web.pages import STATIC_FOLDER, page
from smallchange.server.web.sessions import client_address, visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services


SCRIPT = "text/javascript"
FIRST_SECRET = bytes(32)  # of the board that a page begins with, until the browser has its own
KEPT_KINDS = (".js", ".css", ".woff2", ".svg", ".png")


@page
async def offline(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page that an installed one shows where the server cannot be reached."""
    games = playable_games() if bundle.is_installed() else ()
    kept = ["/offline", "/offline/python.js", "/offline/brython.js", "/static/pieces.css"]
    kept += [f"/m/{table_id(id)}" for id in games] + [f"/rules/{id}" for id in games]
    kept += [f"/static/{file.relative_to(STATIC_FOLDER)}" for file in _static_files()]
    version = await asyncio.to_thread(bundle.digest) if games else ""
    offered = [(table_id(id), Game(id)) for id in games]
    return HTMLResponse(offline_page(offered, kept, version, context))


def _static_files() -> list[Path]:
    return sorted(file for file in STATIC_FOLDER.rglob("*") if file.suffix in KEPT_KINDS)


@page
async def table(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of a table that the browser plays, as such a table begins."""
    id = request.path_params["game"]
    if not bundle.is_installed() or id not in playable_games():
        raise Refused(ErrorCode.NO_PAGE)
    begun = await asyncio.to_thread(lambda: LocalTable(id, context.lang, FIRST_SECRET).view())
    return HTMLResponse(table_page(begun, context))


@page
async def python_script(request: Request, services: Services, context: PageContext) -> Response:
    """Return the package as JavaScript. It is made when somebody asks for it first."""
    return await _script(request, bundle.PYTHON)


@page
async def brython_script(request: Request, services: Services, context: PageContext) -> Response:
    """Return the runtime of the package's JavaScript."""
    return await _script(request, bundle.BRYTHON)


async def _script(request: Request, name: str) -> Response:
    """Return a script of offline play, compressed beforehand where the client takes that."""
    if not bundle.is_installed():
        raise Refused(ErrorCode.NO_PAGE)
    packed, etag = await bundle.script(name), f'"{bundle.digest()}"'
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return with_validator(request, Response(gzip.decompress(packed), media_type=SCRIPT), etag)
    about = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return with_validator(request, Response(packed, headers=about, media_type=SCRIPT), etag)


@form
async def bring(request: Request, services: Services, fields: Fields) -> Response:
    """Check the record of a game for one that was played offline, and list it among one's games."""
    text = field(fields, "record")
    try:
        match = await asyncio.to_thread(record.verify, text)
    except BadRecord as wrong:
        raise Refused(ErrorCode.BAD_RECORD, why=str(wrong)) from None
    if len(match.seats) != 1 or match.envelope is None:
        raise Refused(ErrorCode.BAD_RECORD, why="only games for one that were played offline are brought")
    with services.limits.opening_table(client_address(request)):
        id = await services.tables.openings.bring(visitor(request).holder, match)
    return RedirectResponse(f"/m/{id}", 303)
