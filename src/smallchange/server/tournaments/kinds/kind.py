"""A kind of tournament: everything by which one kind differs from another, in one object."""

from __future__ import annotations

from abc import ABC
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, ClassVar, NamedTuple

from smallchange.core.game import Game
from smallchange.i18n.formats import quarters
from smallchange.i18n.text import Text
from smallchange.server.meeting.view import games_for_two
from smallchange.server.table.model.clock import MINUTE_MS, TimeControl
from smallchange.server.table.model.clock import read as read_control
from smallchange.server.tournaments.model import (
    MIN_ENTRIES,
    DealResult,
    NextStep,
    Pairing,
    Phase,
    Standing,
    TieBreak,
    Tournament,
    TournamentHead,
    TournamentOrder,
    match_standings,
)
from smallchange.server.web import phrases as p

MAX_ENTRIES = 128
MAX_ROUNDS = 11
DAY_MIN = 24 * 60
BEGIN_AFTER_MS = MINUTE_MS  # an outage in which a tournament was to begin
AskWorker = Callable[..., Awaitable[Any]]  # a function, the seconds that it has, and its arguments
FOR_TWO = Text("choose a game for two")
ROUND = Text("Round {round} of {n}")
BAD_TIME = Text("choose one of the offered times for the moves")


class NumberField(NamedTuple):
    """A number on the form: the field of the order that it fills, its label, its bounds, and the usual one."""

    name: str
    label: Text
    low: int
    high: int
    usual: int


class ChoiceField(NamedTuple):
    """A choice on the form: the field of the order that it fills, its label, its values, and the usual one."""

    name: str
    label: Text
    choices: Sequence[tuple[str, Text]]
    usual: str


