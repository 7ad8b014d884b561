"""Standings: points, then tie-breaks, each as the field defines it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from smallchange.i18n.formats import quarters
from smallchange.i18n.text import Text, plain
from smallchange.server.tournaments.model import DRAWN, LOST, WON, Pairing, Tournament, initial_order


class Record(NamedTuple):
    """The finished matches of an entry, the half points of all entries, and its rounds without a pairing."""

    number: int
    finished: Sequence[Pairing]
    points: Mapping[int, int]
    absences: int

    def opponent_points(self, pairing: Pairing) -> int:
        """Return the half points of an opponent; one's own where none came, as if one had met oneself.

        So has FIDE's Handbook (C.07, the dummy opponent).
        """
        opponent = pairing.opponent_of(self.number) if pairing.is_played else None
        return self.points[self.number if opponent is None else opponent]

    def buchholz(self) -> int:
        """Return the sum of the opponents' half points; for a round without an opponent one's own are added."""
        return sum(map(self.opponent_points, self.finished)) + self.points[self.number] * self.absences

    def sonneborn_berger(self) -> int:
        """Return the quarter points of each beaten opponent, and half of those of each drawn one."""
        return sum(one.points_of(self.number) * self.opponent_points(one) for one in self.finished)

    def scheduled_sonneborn_berger(self) -> int:
        """Return the same, with the opponent who was to come: everybody has the same ones (C.07, round robin)."""
        return sum(
            one.points_of(self.number) * self.points[opponent]
            for one in self.finished
            if (opponent := one.opponent_of(self.number)) is not None
        )

    def wins(self) -> int:
        """Return the number of matches won, to which the opponent came."""
        return sum(one.is_played and one.points_of(self.number) == WON for one in self.finished)

    def matches(self) -> int:
        """Return the number of matches to which both came."""
        return sum(one.is_played for one in self.finished)


class TieBreak(NamedTuple):
    """A tie-break: its name in the API, its texts, and its computation from the results of an entry.

    `unit` is the number of its units in a point.
    """

    code: str
    sign: Text
    name: Text
    about: Text
    measure: Callable[[Any], int]
    unit: int = 1
    is_lower_better: bool = False

    def text(self, value: int) -> str:
        """Return a value as a table of results has it."""
        return quarters(value * 4 // self.unit)


BUCHHOLZ = TieBreak(
    "buchholz",
    Text("BH", "Buchholz, heading of a narrow column"),
    plain("Buchholz"),
    Text("the sum of the opponents’ points. For a round without an opponent one’s own points are added."),
    Record.buchholz,
    unit=2,
)
SONNEBORN_BERGER = TieBreak(
    "sonneborn-berger",
    Text("SB", "Sonneborn-Berger, heading of a narrow column"),
    plain("Sonneborn-Berger"),
    Text("the points of each beaten opponent, and half of those of each drawn one."),
    Record.sonneborn_berger,
    unit=4,
)
SCHEDULED_SONNEBORN_BERGER = SONNEBORN_BERGER._replace(measure=Record.scheduled_sonneborn_berger)
WINS = TieBreak(
    "wins",
    Text("W", "wins, heading of a narrow column"),
    Text("Number of wins"),
    Text("the number of games won."),
    Record.wins,
)
FEWEST = TieBreak(
    "fewest",
    Text("G", "games played, heading of a narrow column"),
    Text("Games played"),
    Text("fewer are better."),
    Record.matches,
    is_lower_better=True,
)


class Standing(NamedTuple):
    """The standing of an entry. Those who are equal in everything share a place.

    `points` are half points. `tie_breaks` are in the order of those of the kind, each in its own unit.
    """

    place: int
    number: int
    points: int
    tie_breaks: tuple[int, ...]
    won: int
    drawn: int
    lost: int


def match_standings(tournament: Tournament, tie_breaks: Sequence[TieBreak]) -> list[Standing]:
    """Return the standings by the results of matches, the best first."""
    points, own = scores(tournament), defaultdict[int, list[Pairing]](list)
    for pairing in tournament.pairings:
        for number in pairing.entries:
            own[number].append(pairing)
    rows = []
    for number in (entry.number for entry in initial_order(tournament.entries)):
        finished = [pairing for pairing in own[number] if pairing.points is not None]
        record = Record(number, finished, points, tournament.round - len(own[number]))
        ties = tuple(one.measure(record) for one in tie_breaks)
        counts = [sum(p.points_of(number) == result for p in finished) for result in (WON, DRAWN, LOST)]
        rows.append(Standing(0, number, points[number], ties, *counts))
    return with_places(rows, tie_breaks)


def scores(tournament: Tournament) -> dict[int, int]:
    """Return the half points of each entry."""
    found = {entry.number: 0 for entry in tournament.entries}
    for pairing in tournament.pairings:
        for number in pairing.entries:
            found[number] += pairing.points_of(number)
    return found


def with_places(rows: list[Standing], tie_breaks: Sequence[TieBreak]) -> list[Standing]:
    """Return rows with their places, the best first, and those that are equal by the initial ranking."""

    def rank(row: Standing) -> tuple[int, ...]:
        ties = zip(tie_breaks, row.tie_breaks, strict=True)
        return row.points, *(-value if one.is_lower_better else value for one, value in ties)

    rows.sort(key=rank, reverse=True)  # stable
    placed: list[Standing] = []
    for _, equal in groupby(rows, key=rank):
        place = len(placed) + 1
        placed += [row._replace(place=place) for row in equal]
    return placed
