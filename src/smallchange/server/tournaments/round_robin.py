"""Round robin: everybody plays everybody once, by the circle method (Berger tables)."""

from __future__ import annotations

from smallchange.server.tournaments.model import DRAWN, LOST, WON, Entry, Pairing, Tournament, initial_order


def round_count(entries: int) -> int:
    """Return the number of rounds.

    >>> [round_count(n) for n in (2, 3, 4, 5)]
    [1, 3, 3, 5]
    """
    return entries - 1 + entries % 2


def pair_round(tournament: Tournament, round: int) -> list[Pairing]:
    """Return the pairings of a round, from 1. With an odd number of entries one of them rests.

    A match against an entry that has withdrawn is a walkover. Withdrawn entries stay in the table, so that the
    rounds do not change. Two that do not play against each other share the point without a match.
    """
    entries: list[Entry | None] = [*initial_order(tournament.entries)]
    if len(entries) % 2:
        entries.append(None)
    *circle, fixed = entries
    n, turn = len(circle), round - 1
    pairs = [(circle[turn % n], fixed) if turn % 2 else (fixed, circle[turn % n])]
    for i in range(1, len(entries) // 2):
        pair = circle[(turn + i) % n], circle[(turn - i) % n]
        pairs.append(pair if i % 2 else pair[::-1])
    return [_pairing(tournament, round, first, second) for first, second in pairs if first and second]


def _pairing(tournament: Tournament, round: int, first: Entry, second: Entry) -> Pairing:
    """Return a pairing; its result stands where one side has withdrawn, or the two may not meet."""
    if not first.withdrawn and not second.withdrawn:
        if tournament.may_meet(first.number, second.number):
            return Pairing(round, first.number, second.number)
        return Pairing(round, first.number, second.number, (DRAWN, DRAWN), walkover=True)
    points = (LOST if first.withdrawn else WON, LOST if second.withdrawn else WON)
    return Pairing(round, first.number, second.number, points, walkover=True)
