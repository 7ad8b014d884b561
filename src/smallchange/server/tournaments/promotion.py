"""Promotion: those who rise and fall between the divisions of a season, and the order of the next."""

from __future__ import annotations

from collections.abc import Collection

from smallchange.server.tournaments.model import Tournament
from smallchange.server.tournaments.standings import scores, standings

RISES, STAYS, FALLS = -1, 0, 1  # added to a division: the highest is 1
MOST_MOVERS = 2  # between two divisions, each way
MIN_SIZE_FOR_MOST = 6  # of both divisions; else one moves


def moves(tournament: Tournament) -> dict[int, int]:
    """Return for each entry of a season, by its number, whether it rises, stays or falls as the standings are now.

    The first of a division rise, and the last of the one above fall. An entry that has withdrawn counts as last and
    has no move: it leaves.
    """
    ranked = {division: _ranking(tournament, division) for division in tournament.divisions}
    found = {number: STAYS for numbers in ranked.values() for number in numbers}
    gone = {entry.number for entry in tournament.entries if entry.withdrawn}
    for upper, lower in zip(tournament.divisions, tournament.divisions[1:], strict=False):
        movers = mover_count(len(ranked[upper]), len(ranked[lower]))
        found |= dict.fromkeys(ranked[upper][-movers:], FALLS)
        found |= dict.fromkeys(ranked[lower][:movers], RISES)
    return {number: move for number, move in found.items() if number not in gone}


def mover_count(upper: int, lower: int) -> int:
    """Return how many rise and how many fall between two divisions of these sizes.

    >>> mover_count(8, 8), mover_count(8, 5)
    (2, 1)
    """
    return MOST_MOVERS if min(upper, lower) >= MIN_SIZE_FOR_MOST else 1


def next_order(tournament: Tournament, absent: Collection[int]) -> list[tuple[int, int]]:
    """Return those who are in the next season, in its order, each with the division that this season leads to.

    A division begins with those who rise to it, then those who fall to it: if it becomes smaller, the last of those who
    stay have to leave it. Entries without a division come last, and have none. An entry of a division that is absent
    and has no point is not in the next season.
    """
    points, led = scores(tournament), moves(tournament)
    gone = {number for number in absent if not points[number]}
    kept = [one for one in tournament.active if not one.division or one.number not in gone]
    places = {row.number: row.place for row in standings(tournament)}
    divisions = {one.number: one.division + led.get(one.number, STAYS) for one in kept if one.division}
    order = (RISES, FALLS, STAYS)
    first = sorted(
        (one for one in kept if one.division),
        key=lambda one: (
            divisions[one.number],
            order.index(led[one.number]),
            places[one.number],
            -one.rating,
        ),
    )
    others = [one for one in kept if not one.division]
    return [(one.number, divisions.get(one.number, 0)) for one in (*first, *others)]


def _ranking(tournament: Tournament, division: int) -> list[int]:
    """Return the numbers of a division by their standings; those who have withdrawn are last."""
    numbers = [row.number for row in standings(tournament.in_division(division))]
    gone = {entry.number for entry in tournament.entries if entry.withdrawn}
    return sorted(numbers, key=lambda number: number in gone)
