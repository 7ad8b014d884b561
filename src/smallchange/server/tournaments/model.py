"""A tournament as plain data: its rules, its entries, and its pairings with their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

ROUND_ROBIN, SEASON, SWISS, ARENA, LEAGUE, DUEL = KINDS = (
    "round-robin",
    "season",
    "swiss",
    "arena",
    "league",
    "duel",
)  # stored
SOLITAIRE = (LEAGUE, DUEL)  # everybody plays the same deals; a duel is a league of two entries and one deal
OPEN, RUNNING, OVER, CANCELLED = PHASES = ("open", "running", "over", "cancelled")  # stored
LOST, DRAWN, WON = range(3)  # a result in half points: stored
MIN_ENTRIES = DUEL_ENTRIES = 2
MAX_ENTRIES = {ROUND_ROBIN: 16, SEASON: 128, SWISS: 128, ARENA: 128, LEAGUE: 128, DUEL: DUEL_ENTRIES}
MAX_BOTS = 32  # that enter a tournament
Points = tuple[int, int]  # of both sides, in half points


class Rules(NamedTuple):
    """The rules of a tournament.

    `rounds` counts in a Swiss and a league: a round robin has as many as its entries need. `begins_at` and `ends_at`
    are in milliseconds since 1970; `ends_at` is the end of the pairing in an arena, None elsewhere. `one_by_one`: a
    round begins when the last one is over; else all begin together. `round_ms` is the time for each round of a league.
    `games` are those in which an entry plays a deal: 2 for a duplicate pair, one from each side, else 1.
    """

    kind: str
    rounds: int
    begins_at: int
    ends_at: int | None = None
    one_by_one: bool = True
    round_ms: int = 0
    games: int = 1


class Entry(NamedTuple):
    """A participant. Numbers begin at 1, in the order of the entries; `rating` is that of the time of the entry.

    `division` is that of a season, from 1, the highest; before it begins, the one that the last season led to. 0: none.
    """

    number: int
    rating: float
    withdrawn: bool = False
    division: int = 0


class Pairing(NamedTuple):
    """A pairing of two entries in a round, or a bye where `second` is None.

    `first` has the first seat. `points` are None while the match goes on. A walkover was won without a match, because
    the other side had withdrawn.
    """

    round: int
    first: int
    second: int | None
    points: Points | None = None
    walkover: bool = False

    @property
    def entries(self) -> tuple[int, ...]:
        """The numbers of the entries that are paired."""
        return (self.first,) if self.second is None else (self.first, self.second)

    def points_of(self, number: int) -> int:
        """Return the half points of an entry, 0 while the match goes on."""
        if self.points is None:
            return 0
        return self.points[0] if number == self.first else self.points[1]

    def opponent_of(self, number: int) -> int | None:
        """Return the opponent of an entry; None for a bye."""
        return self.second if number == self.first else self.first


class DealScore(NamedTuple):
    """The score of a deal, the higher the better: points, then the score.

    In a game for one there are no points, and the score is that of the rules. In a duplicate pair they are the points
    of both games (2 for a win, 1 for a draw) and their margins, added up.
    """

    points: int
    score: int


class Play(NamedTuple):
    """The table of an entry in a round of a league; `score` is None unless it was played to its end in time.

    In a duplicate pair `seat` is the one from which this game is played, `points` are those of the game, and `score`
    is its margin.
    """

    round: int
    entry: int
    score: int | None
    is_over: bool = True
    seat: int = 0
    points: int = 0


class Tournament(NamedTuple):
    """A tournament as it stands.

    `bars` are the pairs of entries that do not play against each other. A league has `plays` in place of pairings,
    and the first `closed_rounds` of its rounds count. `told` and `reminded` are the newest rounds of a league of whose
    beginning and coming end the players were told.
    """

    rules: Rules
    phase: str
    entries: Sequence[Entry] = ()
    pairings: Sequence[Pairing] = ()
    bars: frozenset[frozenset[int]] = frozenset()
    plays: Sequence[Play] = ()
    closed_rounds: int = 0
    told: int = 0
    reminded: int = 0

    @property
    def active(self) -> list[Entry]:
        """The entries that have not withdrawn, the highest rated first."""
        return initial_order([entry for entry in self.entries if not entry.withdrawn])

    @property
    def round(self) -> int:
        """The number of the newest round, 0 before the first."""
        return max((pairing.round for pairing in self.pairings), default=0)

    @property
    def open_pairings(self) -> list[Pairing]:
        """The pairings whose match goes on."""
        return [pairing for pairing in self.pairings if pairing.points is None]

    @property
    def divisions(self) -> list[int]:
        """The divisions of a season, the highest first."""
        return sorted({entry.division for entry in self.entries if entry.division})

    def in_division(self, division: int) -> Tournament:
        """Return the round robin of one division of a season."""
        entries = [entry for entry in self.entries if entry.division == division]
        numbers = {entry.number for entry in entries}
        pairings = [pairing for pairing in self.pairings if pairing.first in numbers]
        rules = self.rules._replace(kind=ROUND_ROBIN)
        return self._replace(rules=rules, entries=entries, pairings=pairings)

    def may_meet(self, first: int, second: int) -> bool:
        """Return whether two entries may be paired."""
        return frozenset((first, second)) not in self.bars


def initial_order(entries: Sequence[Entry]) -> list[Entry]:
    """Return entries in the order of the initial ranking: by rating, then in the order of their entry."""
    return sorted(entries, key=lambda entry: (-entry.rating, entry.number))


def bye(round: int, number: int) -> Pairing:
    """Return a bye, which counts as a win."""
    return Pairing(round, number, None, (WON, LOST))
