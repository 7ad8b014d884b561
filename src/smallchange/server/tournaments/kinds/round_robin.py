"""Round robin: everybody plays everybody once, by the circle method (Berger tables)."""

from __future__ import annotations

from smallchange.i18n.text import Text
from smallchange.server.tournaments.kinds.kind import Kind, is_live
from smallchange.server.tournaments.model import (
    DRAWN,
    LOST,
    SCHEDULED_SONNEBORN_BERGER,
    WINS,
    WON,
    Entry,
    Pairing,
    Tournament,
    TournamentHead,
    initial_order,
)


class RoundRobin(Kind):
    """A round robin. By correspondence all its rounds begin together."""

    code = "round-robin"
    order = 1
    name = Text("Round robin")
    about = (
        Text(
            "Round robin: everyone plays everyone once. If a player withdraws, the opponents win without a match."
        ),
    )
    tie_breaks = (SCHEDULED_SONNEBORN_BERGER, WINS)
    max_entries = 16

    def is_one_by_one(self, head: TournamentHead) -> bool:
        """Return whether its matches are played in one sitting."""
        return is_live(head)

    def round_count(self, tournament: Tournament) -> int:
        """Return the number of rounds that the entries need."""
        return circle_length(len(tournament.entries))

    def pair_round(self, tournament: Tournament) -> list[Pairing]:
        """Return the pairings of the next round."""
        return circle_round(tournament, tournament.round + 1)


def circle_length(entries: int) -> int:
    """Return the number of rounds.

    >>> [circle_length(n) for n in (2, 3, 4, 5)]
    [1, 3, 3, 5]
    """
    return entries - 1 + entries % 2


def circle_round(tournament: Tournament, round: int) -> list[Pairing]:
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


KIND = RoundRobin()
