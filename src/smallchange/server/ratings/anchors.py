"""Anchors: house bots as rows, with fixed ratings from the measured odds between the levels of a game.

A level that makes the share p of the points against the level before it stands SCALE * ln(p / (1 - p)) points above
it, which is 400 * log10(p / (1 - p)). That is the expected score of Glicko-2 solved for the difference, where both
ratings are certain. Source: step 3 of the paper named in `core/glicko2.py`, with g = 1. ZERO_LEVEL of every game stands
at START_RATING, where newcomers begin: so a rating says how strong a player is beside the levels of that game.

The interval of a measured share gives that of the difference. The errors of several steps are independent, because
each is measured by games of its own, so their variances add up.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from math import log, sqrt
from typing import NamedTuple

from sqlalchemy import Connection, select, text

from smallchange.bots.levels import LEVELS, Level, Measurement, load_bots
from smallchange.bots.mean_cost import Z95
from smallchange.core.game import Game
from smallchange.core.glicko2 import SCALE, START_RATING, Rating
from smallchange.server.accounts.rows import account_by_id, account_of_row
from smallchange.server.database import schema
from smallchange.server.table.model.clock import SPEEDS
from smallchange.server.table.model.commands import MAX_NAME
from smallchange.server.table.model.new_tables import BOT_MARK
from smallchange.server.table.view.seats import bot_name
from smallchange.server.web.names import fold_name, skeleton
from smallchange.server.web.sessions import Account, AccountRole, AccountState

ZERO_LEVEL = "level3"


class MeasuredStep(NamedTuple):
    """A level, and its measurement against the level before it."""

    level: str
    measured: Measurement


class Anchor(NamedTuple):
    """The fixed rating of a level: points, and their standard deviation against ZERO_LEVEL.

    `steps` are the measurements that lie between the two.
    """

    level: str
    points: float
    deviation: float
    steps: tuple[MeasuredStep, ...]

    @property
    def rating(self) -> Rating:
        """The rating that opponents are rated against. It never changes, so it has no volatility."""
        return Rating(self.points, self.deviation, 0.0)

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.points - Z95 * self.deviation

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return self.points + Z95 * self.deviation


def anchors(game: Game) -> dict[str, Anchor]:
    """Return the anchors of a game for two, the weakest first.

    A level without a measurement under the present rules has none, and none beyond it. There is none in a game for one.
    """
    return anchors_of(load_bots(game), game.version) if len(game.seats) == 2 else {}


def anchors_of(bots: Mapping[str, Level], version: int) -> dict[str, Anchor]:
    """Return the anchors of these bots, as they were measured under this version of the rules."""
    if ZERO_LEVEL not in bots:
        return {}
    zero = Anchor(ZERO_LEVEL, START_RATING, 0.0, ())
    middle = LEVELS.index(ZERO_LEVEL)
    below = list(_anchors_from(zero, LEVELS[:middle][::-1], bots, version, -1))
    above = list(_anchors_from(zero, LEVELS[middle + 1 :], bots, version, 1))
    return {anchor.level: anchor for anchor in (*below[::-1], zero, *above)} if below or above else {}


def _anchors_from(
    anchor: Anchor, levels: Sequence[str], bots: Mapping[str, Level], version: int, sign: int
) -> Iterator[Anchor]:
    """Yield the anchors of levels, each a step from the one before; `sign` is 1 upwards, and -1 downwards.

    They end at the first level without a measurement that counts.
    """
    for level in levels:
        weaker, stronger = (anchor.level, level) if sign > 0 else (level, anchor.level)
        found = measurement(bots[stronger], weaker, version)
        if found is None:
            return
        anchor = _next(anchor, level, MeasuredStep(stronger, found), sign)
        yield anchor


def measurement(stronger: Level, weaker: str, version: int) -> Measurement | None:
    """Return the measurement of a level against the level before it; None where there is none that counts.

    A share of which the interval reaches 0 or 1 gives no difference.
    """
    found = stronger.measured
    if found is None or found.rules != version or found.against != weaker:
        return None
    return found if 0 < found.low <= found.share <= found.high < 1 else None


def difference(share: float) -> float:
    """Return the points between two players, of whom the better one makes this share of the points.

    >>> round(difference(10 / 11), 2), difference(0.5)
    (400.0, 0.0)
    """
    return SCALE * log(share / (1 - share))


def _next(anchor: Anchor, level: str, step: MeasuredStep, sign: int) -> Anchor:
    """Return the anchor of the level one step above another, or below it for a `sign` of -1."""
    found = step.measured
    error = (difference(found.high) - difference(found.low)) / (2 * Z95)
    points = anchor.points + sign * difference(found.share)
    return Anchor(level, points, sqrt(anchor.deviation**2 + error**2), (*anchor.steps, step))


_PUT_ACCOUNT = text(
    "INSERT INTO account (id, name, folded, skeleton, holder, created, role, state, settings) VALUES "
    "(:id, :name, :folded, :skeleton, :holder, :created, :role, :state, :settings) ON CONFLICT DO NOTHING"
)
_PUT_RATING = text(
    "INSERT INTO rating (account_id, game, speed, points, deviation, volatility, at, matches) "
    "VALUES (:account_id, :game, :speed, :points, :deviation, :volatility, 0, 0) "
    "ON CONFLICT (account_id, game, speed) DO UPDATE SET points = excluded.points, "
    "deviation = excluded.deviation, volatility = excluded.volatility"
)


class HouseBot(NamedTuple):
    """A house bot: its account, the game that it plays, and its fixed rating."""

    account: Account
    game: str
    anchor: Anchor


def house_id(game: str, level: str) -> str:
    """Return the id of the account of a level: the same in every process, so that there is one.

    It is the holder of its seats too. No token has this hash, so nobody can play in its place.
    """
    return f"house-{hashlib.sha256(f'{game} {level}'.encode()).hexdigest()[:24]}"


def house_name(game: Game, level: str, suffix: str = "") -> str:
    """Return the name of the account of a level; its end says that it is a bot."""
    about = f" {bot_name(level).en}{suffix}{BOT_MARK}"
    title = game.words.TITLE.en.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")  # as keyboards have it
    return title[: MAX_NAME - len(about)] + about


def put_house_bots(connection: Connection, game: Game, anchors: Sequence[Anchor], now: int) -> None:
    """Create the house bots of a game that are not there yet, and store the ratings of all.

    Any number of processes may do so at once.
    """
    for anchor in anchors:
        id = house_id(game.id, anchor.level)
        _put_account(connection, game, anchor.level, now)
        for speed in SPEEDS:
            row = {"account_id": id, "game": game.id, "speed": speed} | anchor.rating._asdict()
            connection.execute(_PUT_RATING, row)


def _put_account(connection: Connection, game: Game, level: str, now: int) -> None:
    """Create the account of a level unless it is there, by the first of its names that nobody has."""
    id, tried = house_id(game.id, level), 0
    while account_by_id(connection, id) is None:
        name = house_name(game, level, f" {tried + 1}" if tried else "")
        names = {"name": name, "folded": fold_name(name), "skeleton": skeleton(name)}
        settings = json.dumps({"game": game.id, "level": level})
        row = {
            "id": id,
            "holder": id,
            "created": now,
            "role": AccountRole.HOUSE,
            "state": AccountState.OPEN,
            "settings": settings,
        }
        connection.execute(_PUT_ACCOUNT, row | names)
        tried += 1


def open_house_accounts(connection: Connection) -> dict[str, Account]:
    """Return the accounts of house bots that may play, by id."""
    account = schema.account.c
    rows = connection.execute(
        select(schema.account).where(account.role == AccountRole.HOUSE, account.state == AccountState.OPEN)
    )
    return {row.id: account_of_row(row) for row in rows}
