"""Play offline, on the server: the page that leads to it, the folder of its files, the form that brings a record."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from smallchange.core import record
from smallchange.core.errors import BadRecord
from smallchange.server.web import phrases as p
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.forms import Fields, field, form
from smallchange.server.web.frame import PageContext, render_page
from smallchange.server.web.pages import page
from smallchange.server.web.security import OFFLINE_PATH
from smallchange.server.web.sessions import client_address, visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services


NO_HOME, HOME = 'data-home=""', 'data-home="../../"'  # the path from the folder to this server's own pages


def offline_folder(folder: str) -> Mount:
    """Return the routes of a folder that `smallchange static` has written."""

    async def shell(request: Request) -> Response:
        """Return the folder's page, which here knows of a server to bring games to."""
        text = await asyncio.to_thread(Path(folder, "index.html").read_text, encoding="utf-8")
        return HTMLResponse(text.replace(NO_HOME, HOME, 1))

    files = Mount("/", StaticFiles(directory=folder))
    return Mount(OFFLINE_PATH.rstrip("/"), routes=[Route("/", shell), Route("/index.html", shell), files])


@page
async def offline(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page that an installed one shows where the server cannot be reached."""
    path = OFFLINE_PATH if services.settings.offline else ""
    return HTMLResponse(render_page("offline.html", context, p.OFFLINE_GAMES, path=path))


@form
async def bring(request: Request, services: Services, fields: Fields) -> Response:
    """Check the record of a game that was played offline, and list it among one's games."""
    try:
        match = await services.heavy.do(record.verify, field(fields, "record"))
    except BadRecord as wrong:
        raise Refused(ErrorCode.BAD_RECORD, why=str(wrong)) from None
    if (
        match.envelope is None
        or match.practice
        or (match.ended or {}).get("ended") not in (None, "resigned", "agreed")
    ):
        raise Refused(ErrorCode.BAD_RECORD, why="only games that were played offline are brought")
    with services.limits.opening_table(client_address(request)):
        id = await services.tables.openings.bring(visitor(request).holder, match)
    return RedirectResponse(f"/m/{id}", 303)
