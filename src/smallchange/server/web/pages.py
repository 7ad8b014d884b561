"""Pages that no feature owns, and the decorator of all pages."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response

from smallchange.i18n.text import Text
from smallchange.render.theme import LIGHT, stylesheet
from smallchange.server.web import view
from smallchange.server.web.errors import ErrorCode, Refused, headers_of, refusal_text
from smallchange.server.web.forms import Fields, field, form
from smallchange.server.web.frame import PREVIEW_FILE, PageContext, render_page
from smallchange.server.web.phrases import INTRO, NAME, PRIVACY
from smallchange.server.web.request_context import ALL, choice_cookie, game_of, is_own_path, page_context
from smallchange.server.web.sessions import client_address, visitor
from smallchange.server.web.static_files import with_validator
from smallchange.server.web.view import PREFERENCES, settings_page

if TYPE_CHECKING:
    from smallchange.server.services import Services

STATIC_FOLDER = Path(__file__).parent / "static"
ICON_SIZES = (192, 512)
# refusals after which there is no table to go back to
UNSEEN = (ErrorCode.NO_TABLE, ErrorCode.RULES_CHANGED, ErrorCode.PAGE_LIMIT, ErrorCode.SEALED)
FLOOD_DELAY_S = 0.25  # for which an address that asks for too many pages waits for the refusal


def page(
    build: Callable[[Request, Services, PageContext], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a page. A refusal is answered with a page of its own."""

    @functools.wraps(build)
    async def respond(request: Request) -> Response:
        context = page_context(request)
        services: Services = request.app.state.services
        try:
            services.limits.pages.take(client_address(request))
            response = await build(request, services, context)
            services.limits.charge_answer(client_address(request), len(getattr(response, "body", b"")))
            return response
        except Refused as wrong:
            if wrong.code == ErrorCode.PAGE_LIMIT:
                await asyncio.sleep(FLOOD_DELAY_S)
            match = "" if wrong.code in UNSEEN else request.path_params.get("id", "")
            headers, path = headers_of(wrong), f"{request.url.path}?{request.url.query}".rstrip("?")
            again = path if "Retry-After" in headers else ""
            body = view.error_page(refusal_text(wrong), context, match=match, again=again)
            return HTMLResponse(body, wrong.code.status, headers)

    return respond


async def error_page(request: Request, text: Text, status: int) -> Response:
    """Return a page that only states an error."""
    return HTMLResponse(view.error_page(text, page_context(request)), status)


@page
async def preview(request: Request, services: Services, context: PageContext) -> Response:
    """Return the picture of the game that messengers show for a link."""
    file = game_of(request).folder / PREVIEW_FILE
    if not file.exists():
        raise Refused(ErrorCode.NO_PAGE)
    found = file.stat()
    return with_validator(request, FileResponse(file), f'"{found.st_mtime_ns:x}-{found.st_size:x}"')


@page
async def about(request: Request, services: Services, context: PageContext) -> Response:
    return HTMLResponse(view.about_page(context))


@page
async def privacy(request: Request, services: Services, context: PageContext) -> Response:
    return HTMLResponse(render_page("privacy.html", context, PRIVACY))


@page
async def settings(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of settings; `back` is the path that its form leads to."""
    back = request.query_params.get("back", "/")
    return HTMLResponse(settings_page(PREFERENCES, context, back if is_own_path(back) else "/"))


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
