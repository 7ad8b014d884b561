"""The pages of training, and the form that answers a puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallchange.server.table.board import quarter_turns
from smallchange.server.table.forms import table_form
from smallchange.server.training.service import Shown
from smallchange.server.training.view import Look, answer_page, overview_page, puzzle_page, puzzle_path
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.forms import Fields, field
from smallchange.server.web.frame import PageContext
from smallchange.server.web.pages import page
from smallchange.server.web.preferences import wants_own_side
from smallchange.server.web.request_context import game_of
from smallchange.server.web.sessions import visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services


@page
async def overview(request: Request, services: Services, context: PageContext) -> Response:
    """Return the page of all games to train."""
    holder = visitor(request).holder
    games, today = await services.training.overview(holder), await services.training.of_day()
    return HTMLResponse(overview_page(games, today, context))


@page
async def next_puzzle(request: Request, services: Services, context: PageContext) -> Response:
    """Lead to the next puzzle of a game."""
    game = game_of(request).id
    id = await services.training.next_puzzle(visitor(request).holder, game)
    return RedirectResponse(puzzle_path(game, id), 303)


@page
async def puzzle(request: Request, services: Services, context: PageContext) -> Response:
    """Return a puzzle; with `answer` the solution, seen before the choice or after one of both moves (`look`).

    `choice` is a move that a page without script asks to confirm.
    """
    game, id, query = game_of(request).id, request.path_params["puzzle"], request.query_params
    shown = await services.training.show(visitor(request).holder, game, id)
    answer, choice = query.get("answer", ""), query.get("choice", "")
    legal = shown.puzzle.position.legal()
    turn = _turn(request, shown)
    if answer:
        looks = [look for look in Look if look == query.get("look", Look.BEFORE)]
        if answer not in legal or not looks:
            raise Refused(ErrorCode.NO_PAGE)
        return HTMLResponse(answer_page(shown, answer, looks[0], turn, context))
    if choice and choice not in legal:
        raise Refused(ErrorCode.NO_PAGE)
    return HTMLResponse(puzzle_page(shown, choice, turn, context))


def _turn(request: Request, shown: Shown) -> int:
    """Return the quarters by which the board is turned for the one who chooses."""
    position = shown.puzzle.position
    return quarter_turns(position.game, [position.s.turn]) if wants_own_side(request) else 0


@table_form
async def answer(request: Request, services: Services, fields: Fields) -> Response:
    """Count a choice, and lead to the solution."""
    game, id, token = game_of(request).id, request.path_params["puzzle"], field(fields, "choice")
    await services.training.answer(visitor(request).holder, game, id, token)
    return RedirectResponse(f"{puzzle_path(game, id)}?{urlencode({'answer': token})}", 303)
