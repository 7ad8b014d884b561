"""Calls of the API for the deals of the day."""

from __future__ import annotations

from msgspec import Struct

from smallchange.server.daily.days import DailyCard
from smallchange.server.table.http.api import Seated, take_seat
from smallchange.server.table.model.commands import GameId, Join
from smallchange.server.web.api import ApiRequest, Calls

calls = Calls()


class Daily(Struct):
    """The deal of the day of a game.

    `match` is your table, null before you begin. `place` counts from 1, and is 0 before you have finished, and for
    guests and accounts that are no older than the day.
    `entries` counts everybody who has finished.
    """

    game: str
    options: dict[str, bool | int | str]
    match: str | None
    place: int
    entries: int


class Dailies(Struct):
    """The deals of a day, counted from 1 January 1970 in UTC, and how long they stay open."""

    day: int
    closes_in_ms: int
    deals: list[Daily]


@calls.get("/daily")
async def daily(request: ApiRequest) -> Dailies:
    """List the deals of the day: the same for everybody."""
    deals = request.services.daily
    cards = await deals.cards(request.holder)
    return Dailies(deals.today, deals.closes_in_ms, [_daily(card) for card in cards])


def _daily(card: DailyCard) -> Daily:
    return Daily(card.game.id, dict(card.game.non_default_options), card.match, card.place, card.finished)


@calls.post("/daily/{game}")
async def play_daily(request: ApiRequest, game: GameId, body: Join) -> Seated:
    """Begin the deal of the day, or go on with it. Nobody else sees the table until the day has closed."""
    request.refuse_bot()
    play = request.services.daily.play
    return await take_seat(request, lambda holder: play(holder, body.name, game), body)
