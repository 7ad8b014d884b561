"""A tournament as plain data: its terms, entries, matches or games on deals; its standings with their tie-breaks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, StrEnum
from itertools import groupby
from typing import Any, NamedTuple

from smallchange.i18n.formats import quarters
from smallchange.i18n.text import Text, plain

LOST, DRAWN, WON = range(3)  # a result in half points: stored
MIN_ENTRIES = 2
MAX_BOTS = 32  # that enter a tournament
Points = tuple[int, int]  # of both sides, in half points


class Phase(StrEnum):
    """The phases of a tournament, as they are stored."""

    OPEN = "open"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


class NextStep(Enum):
    """The steps of a tournament: each is one transaction."""

    WAIT = "wait"
    CANCEL = "cancel"  # too few have entered
    OPEN_ROUND = "open a round"
    ANNOUNCE = "notify that a deal is open"
    REMIND = "notify that a deal closes soon"
    END = "end"


class TournamentOrder(NamedTuple):
    """A tournament as its opener orders it.

    `rounds` and `minutes` count in the kinds that have them. `options` are those of the game. `begins_in` is in
    minutes.
    """

    name: str
    kind: str
    game: str
    time: str
    rounds: int = 5
    minutes: int = 60
    begins_in: int = 10
    rated: bool = True
    public: bool = False
    options: Mapping[str, Any] = {}


class TournamentHead(NamedTuple):
    """The terms of a tournament, and its phase: its row in the database.

    `options` are those of the game that differ from their defaults. Times are in milliseconds since 1970.
    """

    kind: str
    rounds: int = 0
    begins_at: int = 0
    minutes: int = 0
    phase: Phase = Phase.OPEN
    id: str = ""
    name: str = ""
    game: str = ""
    options: Mapping[str, Any] = {}
    control: str = ""
    rated: bool = False
    public: bool = False
    opener_id: str = ""
    created: int = 0
    ended: int | None = None


class Entry(NamedTuple):
    """A participant: an account, or a bot, of which name and holder are empty.

    Numbers begin at 1, in the order of the entries; `rating` is that of the time of the entry. The entry of an account
    that was closed has withdrawn.
    """

    number: int
    rating: float
    withdrawn: bool = False
    account_id: str | None = None
    bot: str = ""
    name: str = ""
    holder: str = ""


class Pairing(NamedTuple):
    """A pairing of two entries in a round, or a bye where `second` is None.

    `first` has the first seat. `points` are None while the match goes on. A walkover was won without an opponent, who
    did not come or had withdrawn. `match` is the id of the match, None for a bye and where it was not opened.
    """

    round: int
    first: int
    second: int | None
    points: Points | None = None
    walkover: bool = False
    match: str | None = None

    @property
    def entries(self) -> tuple[int, ...]:
        """The numbers of the entries that are paired."""
        return (self.first,) if self.second is None else (self.first, self.second)

    @property
    def is_played(self) -> bool:
        """Return whether both sides came. To a walkover one side did not: the codes + and - of FIDE."""
        return self.second is not None and not self.walkover

    def points_of(self, number: int) -> int:
        """Return the half points of an entry, 0 while the match goes on."""
        if self.points is None:
            return 0
        return self.points[0] if number == self.first else self.points[1]

    def opponent_of(self, number: int) -> int | None:
        """Return the opponent of an entry; None for a bye."""
        return self.second if number == self.first else self.first


class DealGame(NamedTuple):
    """The game of an entry on a deal. `score` is None unless it was ended in time.

    In a duplicate pair `seat` is the one from which this game is played, `points` are those of the game, and `score`
    is its margin. `match` is the id of its table.
    """

    entry: int
    score: int | None
    is_over: bool = True
    seat: int = 0
    points: int = 0
    match: str = ""


class DealScore(NamedTuple):
    """The score of a deal, the higher the better: points, then the score.

    In a game for one there are no points, and the score is that of the rules. In a duplicate pair they are the points
    of both games (2 for a win, 1 for a draw) and their margins, added up.
    """

    points: int
    score: int


class DealResult(NamedTuple):
    """The result of an entry on a deal. Places begin at 1; those of the same score share one."""

    entry: int
    place: int
    score: DealScore
    points: int  # in half points, by comparison with the other entries


class Tournament(NamedTuple):
    """A tournament as it stands.

    `bars` are the pairs of entries that do not play against each other. A tournament on a deal has `games` in place of
    pairings; `announced` and `reminded`: the players were notified that it is open, and that it closes soon.
    """

    head: TournamentHead
    entries: Sequence[Entry] = ()
    pairings: Sequence[Pairing] = ()
    bars: frozenset[frozenset[int]] = frozenset()
    games: Sequence[DealGame] = ()
    announced: bool = False
    reminded: bool = False

    @property
    def phase(self) -> Phase:
        """The phase."""
        return self.head.phase

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

    def may_meet(self, first: int, second: int) -> bool:
        """Return whether two entries may be paired."""
        return frozenset((first, second)) not in self.bars

    def entry_of(self, account_id: str | None) -> Entry | None:
        """Return the entry of an account."""
        return next((one for one in self.entries if account_id and one.account_id == account_id), None)

    def pairings_of(self, number: int) -> list[Pairing]:
        """Return the pairings of an entry."""
        return [one for one in self.pairings if number in one.entries]

    def games_of(self, number: int) -> list[DealGame]:
        """Return the games of an entry on the deal, by seat."""
        return [one for one in self.games if one.entry == number]


def initial_order(entries: Sequence[Entry]) -> list[Entry]:
    """Return entries in the order of the initial ranking: by rating, then in the order of their entry."""
    return sorted(entries, key=lambda entry: (-entry.rating, entry.number))


def bye(round: int, number: int) -> Pairing:
    """Return a bye, which counts as a win."""
    return Pairing(round, number, None, (WON, LOST))


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
