"""Calls of the API at a table: open and join one, play, follow, and read its record."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import nullcontext
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, field
from starlette.responses import PlainTextResponse, Response

import smallchange
from smallchange import bots as mind
from smallchange.core import record
from smallchange.core.errors import BadRecord
from smallchange.server.table.http.messages import Clock, Ended, Offered, TableState
from smallchange.server.table.http.protocol_page import page
from smallchange.server.table.http.subscription import (
    Subscription,
    clock_of,
    ending_of,
    in_all_languages,
    offer_of,
    state_message,
)
from smallchange.server.table.live import table_lists as lists
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.table_lists import days_left, take_days_off
from smallchange.server.table.model import commands
from smallchange.server.table.model.commands import (
    MAX_PLY,
    Command,
    DaysOff,
    Fork,
    Join,
    JoinCode,
    NewTable,
    Rematch,
    TableId,
)
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.model.new_tables import prepare_game
from smallchange.server.table.view.table_view import WatchedTable as StoredWatchedTable
from smallchange.server.web.api import JSON, ApiRequest, Calls, Error, refusal
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.sessions import new_token, token_hash
from smallchange.server.web.static_files import with_validator

KEEPALIVE_S = 15.0  # between comments on a quiet stream
calls = Calls()


class Option(Struct):
    """An option of a game."""

    name: str
    default: bool | int | str
    accepts: str
    text: dict[str, str]


class Game(Struct):
    """A game that can be played here."""

    id: str
    title: dict[str, str]
    tagline: dict[str, str]
    version: int
    players: list[str]
    minutes: int
    options: list[Option]


class Games(Struct):
    """The games that can be played here, and the names of the bots."""

    games: list[Game]
    bots: list[str]


class Seat(Struct):
    """A seat; an `open` one is still free."""

    player: str
    kind: Annotated[str, Meta(extra_json_schema={"enum": list(SeatKind)})]
    name: str
    you: bool


class SeatRating(Struct):
    """The rating of the account at a seat of a rated table.

    `gain` is the change by this match, null before the match is rated. `provisional`: the deviation is still large.
    """

    points: float
    deviation: float
    provisional: bool
    gain: float | None


class Match(Struct):
    """A table as you see it.

    `options` are those that differ from their defaults. `ply` counts all events and goes with every command.
    `tokens` are the steps that count. `actor` takes the next step ("" while a seat is free, null at the end),
    and `legal` are its tokens, if it is you. `offered` stands until it is answered or a step is taken,
    a draw until the other takes one. `seal` is the SHA-256 of a secret that is published (`secret`) at the end;
    `proven`: all luck was derived from it. `code` is that of the join link, for players only and while a seat is
    free. `practice` is the match that this one was forked from, `again` the rematch. `time` is the time control,
    null for none. `ratings` has those of each player at a rated table. In a game by memory that goes on, `tokens`
    are those of the last turn, and `?` stands in `position` for what earlier ones told. `plan` has the lines that you
    have planned and that still fit.
    """

    match: str
    game: str
    version: int
    options: dict[str, Any]
    ply: int
    started: bool
    actor: str | None
    legal: list[str]
    says: dict[str, str]
    position: str
    tokens: list[str]
    seats: list[Seat]
    undo: bool
    offered: Offered | None
    ended: Ended | None
    seal: str
    secret: str | None
    code: str | None
    practice: str | None
    proven: bool
    again: str | None
    time: str | None
    clock: Clock | None
    rated: bool = False
    plan: list[list[str]] = field(default_factory=list)
    ratings: dict[str, SeatRating] = field(default_factory=dict)


class Conflict(Error):
    """A refusal of a command. After `conflict`, `table` is the current one."""

    table: Match | None = None  # type: ignore[assignment]


class Done(Struct):
    """A command was committed. `done` is the number of its event."""

    done: int
    table: Match


class Seated(Struct):
    """A table where you now have a seat.

    Send `token` as `Authorization: Bearer ..` from now on. It is given once, and only if you sent none.
    """

    match: str
    token: str | None
    table: Match


class Open(Struct):
    """A table with a free seat, open to anyone."""

    match: str
    game: str
    code: str
    name: str
    time: str | None
    rated: bool = False


class Opens(Struct):
    """The tables that are open to anyone."""

    tables: list[Open]


class Sitter(Struct):
    """A player at a running game; `points` is the rating at a rated table."""

    player: str
    name: str
    points: float | None


class WatchedTable(Struct):
    """A running game that anybody may watch, with the number of those who do."""

    match: str
    game: str
    players: list[Sitter]
    time: str | None
    rated: bool
    spectators: int


class Watched(Struct):
    """The running games that anybody may watch, the featured one first: that with the highest ratings."""

    tables: list[WatchedTable]


class Own(Struct):
    """A match of your own, and how it ended."""

    match: str
    game: str
    over: bool
    your_turn: bool
    ended: Ended | None


class Owns(Struct):
    """Your own matches."""

    matches: list[Own]


class Off(Struct):
    """Days off: those left this year, and the time until which you are off, in milliseconds since 1970, or 0."""

    left: int
    until: int


class Verified(Struct):
    """The verdict on a record: `holds` if its steps, its bytes and its luck are valid.

    `practice` is the match that it was forked from: its player may have known the luck before.
    """

    holds: bool
    why: str
    practice: str = ""


class StreamQuery(Struct):
    """The query of a table's stream."""

    ply: Annotated[
        int,
        Meta(
            ge=-1,
            le=MAX_PLY,
            description="The last ply that you have seen of this table; at -1 the first event has all steps.",
        ),
    ] = -1


