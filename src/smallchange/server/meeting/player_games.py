"""The finished games of an account as rows, filtered; the page that lists them, and the files of their records."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, urlencode

from sqlalchemy import Connection, func, or_, select
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from smallchange.bots.levels import percentage
from smallchange.core import record
from smallchange.core.errors import BadRecord, NoPiecepackGame
from smallchange.core.game import Game, games
from smallchange.core.piecepack_notation import portable_piecepack
from smallchange.i18n.formats import day_at
from smallchange.i18n.text import Text, plain
from smallchange.server.database import schema
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.model.outcome import Points, Status
from smallchange.server.table.storage.store import PAGE_SIZE
from smallchange.server.table.view.seats import bot_name
from smallchange.server.web import phrases as p
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.frame import PageContext, render_page, whole_number
from smallchange.server.web.pages import page
from smallchange.server.web.sessions import Account, client_address, visitor

if TYPE_CHECKING:
    from smallchange.server.services import Services

RESULT_NAMES = {"won": Points.WIN, "drawn": Points.DRAW, "lost": Points.LOSS}  # as queries have them
RESULT_TEXTS = {Points.WIN: p.WON_HEADING, Points.DRAW: p.DRAWN_HEADING, Points.LOSS: p.LOST_HEADING}
TEXT, JSON, PPN = "txt", "json", "ppn"  # kinds of files
MAX_RECORDS = 500  # in a file


def games_page(
    name: str, found: Sequence[FinishedGame], wanted: GameFilter, place: tuple[int, bool], visit: PageContext
) -> str:
    """Return a page of the games of an account. `place` has the number of the page, and whether another follows."""
    number, more = place
    path, query = games_path(name), games_query(wanted)
    results = [(key, RESULT_TEXTS[points], wanted.points == points) for key, points in RESULT_NAMES.items()]
    against = [(PEOPLE, p.PEOPLE), (BOTS, p.BOTS_AS_OPPONENTS)]
    return render_page(
        "player_games.html",
        visit,
        p.GAMES_OF.fill(who=name),
        name=name,
        path=path,
        rows=[game_row(one) for one in found],
        wanted=wanted,
        offered=list(map(Game, games())),
        results=results,
        against=against,
        most=MAX_RECORDS,
        newer=_page_link(path, query, number - 1) if number > 1 else "",
        older=_page_link(path, query, number + 1) if more else "",
        files=[(kind, _page_link(path, query | {"file": kind}, number)) for kind in (TEXT, JSON, PPN)],
    )


def games_path(name: str) -> str:
    """Return the path of the page of an account's games."""
    return f"/played/{quote(name, safe='')}"


def game_row(one: FinishedGame) -> dict[str, object]:
    """Return a finished game as a row of a list."""
    who = bot_name(one.bot) if one.bot and one.bot == one.other else plain(one.other)
    about: list[Text] = [p.AGAINST_WHOM.fill(who=who)] if one.other else []
    about += [p.RATED] if one.rated else []
    about += [p.GIVEN_IN_GAME.fill(share=percentage(one.cost))] if one.cost is not None else []
    return {
        "match": one.match,
        "game": Game(one.game).words.TITLE if one.game in games() else plain(one.game),
        "result": RESULT_TEXTS[Points(one.points)],
        "day": day_at(one.created),
        "about": about,
    }


def games_query(wanted: GameFilter) -> dict[str, str]:
    """Return a filter as the fields of a query.

    >>> games_query(GameFilter("", Points.WIN, "", True))
    {'result': 'won', 'rated': '1'}
    """
    result = next((key for key, points in RESULT_NAMES.items() if points == wanted.points), "")
    fields = {"game": wanted.game, "result": result, "against": wanted.against}
    return {key: value for key, value in fields.items() if value} | ({"rated": "1"} if wanted.rated else {})


