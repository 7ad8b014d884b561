"""Arena: for its time, everybody who is free is paired again and again, with a neighbour in the standings."""

from __future__ import annotations

from collections import Counter

from smallchange.server.tournaments.model import Pairing, Tournament
from smallchange.server.tournaments.standings import scores


def pair_wave(tournament: Tournament) -> list[Pairing]:
    """Return the pairings that begin now: of those who are free, nearest scores first.

    Nobody meets the opponent of the last match again at once, unless only two are left. The entry that had the first
    seat more often gets the second.
    """
    busy = {number for pairing in tournament.open_pairings for number in pairing.entries}
    active, points = tournament.active, scores(tournament)
    free = [entry.number for entry in active if entry.number not in busy]
    free.sort(key=lambda number: -points[number])
    last = _last_opponents(tournament) if len(active) > 2 else {}
    firsts = Counter(pairing.first for pairing in tournament.pairings)
    seconds = Counter(pairing.second for pairing in tournament.pairings)
    found, wave = [], tournament.round + 1
    while free:
        one = free.pop(0)
        for other in free:
            if last.get(one) != other and last.get(other) != one and tournament.may_meet(one, other):
                free.remove(other)
                lead = firsts[one] - seconds[one] - firsts[other] + seconds[other]
                found.append(Pairing(wave, other, one) if lead > 0 else Pairing(wave, one, other))
                break
    return found


def _last_opponents(tournament: Tournament) -> dict[int, int]:
    """Return the newest opponent of each entry."""
    found: dict[int, int] = {}
    for pairing in sorted(tournament.pairings, key=lambda pairing: pairing.round):
        if pairing.second is not None:
            found |= {pairing.first: pairing.second, pairing.second: pairing.first}
    return found
