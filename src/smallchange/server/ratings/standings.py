"""Standings: the ratings of accounts after rated matches, one match after another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from smallchange.core.glicko2 import Rating, rate_match


class Board(NamedTuple):
    """The results that one rating is made of: a player's matches of a game at a speed."""

    account: str
    game: str
    speed: str


class Standing(NamedTuple):
    """A rating, the time of its last match in milliseconds since 1970, and the number of its matches."""

    rating: Rating = Rating()
    at: int = 0
    matches: int = 0


class RatedMatch(NamedTuple):
    """A match that counts: its players by seat, the first player's score (1, 0.5 or 0), and the time of its end.

    `anchors` has, by seat, the fixed rating of a house bot; None for others.
    """

    game: str
    speed: str
    players: tuple[str, str]
    score: float
    at: int
    anchors: tuple[Rating | None, Rating | None] = (None, None)

    @property
    def boards(self) -> tuple[Board, Board]:
        """The boards that the match belongs to, by seat."""
        first, second = self.players
        return Board(first, self.game, self.speed), Board(second, self.game, self.speed)


def standings_after(first: Standing, second: Standing, match: RatedMatch) -> tuple[Standing, Standing]:
    """Return both standings after a match.

    A match that ended before another, but is rated after it, counts as played at the same time.
    """
    both = first, second
    elapsed = [max(0, match.at - one.at) if one.matches else 0 for one in both]
    before = [anchor or one.rating for one, anchor in zip(both, match.anchors, strict=True)]
    fixed = match.anchors[0] is not None, match.anchors[1] is not None
    rated = rate_match(before[0], before[1], match.score, (elapsed[0], elapsed[1]), fixed)
    a, b = (
        Standing(rating, max(one.at, match.at), one.matches + 1)
        for rating, one in zip(rated, both, strict=True)
    )
    return a, b


def replay(matches: Iterable[RatedMatch]) -> dict[Board, Standing]:
    """Return all standings after these matches, in the order in which they were rated."""
    found: dict[Board, Standing] = {}
    for match in matches:
        first, second = match.boards
        found[first], found[second] = standings_after(
            found.get(first, Standing()), found.get(second, Standing()), match
        )
    return found
