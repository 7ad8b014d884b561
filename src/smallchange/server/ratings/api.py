"""Calls of the API for ratings: the leaderboards of a game."""

from __future__ import annotations

from msgspec import Struct

import smallchange
from smallchange.server.ratings.anchors import HouseBot as StoredHouseBot
from smallchange.server.table.model.commands import GameId
from smallchange.server.web.api import ApiRequest, Calls
from smallchange.server.web.errors import ErrorCode, Refused

calls = Calls()


class HouseBot(Struct):
    """A house bot: an account of this site by which the bot `level` plays `game`, and accepts every challenge.

    Its rating in `points` is fixed at every speed; `low` and `high` are its 95 % interval.
    """

    name: str
    game: str
    level: str
    points: float
    low: float
    high: float


class Leader(Struct):
    """A place on a leaderboard."""

    name: str
    points: float
    deviation: float
    matches: int


class Leaders(Struct):
    """The best accounts in a game, by speed: those whose rating is certain enough.

    `house` are the house bots, which anchor the scale, the weakest first.
    """

    boards: dict[str, list[Leader]]
    house: list[HouseBot]


@calls.get("/ratings/{game}")
async def leaders(request: ApiRequest, game: GameId) -> Leaders:
    """Return the leaderboards of a game, by speed: accounts with enough rated games."""
    if game not in smallchange.games():
        raise Refused(ErrorCode.NO_PAGE)
    boards = await request.services.ratings.leaders(game)
    return Leaders(
        {
            speed: [
                Leader(
                    one.name, one.standing.rating.points, one.standing.rating.deviation, one.standing.matches
                )
                for one in board.leaders
            ]
            for speed, board in boards.items()
        },
        [house_shape(bot) for bot in await request.services.house_bots.all() if bot.game == game],
    )


def house_shape(house: StoredHouseBot) -> HouseBot:
    """Return a house bot as answers have it."""
    anchor = house.anchor
    return HouseBot(house.account.name, house.game, anchor.level, anchor.points, anchor.low, anchor.high)