@calls.get("/games")
async def games(request: ApiRequest) -> Games:
    """List the games, with their options, and the bots."""
    return Games([_game(smallchange.game(id)) for id in smallchange.games()], mind.names())


def _game(game: Any) -> Game:
    options = [
        Option(o.name, o.default, o.accepts.en, in_all_languages(game.words.OPTIONS[o.name]))
        for o in game.offered
    ]
    title, tagline = in_all_languages(game.words.TITLE), in_all_languages(game.words.TAGLINE)
    return Game(game.id, title, tagline, game.version, list(game.seats), game.words.MINUTES, options)


@calls.get("/tables")
async def tables(request: ApiRequest) -> Opens:
    """List the tables open to anyone, except your own."""
    opens = [
        Open(
            t.match,
            t.game,
            t.code,
            next((p.name for p in t.players if p.name), ""),
            str(t.control) if t.control else None,
            t.rated,
        )
        for t in await lists.open_tables(request.services.tables, request.holder)
        if t.code
    ]
    return Opens(opens)


@calls.get("/watch")
async def watch(request: ApiRequest) -> Watched:
    """List running games that anybody may watch, the featured one first; at most 50."""
    return Watched([_watched_table(table) for table in await lists.watchable(request.services.tables)])


def _watched_table(watched: StoredWatchedTable) -> WatchedTable:
    table = watched.listed
    players = [
        Sitter(seat.player, seat.name, seat.rating.points if seat.rating else None) for seat in table.players
    ]
    time = str(table.control) if table.control else None
    return WatchedTable(table.match, table.game, players, time, table.rated, watched.spectators)


@calls.get("/mine", token=True)
async def mine(request: ApiRequest) -> Owns:
    """List your own matches: running ones first, then the newest; at most 50."""
    found, _ = await lists.mine(request.services.tables, request.known_holder)
    return Owns([Own(t.match, t.game, t.over, t.your_turn, await _end(request, t.match)) for t in found])


async def _end(request: ApiRequest, id: str) -> Ended | None:
    """Return how a match ended; None while it goes on, or if its rules have changed."""
    try:
        return ending_of((await request.services.tables.live.table(id)).history)
    except Refused as wrong:
        if wrong.code != ErrorCode.RULES_CHANGED:
            raise
        return None


