"""Swiss: entries with as many points meet, nobody meets anybody twice, and an odd one out gets a bye.

The pairing is that of the FIDE (Dutch) system by the package `py4swiss`. It computes in C++, so a server calls
`pair_numbers` in a process of its own.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import Any, NamedTuple

from smallchange.i18n.text import Text
from smallchange.server.table.model.clock import TimeControl
from smallchange.server.tournaments.kinds.kind import MAX_ROUNDS, AskWorker, Kind, NumberField
from smallchange.server.tournaments.model import (
    BUCHHOLZ,
    DRAWN,
    LOST,
    SONNEBORN_BERGER,
    WINS,
    WON,
    Pairing,
    Phase,
    Tournament,
    TournamentHead,
    TournamentOrder,
    bye,
    initial_order,
)

PACKAGE = "py4swiss"
MIN_ROUNDS, USUAL_ROUNDS = 2, 5
PAIRING_TIME_S = 60.0  # for the pairings of a round, which take far less
_RESULTS = {WON: "1", DRAWN: "=", LOST: "0"}
_FORFEITS = {WON: "+", DRAWN: "-", LOST: "-"}  # of matches to which somebody did not come


class Swiss(Kind):
    """A Swiss tournament."""

    code = "swiss"
    order = 2
    name = Text("Swiss")
    about = (
        Text(
            "Swiss: in each round you meet someone on about as many points, and nobody twice. With an odd number "
            "of players one has a bye, which counts as a win; nobody has two. You can enter late until half of "
            "the rounds are over; rounds you missed count nothing."
        ),
    )
    tie_breaks = (BUCHHOLZ, SONNEBORN_BERGER, WINS)
    drops_absent = True
    is_available = importlib.util.find_spec(PACKAGE) is not None

    def fields(self) -> Sequence[NumberField]:
        """Return the field for the number of rounds."""
        return [NumberField("rounds", Text("Rounds"), MIN_ROUNDS, MAX_ROUNDS, USUAL_ROUNDS)]

    def bad_terms(self, order: TournamentOrder, control: TimeControl) -> Text | None:
        """Refuse where nothing pairs, and a number of rounds out of bounds."""
        if not self.is_available:
            return Text("this server lacks the package that pairs Swiss tournaments")
        if MIN_ROUNDS <= order.rounds <= MAX_ROUNDS:
            return None
        return Text("a Swiss has {least} to {most} rounds").fill(least=MIN_ROUNDS, most=MAX_ROUNDS)

    def terms(self, head: TournamentHead, order: TournamentOrder) -> TournamentHead:
        """Return the terms with the number of rounds."""
        return head._replace(rounds=order.rounds)

    async def pair(self, tournament: Tournament, ask: AskWorker) -> list[Pairing]:
        """Return the pairings of the next round, none if no pairing is possible."""
        try:
            pairs = await ask(pair_in_time, PAIRING_TIME_S, question(tournament))
        except CannotPair:
            return []
        return pairings(tournament, pairs)

    def may_go_on(self, tournament: Tournament, now: int) -> bool:
        """Return whether it goes on."""
        return tournament.phase in (Phase.OPEN, Phase.RUNNING)

    def may_enter_late(self, tournament: Tournament, now: int) -> bool:
        """Return whether it is in the first half of its rounds."""
        return 2 * tournament.round <= tournament.head.rounds


class CannotPair(Exception):
    """No pairing is possible in which nobody meets anybody again."""


class Question(NamedTuple):
    """The data that a pairing depends on, with numbers by the initial ranking, from 1.

    `results` has for each player, for each round, the opponent (0 for none), the colour (w, b or -), and the result as
    FIDE's Tournament Report File writes it: 1, =, 0, + and - where a side did not come, U for a bye, Z for a round
    without a match.
    """

    rounds: int
    results: tuple[tuple[tuple[int, str, str], ...], ...]
    absent: tuple[int, ...]
    forbidden: tuple[tuple[int, int], ...]


def question(tournament: Tournament) -> Question:
    """Return the question for the pairings of the next round."""
    order = {entry.number: i for i, entry in enumerate(initial_order(tournament.entries), 1)}
    by_place: dict[tuple[int, int], tuple[int, str, str]] = {}
    forbidden = {_sort_pair(*(order[number] for number in pair)) for pair in tournament.bars}
    for pairing in tournament.pairings:
        first = order[pairing.first]
        if pairing.second is None:
            by_place[first, pairing.round] = 0, "-", "U"
            continue
        second, points = order[pairing.second], pairing.points or (LOST, LOST)
        codes = _RESULTS if pairing.is_played else _FORFEITS
        by_place[first, pairing.round] = second, "w", codes[points[0]]
        by_place[second, pairing.round] = first, "b", codes[points[1]]
    results = tuple(
        tuple(by_place.get((i, round), (0, "-", "Z")) for round in range(1, tournament.round + 1))
        for i in range(1, len(order) + 1)
    )
    absent = tuple(sorted(order[entry.number] for entry in tournament.entries if entry.withdrawn))
    return Question(tournament.head.rounds, results, absent, tuple(sorted(forbidden)))


def _sort_pair(first: int, second: int) -> tuple[int, int]:
    return (first, second) if first < second else (second, first)


def pair_numbers(asked: Question) -> list[tuple[int, int]]:
    """Return the pairs of players, the one on the first seat first; (player, 0) is a bye. Raise CannotPair."""
    from py4swiss.engines import DutchEngine
    from py4swiss.engines.common import PairingError
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
    from py4swiss.trf.sections import PlayerSection, XSection

    values = {"1": 10, "=": 5, "0": 0, "+": 10, "-": 0, "U": 10, "Z": 0}

    def section(number: int, results: tuple[tuple[int, str, str], ...]) -> Any:
        return PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=number,
            rank=number,
            points_times_ten=sum(values[result] for *_, result in results),
            results=[
                RoundResult(id=opponent, color=ColorToken(color), result=ResultToken(result))
                for opponent, color, result in results
            ],
        )

    rounds = max(asked.rounds, len(asked.results[0]) + 1)
    report = ParsedTrf(
        player_sections=[section(i, results) for i, results in enumerate(asked.results, 1)],
        x_section=XSection(
            number_of_rounds=rounds, zeroed_ids=set(asked.absent), forbidden_pairs=set(asked.forbidden)
        ),
    )
    report.validate_contents()
    try:
        return [(pairing.white, pairing.black) for pairing in DutchEngine.generate_pairings(report)]
    except PairingError as wrong:
        raise CannotPair from wrong


def pair_in_time(seconds: float, asked: Question) -> list[tuple[int, int]]:
    """Return the answer of `pair_numbers`, for a pool of processes, which gives each question its seconds."""
    return pair_numbers(asked)


def pairings(tournament: Tournament, pairs: list[tuple[int, int]]) -> list[Pairing]:
    """Return the pairings of the next round by the answer to its question."""
    numbers = {i: entry.number for i, entry in enumerate(initial_order(tournament.entries), 1)}
    round = tournament.round + 1
    return [
        Pairing(round, numbers[first], numbers[second]) if second else bye(round, numbers[first])
        for first, second in pairs
    ]


KIND = Swiss()
