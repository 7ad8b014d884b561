"""The pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)

from smallchange import record
from smallchange.draw.parts import whole
from smallchange.draw.theme import stylesheet
from smallchange.text import Text

from . import lists, pages, records
from .asked import game_of, named, seen, variant_of, visited, whole_number
from .guard import address, visitor
from .hub import Hub
from .refused import Refused
from .results import tallies
from .view import Visit

BOTS_FAULTS = ("thinking", "failed")  # refusals after which one may ask again
Page = Callable[[Request, Hub, Visit], Awaitable[Response]]


def page(build: Page) -> Callable[[Request], Awaitable[Response]]:
    """A GET page; what is refused is said on a page of its own."""

    async def respond(request: Request) -> Response:
        visit = visited(request)
        try:
            return await build(request, request.app.state.hub, visit)
        except Refused as wrong:
            match = "" if wrong.code in ("match", "rules") else request.path_params.get("id", "")
            again = f"{request.url.path}?{request.url.query}".rstrip("?") if wrong.code in BOTS_FAULTS else ""
            said = pages.wrong(wrong.text, visit, match=match, again=again)
            return HTMLResponse(said, wrong.status, wrong.headers)

    return respond


async def nothing(request: Request, text: Text, status: int) -> Response:
    """A page that only says why there is none."""
    return HTMLResponse(pages.wrong(text, visited(request)), status)


@page
async def lobby(request: Request, hub: Hub, visit: Visit) -> Response:
    return HTMLResponse(pages.lobby(await lists.lobby(hub.rooms, visitor(request).holder), visit))


@page
async def listed(request: Request, hub: Hub, visit: Visit) -> Response:
    """The lists of the lobby alone, for a page that stays open."""
    return HTMLResponse(pages.lists(await lists.lobby(hub.rooms, visitor(request).holder), visit))


@page
async def mine(request: Request, hub: Hub, visit: Visit) -> Response:
    holder, number = visitor(request).holder, whole_number(request.query_params.get("page", "1"))
    if not number:
        raise Refused("page")
    found, more = await lists.mine(hub.rooms, holder, number)
    results = await tallies(hub.rooms.store, holder) if number == 1 else []
    return HTMLResponse(pages.mine(found, visit, results, number, more))


@page
async def new(request: Request, hub: Hub, visit: Visit) -> Response:
    visit = await named(hub, visitor(request), visit)
    return HTMLResponse(pages.new(game_of(request), visit, dict(request.query_params)))


@page
async def difficulty(request: Request, hub: Hub, visit: Visit) -> Response:
    """How simple players do with the options of the form."""
    fields = dict(request.query_params)
    game = variant_of(request, fields)
    if not hub.difficulty.begun(game):
        hub.variants.spend(address(request))
    return HTMLResponse(pages.difficulty(game, await hub.difficulty.of(game), visit, request.url.query))


@page
async def rules(request: Request, hub: Hub, visit: Visit) -> Response:
    return HTMLResponse(pages.rules(game_of(request), visit))


@page
async def preview(request: Request, hub: Hub, visit: Visit) -> Response:
    """A picture of the game, which messengers show of a link."""
    file = game_of(request).folder / pages.PREVIEW
    if not file.exists():
        raise Refused("page")
    return FileResponse(file)


@page
async def about(request: Request, hub: Hub, visit: Visit) -> Response:
    return HTMLResponse(pages.about(visit))


async def pieces(request: Request) -> Response:
    """What the style sheet says about pieces, which the drawing layer knows."""
    return Response(stylesheet(), media_type="text/css")


@page
async def table(request: Request, hub: Hub, visit: Visit) -> Response:
    id = request.path_params["id"]
    try:
        room = await hub.rooms.current(id)
    except Refused as wrong:
        kept = await records.kept(hub.rooms.store, id, wrong)
        return HTMLResponse(pages.kept(id, kept, wrong.text, visit))
    return HTMLResponse(pages.table(seen(room, request), visit))


@page
async def look(request: Request, hub: Hub, visit: Visit) -> Response:
    room = await hub.rooms.current(request.path_params["id"])
    shown = seen(room, request)
    html = {id: whole(part) for id, part in pages.fragments(shown, visit.lang).items()}
    return JSONResponse({"at": shown.at, "length": shown.length, "ply": shown.ply, "html": html})


@page
async def sheet(request: Request, hub: Hub, visit: Visit) -> Response:
    room = await hub.rooms.current(request.path_params["id"])
    if room.story.head.game.sheet is None:
        raise Refused("page")
    return HTMLResponse(pages.glance(room.story.head.id, room.story.match.position, visit))


@page
async def envelope(request: Request, hub: Hub, visit: Visit) -> Response:
    room = await hub.rooms.current(request.path_params["id"])
    shown = seen(room, request)
    verified = await room.verified() if room.story.ended and room.story.head.proven else None
    return HTMLResponse(pages.envelope(shown, room.story.envelope, verified, visit))


@page
async def review(request: Request, hub: Hub, visit: Visit) -> Response:
    room = await hub.rooms.current(request.path_params["id"])
    made = hub.review(visitor(request).holder, address(request), room.story)
    id, held = room.story.head.id, room.story.held(visitor(request).holder)
    if made.going:
        return HTMLResponse(pages.reviewing(id, made.match, len(made.found), made.total, visit))
    return HTMLResponse(pages.review(id, made.match, made.found, visit, held))


@page
async def record_text(request: Request, hub: Hub, visit: Visit) -> Response:
    id = request.path_params["id"]
    return _download(PlainTextResponse(await records.text(hub.rooms, id)), f"{id}.txt")


@page
async def record_json(request: Request, hub: Hub, visit: Visit) -> Response:
    room = await hub.rooms.current(request.path_params["id"])
    said = Response(record.dumped(room.story.record), media_type="application/json")
    return _download(said, f"{room.story.head.id}.json")


@page
async def invited(request: Request, hub: Hub, visit: Visit) -> Response:
    who = visitor(request)
    room = await hub.rooms.current(await hub.rooms.led(request.path_params["code"]))
    held = room.story.held(who.holder)
    if held or not room.story.waiting:
        return RedirectResponse(f"/m/{room.story.head.id}", 303)
    return HTMLResponse(pages.join(room.view(held), await named(hub, who, visit)))


def _download(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