@calls.post("/days-off", token=True)
async def days_off(request: ApiRequest, body: DaysOff) -> Off:
    """Stop all your clocks by correspondence for so many days, of 30 in a year; with 0 end those that go on."""
    await take_days_off(request.services.tables, request.known_holder, body.days)
    left = await days_left(request.services.tables, request.known_holder)
    return Off(left.days, left.until)


@calls.post("/matches", status=201)
async def create(request: ApiRequest, body: NewTable) -> Seated:
    """Open a table."""
    request.refuse_bot()
    await request.services.heavy.do(prepare_game, body.game, body.options)
    return await take_seat(
        request, lambda holder: request.services.tables.openings.create(holder, body), body
    )


@calls.post("/join/{code}")
async def join(request: ApiRequest, code: JoinCode, body: Join) -> Seated:
    """Take a free seat by the code of a join link."""
    request.refuse_bot()
    return await take_seat(request, lambda holder: request.services.tables.join(holder, code, body), None)


@calls.get("/matches/{id}")
async def match(request: ApiRequest, id: TableId) -> Match:
    """Return a table as you see it."""
    live_table = await request.services.tables.live.current(id, request.holder)
    live_table.touch(live_table.history.seats_of(request.holder))
    return match_shape(live_table, request.holder)


def _add_command(name: str, kind: type[Command]) -> None:
    """Add the call for commands of this kind. Its body has their fields without `match`, which is in the path."""

    async def command(request: ApiRequest, id: TableId, body: Any) -> Done | Response:
        holder = request.known_holder
        live_table = await request.services.tables.live.current(id, request.holder)
        fields = {"is": kind.__struct_config__.tag, "match": live_table.history.head.id}
        sent = msgspec.convert(fields | msgspec.to_builtins(body), kind)
        try:
            done = await request.services.execute(holder, sent)
        except Refused as wrong:
            if wrong.code != ErrorCode.CONFLICT:
                raise
            now = match_shape(await request.services.tables.live.table(id), request.holder)
            return refusal(request.request, wrong, shape=Conflict, table=now)
        return Done(done, match_shape(live_table, request.holder))

    fields = [(f.encode_name, f.type) for f in msgspec.structs.fields(kind) if f.name != "match"]
    body = msgspec.defstruct(
        kind.__name__, fields, namespace={"__doc__": kind.__doc__}, forbid_unknown_fields=True
    )
    command.__name__, command.__doc__ = name, kind.__doc__
    command.__annotations__ |= {"body": body, "return": Done}
    calls.post(f"/matches/{{id}}/{name}", token=True, errors=((409, Conflict),))(command)


COMMANDS: dict[str, type[Command]] = {
    "act": commands.PlayMove,
    "undo": commands.Undo,
    "resign": commands.Resign,
    "offer": commands.Offer,
    "answer": commands.Answer,
    "abort": commands.Abort,
    "claim": commands.Claim,
    "plan": commands.PlanMoves,
}
for _name, _kind in COMMANDS.items():
    _add_command(_name, _kind)


@calls.post("/matches/{id}/again")
async def again(request: ApiRequest, id: TableId, body: Rematch) -> Seated:
    """Open a rematch, seats swapped.

    Where another person has to agree, this asks them, and the answer is the table that is over: its `again` is the
    rematch once they have agreed, as they do by the same call.
    """
    return await take_seat(request, lambda holder: request.services.tables.rematch(holder, id, body), body)


@calls.post("/matches/{id}/fork")
async def fork(request: ApiRequest, id: TableId, body: Fork) -> Seated:
    """Open a practice table from an earlier step."""
    return await take_seat(
        request, lambda holder: request.services.tables.openings.fork(holder, id, body), body
    )


@calls.get("/matches/{id}/stream")
async def stream(request: ApiRequest, id: TableId, query: StreamQuery) -> AsyncIterator[TableState | None]:
    """Send events until the match has ended: the table as in the socket's `state`, at once and after every change."""
    return _changes(request, await request.services.tables.live.current(id, request.holder), query.ply)


