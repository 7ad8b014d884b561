"""Calls of the API for tournaments."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, field

from smallchange.server.table.http.api import Seated, take_seat
from smallchange.server.table.model.commands import GameId, Id, Time
from smallchange.server.tournaments import model
from smallchange.server.tournaments.kinds import KINDS, kind_of
from smallchange.server.tournaments.model import Phase, TournamentOrder
from smallchange.server.web.api import ApiRequest, Calls

calls = Calls()


class NewTournament(Struct, forbid_unknown_fields=True):
    """Open a tournament.

    `rounds` counts in a Swiss, `minutes` in an arena and a duel. A duel has two entries, who play one deal of a game
    with luck, and no `time` or `name`: it begins at once and closes when both have played; in a game for two it is a
    duplicate pair. The others begin in `begins_in` minutes if two have entered by then.
    """

    name: Annotated[str, Meta(max_length=200)]
    kind: Annotated[str, Meta(extra_json_schema={"enum": list(KINDS)})]
    game: GameId
    time: Time = ""
    rounds: int = 5
    minutes: int = 60
    begins_in: int = 10
    rated: bool = True
    public: bool = False
    options: dict[str, Any] = field(default_factory=dict)


class BotEntries(Struct, forbid_unknown_fields=True):
    """Enter a bot `count` times."""

    bot: str
    count: Annotated[int, Meta(ge=1, le=32)] = 1


class TournamentHead(Struct):
    """A tournament in a list. `begins_at` is in milliseconds since 1970."""

    id: str
    name: str
    kind: str
    game: str
    options: dict[str, Any]
    time: str
    rated: bool
    public: bool
    phase: Phase
    begins_at: int


class Tournaments(Struct):
    """The tournaments for everybody, and yours."""

    public: list[TournamentHead]
    yours: list[TournamentHead]


class TournamentStanding(Struct):
    """A place in the standings.

    `entry` is the number of the participant: the account `name`, or the bot `bot`. `points` are those of the table: a
    win counts 1, in an arena 2. `tie_breaks` decide one after another.
    """

    place: int
    entry: int
    name: str
    bot: str
    withdrawn: bool
    points: float
    tie_breaks: dict[str, float]
    won: int
    drawn: int
    lost: int


class TournamentPairing(Struct):
    """A pairing of two entries; a bye where `second` is null. `points` are null while the match goes on."""

    round: int
    first: int
    second: int | None
    points: list[float] | None
    match: str | None


class TournamentPlay(Struct):
    """The result of an entry on the deal of a duel that has closed: its place, its score, its points, its matches.

    In a duplicate pair there are two `matches`, `won` are the points of both games, which count first, and `score` is
    the sum of their margins.
    """

    entry: int
    place: int
    score: int
    points: float
    matches: list[str]
    won: float


class Tournament(TournamentHead):
    """A tournament. `match` is your match that goes on.

    A duel has `plays` in place of pairings, and the time when its deal closes.
    """

    round: int
    rounds: int
    standings: list[TournamentStanding]
    pairings: list[TournamentPairing]
    match: str | None
    plays: list[TournamentPlay] = field(default_factory=list)
    closes_at: int | None = None


@calls.get("/tournaments")
async def tournaments(request: ApiRequest) -> Tournaments:
    """List the tournaments for everybody, and those that you have opened or entered."""
    public, own = await request.services.tournaments.lists_for(request.account)
    return Tournaments([tournament_head(one) for one in public], [tournament_head(one) for one in own])


@calls.post("/tournaments", status=201, token=True)
async def open_tournament(request: ApiRequest, body: NewTournament) -> Tournament:
    """Open a tournament for those who have its id. Only keepers open one for everybody."""
    order = TournamentOrder(**msgspec.structs.asdict(body))
    return await _tournament(request, await request.services.tournaments.open(request.person, order))


@calls.get("/tournaments/{id}")
async def tournament(request: ApiRequest, id: Id) -> Tournament:
    """Return a tournament: its entries, standings and pairings."""
    return await _tournament(request, id)


@calls.post("/tournaments/{id}/enter", token=True)
async def enter_tournament(request: ApiRequest, id: Id) -> Tournament:
    """Enter a tournament, or come back to it."""
    await request.services.tournaments.enter(request.person, id)
    return await _tournament(request, id)


@calls.post("/tournaments/{id}/withdraw", token=True)
async def withdraw_from_tournament(request: ApiRequest, id: Id) -> Tournament:
    """Withdraw from a tournament. A match that you play goes on."""
    await request.services.tournaments.withdraw(request.known_account, id)
    return await _tournament(request, id)


@calls.post("/tournaments/{id}/bots", token=True)
async def enter_bots(request: ApiRequest, id: Id, body: BotEntries) -> Tournament:
    """Enter a bot that answers at once in a tournament that you have opened."""
    await request.services.tournaments.enter_bots(request.known_account, id, body.bot, body.count)
    return await _tournament(request, id)


@calls.post("/tournaments/{id}/play", token=True)
async def play_duel(request: ApiRequest, id: Id) -> Seated:
    """Begin the deal of a duel, or go on with it.

    Nobody else sees the table until it closes.
    """
    account, open_deal = request.person, request.services.tournaments.open_deal
    return await take_seat(request, lambda holder: open_deal(account, id), None)


@calls.post("/tournaments/{id}/begin", token=True)
async def begin_tournament(request: ApiRequest, id: Id) -> Tournament:
    """Let a tournament that you have opened begin now."""
    await request.services.tournaments.begin(request.known_account, id)
    return await _tournament(request, id)


async def _tournament(request: ApiRequest, id: str) -> Tournament:
    found = await request.services.tournaments.find(id)
    now = request.services.tables.now()
    return tournament_shape(found, request.account.id if request.account else None, now)


def tournament_head(head: model.TournamentHead) -> TournamentHead:
    """Return a tournament for a list."""
    return TournamentHead(**_head_fields(head))


def tournament_shape(found: model.Tournament, account_id: str | None, now: int) -> Tournament:
    """Return a tournament as this account, if any, sees it at a time in milliseconds since 1970."""
    kind, entries = kind_of(found), {one.number: one for one in found.entries}
    active = {entry.number for entry in found.active}
    own = found.entry_of(account_id)
    rows = [
        TournamentStanding(
            row.place,
            row.number,
            entries[row.number].name,
            entries[row.number].bot,
            row.number not in active,
            row.points / kind.point_unit,
            {tie.code: value / tie.unit for tie, value in zip(kind.tie_breaks, row.tie_breaks, strict=True)},
            row.won,
            row.drawn,
            row.lost,
        )
        for row in kind.standings(found, now)
    ]
    pairings = [
        TournamentPairing(
            one.round,
            one.first,
            one.second,
            None if one.points is None else [half / kind.point_unit for half in one.points],
            one.match,
        )
        for one in found.pairings
    ]
    match = kind.running_match(found, own.number) if own else None
    games = found.games_of(own.number) if own else []
    plays = [
        TournamentPlay(
            one.entry,
            one.place,
            one.score.score,
            one.points / kind.point_unit,
            [game.match for game in found.games_of(one.entry)],
            one.score.points / 2,
        )
        for one in kind.results(found, now)
    ]
    return Tournament(
        **_head_fields(found.head),
        round=found.round,
        rounds=kind.round_count(found),
        standings=rows,
        pairings=pairings,
        match=match or next((game.match for game in games if not game.is_over), None),
        plays=plays,
        closes_at=kind.closes_at(found.head) if found.phase == Phase.RUNNING else None,
    )


def _head_fields(head: model.TournamentHead) -> dict[str, Any]:
    return {
        "id": head.id,
        "name": head.name,
        "kind": head.kind,
        "game": head.game,
        "options": head.options,
        "time": head.control,
        "rated": head.rated,
        "public": head.public,
        "phase": head.phase,
        "begins_at": head.begins_at,
    }
