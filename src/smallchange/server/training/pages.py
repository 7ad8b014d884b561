"""The pages of training, and the form that answers a puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.server.table.http.forms import table_form
from smallchange.server.training.view import overview_page, page_of_puzzle, puzzle_path, solution_path
from smallchange.server.web.forms import Fields, field
from smallchange.server.web.frame import PageContext
from smallchange.server.web.pages import page
from smallchange.server.web.request_context import game_of
from smallchange.server.web.sessions import visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services


@page
async def overview(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of all games to train."""
    holder = visitor(request).holder
    games, today = await services.training.overview(holder), await services.training.of_day()
    return HTMLResponse(await services.heavy.do(overview_page, games, today, context))


@page
async def next_puzzle(request: Request, services: Services, context: PageContext) -> Response:
    """Lead to the next puzzle of a game."""
    game = game_of(request).id
    id = await services.training.next_puzzle(visitor(request).holder, game)
    return RedirectResponse(puzzle_path(game, id), 303)


@page
async def puzzle(request: Request, services: Services, context: PageContext) -> Response:
    """Return a puzzle, or its solution after an answer."""
    game, id = game_of(request).id, request.path_params["puzzle"]
    shown = await services.training.show(visitor(request).holder, game, id)
    return HTMLResponse(page_of_puzzle(shown, request.query_params, context))


@table_form
async def answer(request: Request, services: Services, fields: Fields) -> Response:
    """Count a choice, and lead to the solution."""
    holder, token = visitor(request).holder, field(fields, "choice")
    shown = await services.training.show(holder, game_of(request).id, request.path_params["puzzle"])
    path = solution_path(shown.puzzle, token, fields)
    await services.training.answer(holder, shown.puzzle, token)
    return RedirectResponse(f"{path}#verdict", 303)
