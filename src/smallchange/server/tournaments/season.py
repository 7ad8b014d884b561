"""Season: divisions of at most eight, in each of which everybody plays everybody, all at once."""

from __future__ import annotations

from smallchange.server.tournaments import round_robin
from smallchange.server.tournaments.model import OPEN, Pairing, Tournament, initial_order

DIVISION_SIZE = 8


def division_sizes(entries: int) -> list[int]:
    """Return the sizes of the divisions, the highest first. All but the last two are full.

    >>> [division_sizes(n) for n in (5, 9, 16, 17, 25)]
    [[5], [5, 4], [8, 8], [8, 5, 4], [8, 8, 5, 4]]
    """
    if entries <= DIVISION_SIZE:
        return [entries]
    if entries <= 2 * DIVISION_SIZE:
        return [entries - entries // 2, entries // 2]
    return [DIVISION_SIZE, *division_sizes(entries - DIVISION_SIZE)]


def assign_divisions(tournament: Tournament) -> dict[int, int]:
    """Return the division of each entry that takes part, by its number.

    Those whom the last season has led to a division come first, in their order; then the others by rating.
    """
    led = [entry for entry in tournament.active if entry.division]
    others = [entry for entry in tournament.active if not entry.division]
    order = [*sorted(led, key=lambda entry: entry.number), *initial_order(others)]
    sizes = division_sizes(len(order))
    divisions = [division for division, size in enumerate(sizes, 1) for _ in range(size)]
    return {entry.number: division for entry, division in zip(order, divisions, strict=True)}


def with_divisions(tournament: Tournament) -> Tournament:
    """Return a season with the divisions that it would have if it began now; one that has begun as it is."""
    if tournament.phase != OPEN:
        return tournament
    found = assign_divisions(tournament)
    entries = [entry._replace(division=found.get(entry.number, 0)) for entry in tournament.entries]
    return tournament._replace(entries=entries)


def round_count(tournament: Tournament) -> int:
    """Return the number of rounds of the largest division."""
    sizes = [len(tournament.in_division(one).entries) for one in tournament.divisions]
    return max(map(round_robin.round_count, sizes), default=0)


def pair_round(tournament: Tournament, round: int) -> list[Pairing]:
    """Return the pairings of a round in all divisions; a small one has fewer rounds."""
    divisions = [tournament.in_division(one) for one in tournament.divisions]
    return [
        pairing
        for one in divisions
        if round <= round_robin.round_count(len(one.entries))
        for pairing in round_robin.pair_round(one, round)
    ]
