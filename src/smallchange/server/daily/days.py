"""The deal of the day: one deal of each game for one, the same for everybody, sealed until its day has closed.

A day is a number: the days since 1 January 1970 in UTC, so that it begins and ends for everybody at the same
moment. Nobody but the player sees a table of the day before it has closed, and nobody sees its envelope: the
luck of one table is that of all others.

A duel has such a deal too. In a game for two it is a *duplicate pair*: two games against the same bot, one from each
side. Each has luck of its own, because the throws of the first would tell those of the second
(`docs/decisions/0011-the-duplicate-pair.md`).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from smallchange.bots.levels import Level, load_bots
from smallchange.core.game import Game, games
from smallchange.i18n.text import Text
from smallchange.server.table.model.clock import DAY_MS

ID_CHARS = 24


def day_number(now_ms: int) -> int:
    """Return the day of a time in milliseconds since 1970.

    >>> day_number(0), day_number(86_399_999), day_number(86_400_000)
    (0, 0, 1)
    """
    return now_ms // DAY_MS


def opening_ms(day: int) -> int:
    """Return when a day begins, in milliseconds since 1970.

    >>> opening_ms(1)
    86400000
    """
    return day * DAY_MS


def closing_ms(day: int) -> int:
    """Return when a day closes, in milliseconds since 1970.

    >>> closing_ms(0)
    86400000
    """
    return opening_ms(day + 1)


@cache
def daily_games() -> tuple[str, ...]:
    """Return the ids of the games for one that have a deal of the day: those that luck has a part in."""
    return tuple(id for id in games() if len(Game(id).seats) == 1 and Game(id).sources)


@cache
def paired_games() -> tuple[str, ...]:
    """Return the ids of the games for two in which duels are duplicate pairs: those that luck has a part in."""
    return tuple(id for id in games() if len(Game(id).seats) == 2 and Game(id).sources)


@cache
def duel_games() -> tuple[str, ...]:
    """Return the ids of the games in which two people play a duel: on one deal, or in a game for two on one pair."""
    return (*daily_games(), *paired_games())


def daily_game(id: str, day: int) -> Game:
    """Return the game as it is played on a day: its presets take turns."""
    offered = Game(id).presets
    if offered is None:
        return Game(id)
    return Game(id, dict(offered.PRESETS[day % len(offered.PRESETS)].options))


def opponent(game: Game) -> Level:
    """Return the bot that everybody meets in a pair: the strongest that answers at once.

    It looks at no clock, so that it plays as well against everybody, however busy the server is.
    """
    return [bot for bot in load_bots(game).values() if bot.instant][-1]


def pair_bot(game: Game) -> str:
    """Return the name of the bot that everybody meets; "" in a game for one."""
    return opponent(game).name if len(game.seats) == 2 else ""


def seat_secret(secret: bytes, game: Game, seat: int) -> bytes:
    """Return the secret of the game that is played from a seat, given that of the deal.

    No secret of a pair tells the other: both are derived one way.
    """
    if len(game.seats) == 1:
        return secret
    return hmac.new(secret, f"seat {seat}".encode(), hashlib.sha256).digest()


def seal_of(secret: bytes) -> str:
    """Return the seal of a secret, which tells nothing of it."""
    return hashlib.sha256(secret).hexdigest()


def table_id(secret: bytes, holder: str) -> str:
    """Return the id of the table on which a holder plays the deal with this secret.

    A holder has one such id, so that a second table cannot be stored. Nobody else can guess it.
    """
    return hmac.new(secret, holder.encode(), hashlib.sha256).hexdigest()[:ID_CHARS]


def streak(days: Collection[int], today: int) -> int:
    """Return how many days in a row were played up to today, or up to yesterday while today is still open.

    >>> streak({5, 6, 7}, today=7), streak({5, 6}, today=7), streak({5}, today=7)
    (3, 2, 0)
    """
    last = today if today in days else today - 1
    n = 0
    while last - n in days:
        n += 1
    return n


class DailyCard(NamedTuple):
    """The deal of a day as a visitor stands at it.

    `match` is their table, None before they begin; `verdict` how it ended, None before. `place` counts from 1, and is 0
    for who has none; `entries` is the number of places, and `worse` of those who did worse. `finished` is the number of
    all who finished in time, and `counts`: the visitor is one of them. `par` is how the best bot ended, None as long as
    that is not told.
    """

    day: int
    game: Game
    match: str | None = None
    verdict: Text | None = None
    place: int = 0
    entries: int = 0
    worse: int = 0
    par: Text | None = None
    finished: int = 0
    counts: bool = False

    @property
    def others(self) -> int:
        """The number of others who have a place."""
        return self.entries - (self.place > 0)


class DailyPlace(NamedTuple):
    """A row of the standings of a day: the table, its player's name, how it ended, and whether it is one's own.

    `place` is 0 for who has none.
    """

    place: int
    match: str
    name: str
    verdict: Text
    own: bool


class DailyStandings(NamedTuple):
    """The standings of a game on a day that has closed, the best first.

    `par` is how the best bot ended, at the table `par_match`.
    """

    game: Game
    entries: int
    places: tuple[DailyPlace, ...]
    par: Text | None
    par_match: str