async def _changes(request: ApiRequest, live_table: LiveTable, ply: int) -> AsyncIterator[TableState | None]:
    """Yield each change of a table, and None while nothing changes."""
    news = asyncio.Event()
    seats = live_table.history.seats_of(request.holder)
    known = ply if ply <= live_table.history.ply else -1
    subscription = Subscription(live_table, seats, False, known, news.set)
    request.services.streams.add(news)
    request.services.tables.live.watch(live_table, subscription.notify, seats)
    news.set()
    try:
        while not request.services.closing.is_set():
            try:
                await asyncio.wait_for(news.wait(), KEEPALIVE_S)
            except TimeoutError:
                yield None
                continue
            news.clear()
            subscription.refresh_seats(request.holder)
            message = state_message(subscription)
            if message is not None:
                message.now = request.services.tables.now()
                yield message
            if subscription.live_table.history.ending:
                return
    finally:
        request.services.streams.discard(news)
        request.services.tables.live.leave(subscription.live_table, subscription.notify, subscription.seats)


@calls.get("/matches/{id}/record.txt", kind="text/plain")
async def record_text(request: ApiRequest, id: TableId) -> Response:
    """Return the record as text."""
    answer = PlainTextResponse(await request.services.tables.live.record_text(id, request.holder))
    return with_validator(request.request, answer)


@calls.get("/matches/{id}/record.json")
async def record_json(request: ApiRequest, id: TableId) -> Response:
    """Return the record as JSON."""
    answer = Response(
        (await request.services.tables.live.current(id, request.holder)).record_json, media_type=JSON
    )
    return with_validator(request.request, answer)


@calls.post("/verify", limit="records")
async def verify(request: ApiRequest, body: str) -> Verified:
    """Check a record, as text or JSON."""
    try:
        match = await request.services.heavy.do(record.verify, body)
    except BadRecord as wrong:
        return Verified(False, str(wrong))
    return Verified(True, "", match.practice)


@calls.get("/protocol", kind="text/markdown")
async def protocol(request: ApiRequest) -> Response:
    """Describe the messages over the socket."""
    return PlainTextResponse(page(request.services.settings), media_type="text/markdown")


async def take_seat(
    request: ApiRequest, sit: Callable[[str], Awaitable[str]], order: Struct | None
) -> Seated:
    """Take a seat for the holder of the token or, without one, for a new holder. `sit` returns the table's id.

    `order` is that of a table that is opened; None where one is joined, which counts nothing.
    """
    token = request.token or new_token()
    holder = request.holder or token_hash(token)
    listed, searched = getattr(order, "open", False), bool(getattr(order, "difficulty", ""))
    counting = request.services.limits.opening_table(request.address, listed, searched)
    with counting if order else nullcontext():
        id = await sit(holder)
    live_table = await request.services.tables.live.table(id)
    return Seated(id, None if request.token else token, match_shape(live_table, holder))


def match_shape(live_table: LiveTable, holder: str) -> Match:
    """Return the table as this holder sees it."""
    history = live_table.history
    view = live_table.view(history.seats_of(holder))
    control = history.head.control
    secret = view.envelope.secret
    return Match(
        match=view.match,
        game=view.game,
        version=history.head.version,
        options=dict(view.options),
        ply=view.ply,
        started=view.started,
        actor=history.actor,
        legal=sorted(choice.token for choice in view.choices),
        says=in_all_languages(view.prompt),
        position=history.position_text,
        tokens=[entry.token for entry in view.log],
        seats=[Seat(s.player, s.kind, s.name, s.you) for s in view.seats],
        undo=view.undo_text is not None,
        offered=offer_of(history, view.own_seats),
        ended=ending_of(history),
        seal=view.envelope.seal,
        secret=secret.hex() if secret else None,
        code=history.head.code if view.invite_path else None,
        practice=view.parent,
        proven=view.is_proven,
        again=view.rematch,
        time=str(control) if control else None,
        clock=clock_of(live_table),
        rated=history.head.rated,
        plan=[list(planned.line) for planned in view.plan],
        ratings={
            s.player: SeatRating(s.rating.points, s.rating.deviation, s.rating.provisional, s.rating.gain)
            for s in view.seats
            if s.rating
        },
    )
