"""Standings: points, then tie-breaks, each as the field defines it.

- *Buchholz* (Swiss): the sum of the opponents' points. For a round without an opponent one's own points are added, as
  if one had met oneself (FIDE Handbook C.07, the dummy opponent).
- *Sonneborn-Berger* (Swiss, round robin, season): the points of each beaten opponent, and half of those of each
  drawn one.
- *wins*: the number of matches won.
- *tops* (league): the number of deals on which nobody scored more.
- *total* (league): the sum of the scores on all deals.
- *fewest matches* (arena): with as many points, fewer matches are better.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import groupby
from typing import NamedTuple

from smallchange.server.tournaments import season
from smallchange.server.tournaments.league import league_scores
from smallchange.server.tournaments.model import (
    ARENA,
    DRAWN,
    DUEL,
    LEAGUE,
    LOST,
    ROUND_ROBIN,
    SEASON,
    SOLITAIRE,
    SWISS,
    WON,
    Pairing,
    Tournament,
    initial_order,
)

BUCHHOLZ, SONNEBORN_BERGER, WINS, FEWEST = ("buchholz", "sonneborn-berger", "wins", "fewest")  # of the API
TOPS, TOTAL = ("tops", "total")
TIE_BREAKS: Mapping[str, tuple[str, ...]] = {
    SWISS: (BUCHHOLZ, SONNEBORN_BERGER, WINS),
    ROUND_ROBIN: (SONNEBORN_BERGER, WINS),
    SEASON: (SONNEBORN_BERGER, WINS),
    ARENA: (WINS, FEWEST),
    LEAGUE: (TOPS, TOTAL),
    DUEL: (),
}


class Standing(NamedTuple):
    """The standing of an entry. Those who are equal in everything share a place.

    `points` are half points. `tie_breaks` go by the names in `TIE_BREAKS`: Buchholz in half points, Sonneborn-Berger
    in quarter points, the others as numbers.
    """

    place: int
    number: int
    points: int
    tie_breaks: tuple[int, ...]
    won: int
    drawn: int
    lost: int
    division: int = 0


def standings(tournament: Tournament) -> list[Standing]:
    """Return the standings, the best first."""
    if tournament.rules.kind in SOLITAIRE:
        return _league_standings(tournament)
    if tournament.rules.kind == SEASON:
        return _season_standings(season.with_divisions(tournament))
    points, own = scores(tournament), _pairings_of(tournament)
    is_swiss, rows = tournament.rules.kind == SWISS, []
    for entry in initial_order(tournament.entries):
        number, all_own = entry.number, own[entry.number]
        finished = [pairing for pairing in all_own if pairing.points is not None]
        absences = tournament.round - len(all_own) if is_swiss else 0
        counts = [sum(p.points_of(number) == result for p in finished) for result in (WON, DRAWN, LOST)]
        wins = sum(p.second is not None and p.points_of(number) == WON for p in finished)
        measures = {
            BUCHHOLZ: sum(_opponent_points(p, number, points) for p in finished) + points[number] * absences,
            SONNEBORN_BERGER: sum(
                p.points_of(number) * _opponent_points(p, number, points) for p in finished
            ),
            WINS: wins,
            FEWEST: -len(finished),
        }
        ties = tuple(measures[name] for name in TIE_BREAKS[tournament.rules.kind])
        rows.append(Standing(0, number, points[number], ties, *counts))
    return _with_places(rows)


def _season_standings(tournament: Tournament) -> list[Standing]:
    """Return the standings of all divisions of a season, and then the entries that are in none, in division 0."""
    return [
        row._replace(division=division)
        for division in (*tournament.divisions, 0)
        for row in standings(tournament.in_division(division))
    ]


def _league_standings(tournament: Tournament) -> list[Standing]:
    """Return the standings of a league. Its deals count as won where nobody scored more, all others as lost."""
    rows = [
        Standing(
            0,
            number,
            one.points,
            (one.tops, one.total) if tournament.rules.kind == LEAGUE else (),
            one.tops,
            0,
            one.played - one.tops,
        )
        for number, one in league_scores(tournament).items()
    ]
    return _with_places(rows)


def scores(tournament: Tournament) -> dict[int, int]:
    """Return the half points of each entry."""
    found = {entry.number: 0 for entry in tournament.entries}
    for pairing in tournament.pairings:
        for number in pairing.entries:
            found[number] += pairing.points_of(number)
    return found


def _pairings_of(tournament: Tournament) -> dict[int, list[Pairing]]:
    """Return the pairings of each entry."""
    found: dict[int, list[Pairing]] = defaultdict(list)
    for pairing in tournament.pairings:
        for number in pairing.entries:
            found[number].append(pairing)
    return found


def _opponent_points(pairing: Pairing, number: int, points: Mapping[int, int]) -> int:
    opponent = pairing.opponent_of(number)
    return points[number if opponent is None else opponent]


def _with_places(rows: list[Standing]) -> list[Standing]:
    """Return rows with their places, the best first, and those that are equal by the initial ranking."""
    rows.sort(key=lambda row: (row.points, row.tie_breaks), reverse=True)  # stable
    placed: list[Standing] = []
    for _, equal in groupby(rows, key=lambda row: (row.points, row.tie_breaks)):
        place = len(placed) + 1
        placed += [row._replace(place=place) for row in equal]
    return placed
