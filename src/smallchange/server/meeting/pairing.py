"""Quick pairing: from the people who look for a game, the pairs that begin one now.

Pure functions of the seeks and the time. Two people are paired in a game that both want, at a time that both want, if
their ratings are near enough. The window of ratings widens while one waits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from smallchange.core.glicko2 import START_RATING
from smallchange.server.table.model.new_tables import Wish

if TYPE_CHECKING:  # the table, which knows wishes, is loaded before the accounts of house bots
    from smallchange.server.ratings.anchors import HouseBot

START_WINDOW = 200.0  # points between two ratings that may meet at once
WIDENING = 20.0  # points a second, of a seek that waits
MAX_NEIGHBOURS = 10  # seeks that are looked at on either side, by rating


class HouseOffer(NamedTuple):
    """A rated game against a house bot, offered to somebody who looks for an opponent."""

    bot: HouseBot
    wish: Wish


class Seek(NamedTuple):
    """Somebody looks for a game: any of the wishes, rated or not, since a time in milliseconds since 1970.

    `points` has the account's ratings, by game and speed.
    """

    id: str
    account: str
    wishes: tuple[Wish, ...]
    rated: bool
    since: int
    points: Mapping[tuple[str, str], float] = {}

    def points_for(self, wish: Wish) -> float:
        """Return the rating that counts for a wish."""
        return self.points.get((wish.game, wish.speed), START_RATING)


class Pair(NamedTuple):
    """Two seeks that begin a match, and the wish that both have."""

    first: Seek
    second: Seek
    wish: Wish


def window(seek: Seek, now: int) -> float:
    """Return the distance in points at which a seek accepts an opponent now.

    >>> window(Seek("s", "a", (), True, 0), 10_000)
    400.0
    """
    return START_WINDOW + WIDENING * max(0, now - seek.since) / 1000


def pair_seeks(seeks: Sequence[Seek], now: int, may_meet: Callable[[str, str], bool]) -> list[Pair]:
    """Return the pairs that begin a match now. No seek is in two of them.

    The nearest ratings come first, and those who have waited long before those who have not. `may_meet` says of two
    accounts whether they may play each other.
    """
    candidates = _candidates(seeks, now)
    taken: set[str] = set()
    pairs = []
    for _, _, _, pair in sorted(candidates, key=lambda found: found[:3]):
        ids = {pair.first.id, pair.second.id}
        if not taken & ids and may_meet(pair.first.account, pair.second.account):
            taken |= ids
            pairs.append(pair)
    return pairs


def _candidates(seeks: Sequence[Seek], now: int) -> list[tuple[float, str, str, Pair]]:
    """Return the pairs that are near enough, each with what it is sorted by."""
    pools: dict[tuple[Wish, bool], list[Seek]] = defaultdict(list)
    for seek in seeks:
        for wish in dict.fromkeys(seek.wishes):
            pools[wish, seek.rated].append(seek)
    found = []
    for (wish, _), pool in pools.items():
        pool.sort(key=lambda seek: (seek.points_for(wish), seek.id))
        for i, first in enumerate(pool):
            for second in pool[i + 1 : i + 1 + MAX_NEIGHBOURS]:
                distance = second.points_for(wish) - first.points_for(wish)
                near = window(first, now), window(second, now)
                if distance <= min(near) and first.account != second.account:
                    found.append((distance - max(near), first.id, second.id, Pair(first, second, wish)))
    return found
