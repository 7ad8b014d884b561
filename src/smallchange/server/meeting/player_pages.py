"""The finished games of an account: a page with filters, and the files of their records."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from smallchange.core import record
from smallchange.core.errors import BadRecord, NoPiecepackGame
from smallchange.core.game import games
from smallchange.core.piecepack_notation import portable_piecepack
from smallchange.server.meeting.finished_games import (
    BOTS,
    PEOPLE,
    FinishedGame,
    GameFilter,
    VisibleGames,
    finished_games,
)
from smallchange.server.meeting.player_games_view import (
    JSON,
    MAX_RECORDS,
    PPN,
    RESULT_NAMES,
    TEXT,
    games_page,
)
from smallchange.server.table.live.services import TableServices
from smallchange.server.table.storage.store import PAGE_SIZE
from smallchange.server.web.account import Account
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.frame import PageContext
from smallchange.server.web.pages import page
from smallchange.server.web.request_context import whole_number
from smallchange.server.web.sessions import client_address, visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services


STEPS_OF_A_RECORD = 100  # about


@page
async def player_games(request: Request, services: Services, context: PageContext) -> Response:
    """Return a page of the finished games of an account that the visitor may see, or a file of their records.

    The file has MAX_RECORDS of them, from the first of the page on.
    """
    account, wanted, number = await _read_query(request, services)
    visible, kind = (
        visible_games(visitor(request).holder, services, account),
        request.query_params.get("file", ""),
    )
    if kind not in ("", *MEDIA_TYPES):
        raise Refused(ErrorCode.NO_PAGE)
    if kind:
        services.limits.records.take(client_address(request))
    offset, most = PAGE_SIZE * (number - 1), MAX_RECORDS if kind else PAGE_SIZE + 1
    found = await services.tables.store.read(lambda c: finished_games(c, visible, wanted, most, offset))
    if not kind:
        place = number, len(found) > PAGE_SIZE
        return HTMLResponse(
            await services.heavy.do(games_page, account.name, found[:PAGE_SIZE], wanted, place, context)
        )
    async with services.long_answers.turn(STEPS_OF_A_RECORD * len(found)):
        text = await games_file(services, found, visitor(request).holder, kind)
    name = f'attachment; filename="small-change-games.{kind}"'
    return Response(text, media_type=MEDIA_TYPES[kind], headers={"Content-Disposition": name})


def visible_games(holder: str, services: Services, account: Account) -> VisibleGames:
    """Return the games of an account that a visitor may see. Refuse if the account shows none."""
    own = holder == account.holder
    if not own and not account.shows_results:
        raise Refused(ErrorCode.NO_PAGE)
    return VisibleGames(account.holder, not own, services.daily.today)


async def _read_query(request: Request, services: Services) -> tuple[Account, GameFilter, int]:
    """Return the account, the filter and the number of the page that a request names."""
    account = await services.accounts.by_name(request.path_params["name"])
    try:
        return account, *read_filter(request.query_params)
    except Refused:
        raise Refused(ErrorCode.NO_PAGE) from None


def read_filter(query: QueryParams) -> tuple[GameFilter, int]:
    """Return the filter and the number of the page that a query names. Refuse values that no game can have."""
    accepted = {"game": (*games(),), "result": (*RESULT_NAMES,), "against": (PEOPLE, BOTS), "rated": ("1",)}
    for name, values in accepted.items():
        if (given := query.get(name, "")) not in ("", *values):
            raise Refused(
                ErrorCode.BAD_MESSAGE, why=f"{name} must be one of {', '.join(values)}, not {given[:40]!r}"
            )
    if not (number := whole_number(given := query.get("page", "1"))):
        raise Refused(ErrorCode.BAD_MESSAGE, why=f"page must be a whole number from 1, not {given[:40]!r}")
    points = RESULT_NAMES.get(query.get("result", ""))
    return GameFilter(
        query.get("game", ""), points, query.get("against", ""), query.get("rated") == "1"
    ), number


MEDIA_TYPES = {TEXT: "text/plain", JSON: "application/json", PPN: "text/plain"}


async def games_file(services: TableServices, found: Sequence[FinishedGame], holder: str, kind: str) -> str:
    """Return the records of these games in one file of a kind.

    A game whose rules have changed since stays in the text alone, and a game without a piecepack is not in PPN.
    """
    texts = []
    for one in found:
        text = one.record
        if one.sealed:
            with suppress(Refused):
                text = await services.tables.live.record_text(one.match, holder)
        texts.append(text)
    return await services.heavy.do(_write, texts, kind)


def _write(texts: Sequence[str], kind: str) -> str:
    if kind == TEXT:
        return "\n".join(texts)
    written = list[str]()
    for text in texts:
        with suppress(BadRecord, NoPiecepackGame):
            match = record.read(text)
            written.append(record.to_json_text(match) if kind == JSON else portable_piecepack(match))
    return f"[{','.join(written)}]\n" if kind == JSON else "\n".join(written)