class Kind(ABC):
    """A kind of tournament in which entries are paired round by round, the form of most.

    `order` is that of lists. `is_timed`: it has a name, a beginning, and matches with a time control.
    """

    code: ClassVar[str]  # stored, and of the API
    order: ClassVar[int]
    name: ClassVar[Text]
    about: ClassVar[tuple[Text, ...]]
    offer: ClassVar[Text | None] = None  # the name on the form, where it is another
    round_name: ClassVar[Text] = Text("Round {n}")
    tie_breaks: ClassVar[tuple[TieBreak, ...]]
    max_entries: ClassVar[int] = MAX_ENTRIES
    point_unit: ClassVar[int] = 2  # half points that make a point
    is_timed: ClassVar[bool] = True
    drops_absent: ClassVar[bool] = False  # from the pairings, until they go on
    is_available: ClassVar[bool] = True

    # the form

    def fields(self) -> Sequence[NumberField | ChoiceField]:
        """Return the fields of the form that are this kind's own."""
        return ()

    def games(self) -> Sequence[str]:
        """Return the ids of the games that are offered."""
        return [game.id for game in games_for_two()]

    def refusal(self, order: TournamentOrder, game: Game | None, control: TimeControl | None) -> Text | None:
        """Return the reason why an order cannot be played, None if it can. `control` is one of those offered."""
        if game is None or len(game.seats) != 2:
            return FOR_TWO
        return BAD_TIME if control is None else self.bad_terms(order, control)

    def bad_terms(self, order: TournamentOrder, control: TimeControl) -> Text | None:
        """Return the reason why an order for a game for two cannot be played."""
        return None

    def terms(self, head: TournamentHead, order: TournamentOrder) -> TournamentHead:
        """Return the terms of a new tournament, with those of this kind."""
        return head

    # the course

    def next_step(self, tournament: Tournament, now: int) -> NextStep:
        """Return the next step of a tournament at a time in milliseconds since 1970."""
        if tournament.phase == Phase.OPEN and now >= tournament.head.begins_at:
            return NextStep.OPEN_ROUND if _has_enough(tournament) else NextStep.CANCEL
        return self.running_step(tournament, now) if tournament.phase == Phase.RUNNING else NextStep.WAIT

    def running_step(self, tournament: Tournament, now: int) -> NextStep:
        """Return the next step of a tournament that has begun."""
        if tournament.round < self.round_count(tournament) and _has_enough(tournament):
            waits = tournament.open_pairings and self.is_one_by_one(tournament.head)
            return NextStep.WAIT if waits else NextStep.OPEN_ROUND
        return NextStep.WAIT if tournament.open_pairings else NextStep.END

    def put_off_ms(self, head: TournamentHead, since: int, now: int) -> int:
        """Return by how long an outage since then puts a tournament off: people come back before it begins."""
        is_missed = head.phase == Phase.OPEN and since < head.begins_at <= now
        return now + BEGIN_AFTER_MS - head.begins_at if is_missed else 0

    def is_one_by_one(self, head: TournamentHead) -> bool:
        """Return whether a round begins when the last one is over; else all begin together."""
        return True

    def round_count(self, tournament: Tournament) -> int:
        """Return the number of rounds that are planned; 0 where time ends it."""
        return tournament.head.rounds

    async def pair(self, tournament: Tournament, ask: AskWorker) -> list[Pairing]:
        """Return the pairings of the next round, none if nobody can be paired; `ask` has another process compute."""
        return self.pair_round(tournament)

    def pair_round(self, tournament: Tournament) -> list[Pairing]:
        """Return the pairings of the next round."""
        raise NotImplementedError

    # deals

    def closes_at(self, head: TournamentHead) -> int | None:
        """Return when its deal closes at the latest, in milliseconds since 1970; None without one."""
        return None

    def open_seat(self, tournament: Tournament, number: int, now: int) -> int | None:
        """Return the seat from which an entry plays the deal next; None while there is no deal."""
        return None

    def find_finished(self, tournament: Tournament) -> list[int]:
        """Return the numbers of the entries that have ended every game of the deal."""
        return []

    def results(self, tournament: Tournament, now: int) -> list[DealResult]:
        """Return the results of the deal once it has closed, the best first."""
        return []

    # entries

    def running_match(self, tournament: Tournament, number: int) -> str | None:
        """Return the newest match of an entry that goes on."""
        own = [one for one in tournament.pairings_of(number) if one.points is None]
        return own[-1].match if own else None

    def has_room(self, tournament: Tournament, more: int = 0) -> bool:
        """Return whether there is room for one who has not entered yet, after `more` others."""
        return len(tournament.entries) + more < self.max_entries

    def may_enter(self, tournament: Tournament, now: int) -> bool:
        """Return whether the time allows to enter, where there is room."""
        return tournament.phase == Phase.OPEN or (
            tournament.phase == Phase.RUNNING and self.may_enter_late(tournament, now)
        )

    def may_enter_late(self, tournament: Tournament, now: int) -> bool:
        """Return whether one may enter once it has begun."""
        return False

    def may_go_on(self, tournament: Tournament, now: int) -> bool:
        """Return whether the time allows an entry to come back."""
        return self.may_enter(tournament, now)

    # the standings and texts

    def standings(self, tournament: Tournament, now: int) -> list[Standing]:
        """Return the standings, the best first."""
        return match_standings(tournament, self.tie_breaks)

    def points_text(self, half_points: int) -> str:
        """Return points as a table of results has them."""
        return quarters(4 * half_points // self.point_unit)

    def name_of(self, head: TournamentHead) -> Text:
        """Return the name of the kind of one tournament."""
        return self.name

    def about_of(self, head: TournamentHead) -> Text:
        """Return the explanation of one tournament."""
        return self.about[0]

    def facts(self, head: TournamentHead) -> list[Text]:
        """Return the facts that stand after game and time in lists."""
        return [p.RATED if head.rated else p.UNRATED]

    def state(self, tournament: Tournament, now: int) -> Text:
        """Return how far a tournament is that has begun."""
        return ROUND.fill(round=tournament.round, n=self.round_count(tournament))


def length_ms(head: TournamentHead) -> int:
    """Return the minutes of a tournament, or of each of its rounds, in milliseconds."""
    return head.minutes * MINUTE_MS


def is_live(head: TournamentHead) -> bool:
    """Return whether its matches are played in one sitting."""
    control = read_control(head.control)
    return control is None or control.live


def _has_enough(tournament: Tournament) -> bool:
    return len(tournament.active) >= MIN_ENTRIES
