"""A tournament as plain data: its terms, its entries, and their matches or games on deals, with the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, StrEnum
from typing import Any, NamedTuple

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
