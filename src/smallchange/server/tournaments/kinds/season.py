"""Season: divisions of at most eight, in each of which everybody plays everybody, all at once.

The first of a division rise and the last of the one above fall, and the next season opens by itself.
"""

from __future__ import annotations

from collections.abc import Collection

from smallchange.i18n.text import Text
from smallchange.server.table.model.time_control import TimeControl
from smallchange.server.tournaments.kinds.kind import MAX_ENTRIES
from smallchange.server.tournaments.kinds.round_robin import RoundRobin, circle_length, circle_round
from smallchange.server.tournaments.model import (
    NextStep,
    Pairing,
    Phase,
    Tournament,
    TournamentHead,
    TournamentOrder,
    initial_order,
)
from smallchange.server.tournaments.standings import Standing, match_standings, scores

DIVISION_SIZE = 8
RISES, STAYS, FALLS = -1, 0, 1  # added to a division: the highest is 1
MOST_MOVERS = 2  # between two divisions, each way
MIN_SIZE_FOR_MOST = 6  # of both divisions; else one moves
ABOUT = Text(
    "Season with divisions: in each division of at most eight everybody plays everybody once by correspondence, "
    "all at the same time. When the last game has ended, the next season opens by itself and begins three days "
    "later. The first of each division rise and the last of the one above fall: two each, or one if either has "
    "fewer than six players; of equals the one with the higher rating is ahead. Everybody goes on who has not "
    "withdrawn, except a player without a point who has made no move. Players who enter while a season is being "
    "played are in the next one, behind the others. If places become free, those below move up; if a division "
    "becomes smaller, the last who would stay go down."
)


class Season(RoundRobin):
    """A season of divisions by correspondence."""

    code = "season"
    order = 2
    name = Text("Season with divisions")
    about = (ABOUT,)
    max_entries = MAX_ENTRIES
    first_step = NextStep.BEGIN
    has_divisions = True
    notifies_matches = False
    notifies_end = True

    def bad_terms(self, order: TournamentOrder, control: TimeControl) -> Text | None:
        """Refuse matches in one sitting."""
        return Text("a season needs a time control of days") if control.live else None

    def terms(self, head: TournamentHead, order: TournamentOrder) -> TournamentHead:
        """Return the terms of a first season."""
        return head._replace(season=1)

    def is_one_by_one(self, head: TournamentHead) -> bool:
        """Return False: all rounds begin together."""
        return False

    def round_count(self, tournament: Tournament) -> int:
        """Return the number of rounds of the largest division."""
        sizes = [len(tournament.in_division(one).entries) for one in tournament.divisions]
        return max(map(circle_length, sizes), default=0)

    def pair_round(self, tournament: Tournament) -> list[Pairing]:
        """Return the pairings of the next round in all divisions; a small one has fewer rounds."""
        round, divisions = tournament.round + 1, map(tournament.in_division, tournament.divisions)
        return [
            pairing
            for one in divisions
            if round <= circle_length(len(one.entries))
            for pairing in circle_round(one, round)
        ]

    def divide(self, tournament: Tournament) -> dict[int, int]:
        """Return the division of each entry that takes part, by its number.

        The entries with a division by the last season come first, in their order; then the others by rating.
        """
        led = [entry for entry in tournament.active if entry.division]
        others = [entry for entry in tournament.active if not entry.division]
        order = [*sorted(led, key=lambda entry: entry.number), *initial_order(others)]
        sizes = division_sizes(len(order))
        divisions = [division for division, size in enumerate(sizes, 1) for _ in range(size)]
        return {entry.number: division for entry, division in zip(order, divisions, strict=True)}

    def next_entries(self, tournament: Tournament, absent: Collection[int]) -> list[tuple[int, int]]:
        """Return the entries of the next season, in its order, each with the division that this season leads to.

        A division begins with the entries that rise to it, then those that fall to it: if it becomes smaller, the last
        of the others have to leave it. Entries without a division come last, and have none. An entry of a division
        that is absent and has no point is not in the next season.
        """
        points, moves = scores(tournament), self.moves(tournament)
        kept = [
            one
            for one in tournament.active
            if not one.division or one.number not in absent or points[one.number]
        ]
        places = {row.number: row.place for row in self.standings(tournament, 0)}
        divisions = {one.number: one.division + moves.get(one.number, STAYS) for one in kept if one.division}
        order = (RISES, FALLS, STAYS)
        first = sorted(
            (one for one in kept if one.division),
            key=lambda one: (
                divisions[one.number],
                order.index(moves[one.number]),
                places[one.number],
                -one.rating,
            ),
        )
        others = [one for one in kept if not one.division]
        return [(one.number, divisions.get(one.number, 0)) for one in (*first, *others)]

    def running_match(self, tournament: Tournament, number: int) -> str | None:
        """Return None: several go on."""
        return None

    def may_enter_late(self, tournament: Tournament, now: int) -> bool:
        """Return True: a late entry is for the next season."""
        return True

    def standings(self, tournament: Tournament, now: int) -> list[Standing]:
        """Return the standings of all divisions, then the entries that are in none, in division 0.

        Before it begins, the divisions are those that it would have if it began now.
        """
        if tournament.phase == Phase.OPEN:
            tournament = self.with_divisions(tournament)
        return [
            row._replace(division=division)
            for division in (*tournament.divisions, 0)
            for row in match_standings(tournament.in_division(division), self.tie_breaks)
        ]

    def with_divisions(self, tournament: Tournament) -> Tournament:
        """Return a season with the divisions that it would have if it began now."""
        found = self.divide(tournament)
        entries = [entry._replace(division=found.get(entry.number, 0)) for entry in tournament.entries]
        return tournament._replace(entries=entries)

    def moves(self, tournament: Tournament) -> dict[int, int]:
        """Return for each entry, by its number, whether it rises, stays or falls as the standings are now.

        An entry that has withdrawn counts as last and has no move: it leaves.
        """
        if tournament.phase not in (Phase.RUNNING, Phase.OVER):
            return {}
        gone = {entry.number for entry in tournament.entries if entry.withdrawn}
        ranked = {
            division: sorted(
                (row.number for row in match_standings(tournament.in_division(division), self.tie_breaks)),
                key=lambda number: number in gone,
            )
            for division in tournament.divisions
        }
        found = {number: STAYS for numbers in ranked.values() for number in numbers}
        for upper, lower in zip(tournament.divisions, tournament.divisions[1:], strict=False):
            movers = mover_count(len(ranked[upper]), len(ranked[lower]))
            found |= dict.fromkeys(ranked[upper][-movers:], FALLS)
            found |= dict.fromkeys(ranked[lower][:movers], RISES)
        return {number: move for number, move in found.items() if number not in gone}

    def state(self, tournament: Tournament, now: int) -> Text:
        """Return how many of its matches have ended."""
        n = len(tournament.pairings)
        ended = n - len(tournament.open_pairings)
        return Text("{n} of {of} games have ended").fill(n=ended, of=n)


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


def mover_count(upper: int, lower: int) -> int:
    """Return the number of entries that rise, and fall, between two divisions of these sizes.

    >>> mover_count(8, 8), mover_count(8, 5)
    (2, 1)
    """
    return MOST_MOVERS if min(upper, lower) >= MIN_SIZE_FOR_MOST else 1


KIND = Season()