def _page_link(path: str, query: dict[str, str], number: int) -> str:
    return f"{path}?{urlencode(query | {'page': str(number)})}"


PEOPLE, BOTS = "people", "bots"  # against whom
MIN_CHOICES = 10  # of a game that counts among the best


class GameFilter(NamedTuple):
    """Which games to list: of a game ("" for all), with these points, against people or bots; `rated`: no others."""

    game: str = ""
    points: int | None = None
    against: str = ""
    rated: bool = False


class FinishedGame(NamedTuple):
    """A finished match of a player, as it counts; `record` is its stored record.

    `other` is the name of the other side, "" for nobody or somebody without one, and `bot` the bot there. `cost` is the
    mean of the odds that a choice gave away, where the match was reviewed. `day`: it played the deal of that day.
    `sealed`: others played its deal, so that the envelope was sealed when the record was stored.
    """

    match: str
    game: str
    created: int
    points: int
    rated: bool
    day: int | None
    sealed: bool
    record: str
    other: str
    bot: str
    cost: float | None


class VisibleGames(NamedTuple):
    """The games of a player that a visitor may see: all, or for `public` those that everybody could find.

    `holder` is the holder of the player's seats, and `today` the number of the day that has not closed.
    """

    holder: str
    public: bool
    today: int


def finished_games(
    connection: Connection, visible: VisibleGames, wanted: GameFilter, limit: int, offset: int = 0
) -> list[FinishedGame]:
    """Return the finished games of a player that count, the newest first."""
    match = schema.match.c
    query = _games(visible, wanted).order_by(match.created.desc(), match.id).limit(limit).offset(offset)
    return [FinishedGame(*row) for row in connection.execute(query)]


def best_games(connection: Connection, visible: VisibleGames, limit: int) -> list[FinishedGame]:
    """Return the games that the player won giving away least per choice, of those that were reviewed."""
    found, match = schema.reviewed_seat.c, schema.match.c
    query = _games(visible, GameFilter(points=Points.WIN)).where(found.choices >= MIN_CHOICES)
    query = query.order_by(found.given_away / found.choices, found.choices.desc(), match.id).limit(limit)
    return [FinishedGame(*row) for row in connection.execute(query)]


def _games(visible: VisibleGames, wanted: GameFilter) -> Any:
    match, seat, found = schema.match.c, schema.seat, schema.reviewed_seat
    own, other = seat.alias(), seat.alias()
    beside = (other.c.match_id == own.c.match_id) & (other.c.number != own.c.number)
    reviewed = (found.c.match_id == own.c.match_id) & (found.c.seat == own.c.number)
    cost = found.c.given_away / func.nullif(found.c.choices, 0)
    sealed = match.day.is_not(None) | match.sealed_until.is_not(None)
    facts = match.id, match.game, match.created, own.c.points, match.rated, match.day, sealed, match.record
    query = select(*facts, func.coalesce(other.c.name, ""), func.coalesce(other.c.bot, ""), cost)
    query = query.select_from(
        schema.match.join(own, own.c.match_id == match.id).outerjoin(other, beside).outerjoin(found, reviewed)
    )
    query = query.where(
        own.c.holder == visible.holder, match.status == Status.OVER, own.c.points.is_not(None)
    )
    query = query.where(match.record.is_not(None), or_(match.day.is_(None), match.day < visible.today))
    if visible.public:
        query = query.where(match.open.is_(True) | match.rated.is_(True) | match.day.is_not(None))
    if wanted.game:
        query = query.where(match.game == wanted.game)
    if wanted.points is not None:
        query = query.where(own.c.points == wanted.points)
    if wanted.against:
        query = query.where(other.c.kind == (SeatKind.BOT if wanted.against == BOTS else SeatKind.PERSON))
    if wanted.rated:
        query = query.where(match.rated.is_(True))
    return query


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


async def games_file(services: Services, found: Sequence[FinishedGame], holder: str, kind: str) -> str:
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
