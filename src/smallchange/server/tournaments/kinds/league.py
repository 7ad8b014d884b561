"""Solitaire league: in each round everybody plays the same sealed deal, and is compared with everybody else on it.

The rounds follow one another by the clock alone. Scores are compared as at duplicate bridge (matchpoints): an entry
gets 2 half points for each other entry with a lower score on the deal, and 1 for each with an equal one. An entry that
has not finished a deal in time gets no points for it and gives none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from smallchange.core.game import Game
from smallchange.i18n.text import Plural, Text
from smallchange.server.daily.days import DealScore, daily_games
from smallchange.server.table.model.time_control import TimeControl
from smallchange.server.tournaments.kinds.kind import MAX_ROUNDS, ROUND, Kind, length_ms
from smallchange.server.tournaments.model import (
    DRAWN,
    WON,
    DealGame,
    NextStep,
    Phase,
    Tournament,
    TournamentHead,
    TournamentOrder,
    initial_order,
)
from smallchange.server.tournaments.standings import Standing, TieBreak, with_places

MAX_REMINDER_MS = 24 * 60 * 60 * 1000
DAY_MIN = 24 * 60
MIN_ROUND_MIN, MAX_ROUND_DAYS = 15, 14
ABOUT = Text(
    "Solitaire league: in each round everyone plays the same deal, and the first attempt counts. Until "
    "the round closes nobody sees the games or results of others. Then you get a point for each player "
    "with a lower score on this deal, and half a point for each with the same. A deal not finished in "
    "time gives nothing. Enter late or leave as you like."
)


class LeagueScore(NamedTuple):
    """The score of an entry over all closed rounds: half points, rounds with the best score, and the sum of scores."""

    points: int = 0
    tops: int = 0
    total: int = 0
    played: int = 0


class League(Kind):
    """A league of deals in a game for one."""

    code = "league"
    order = 5
    name = Text("Solitaire league")
    about: ClassVar[tuple[Text, ...]] = (ABOUT,)
    tie_breaks: ClassVar[tuple[TieBreak, ...]] = (
        TieBreak(
            "tops",
            Text("Top", "deals with the best score, heading of a narrow column"),
            Text("Best scores"),
            Text("the number of deals on which nobody had a higher score."),
            lambda score: score.tops,
        ),
        TieBreak(
            "total",
            Text("Sum", "of scores, heading of a narrow column"),
            Text("Sum of scores"),
            Text("the scores by the rules of the game on all deals, added up."),
            lambda score: score.total,
        ),
    )
    first_step = NextStep.BEGIN
    minutes_field = "round_minutes"
    has_deals = True
    notifies_end = True

    def refusal(self, order: TournamentOrder, game: Game | None, control: TimeControl | None) -> Text | None:
        """Refuse another game than one with deals, and rounds out of bounds."""
        if game is None or game.id not in daily_games():
            return Text("a league needs a game for one")
        return None if 1 <= order.rounds <= MAX_ROUNDS and _is_long(order) else bad_rounds()

    def terms(self, head: TournamentHead, order: TournamentOrder) -> TournamentHead:
        """Return the terms with rounds by the clock. Nothing is rated, and nobody watches."""
        return head._replace(rounds=order.rounds, minutes=order.minutes, control="", rated=False)

    def games(self, head: TournamentHead) -> int:
        """Return the number of games in which an entry plays a deal."""
        return 1

    def open_seat(self, tournament: Tournament, number: int, round: int) -> int:
        """Return the seat from which an entry plays next: the first whose game is not over; the first if all are."""
        ended = {one.seat for one in tournament.games_of(number, round) if one.is_over}
        return next((seat for seat in range(self.games(tournament.head)) if seat not in ended), 0)

    def running_step(self, tournament: Tournament, now: int) -> NextStep:
        """Return the next step of a league that has begun."""
        head, round = tournament.head, open_round(tournament.head, now)
        if round > head.rounds:
            return NextStep.END
        if tournament.announced < round:
            return NextStep.ANNOUNCE
        is_late = tournament.reminded < round and now >= reminder_ms(head, round)
        return NextStep.REMIND if is_late else NextStep.WAIT

    def put_off_ms(self, head: TournamentHead, since: int, now: int) -> int:
        """Return by how long an outage since then puts a league off, as it does games by correspondence."""
        round = open_round(head, since)
        if head.phase != Phase.RUNNING or round > head.rounds:
            return super().put_off_ms(head, since, now)
        return now - since

    def may_enter_late(self, tournament: Tournament, now: int) -> bool:
        """Return whether a round is open."""
        return open_round(tournament.head, now) <= tournament.head.rounds

    def closed_rounds(self, tournament: Tournament, now: int) -> int:
        """Return the number of rounds that have closed, and so count."""
        return max(0, open_round(tournament.head, now) - 1)

    def standings(self, tournament: Tournament, now: int) -> list[Standing]:
        """Return the standings. A deal counts as won where nobody scored more, else as lost."""
        rows = [
            Standing(
                0,
                number,
                one.points,
                tuple(tie.measure(one) for tie in self.tie_breaks),
                one.tops,
                0,
                one.played - one.tops,
            )
            for number, one in self.scores(tournament, now).items()
        ]
        return with_places(rows, self.tie_breaks)

    def scores(self, tournament: Tournament, now: int) -> dict[int, LeagueScore]:
        """Return the score of each entry over all closed rounds, in the order of the initial ranking."""
        found = {entry.number: LeagueScore() for entry in initial_order(tournament.entries)}
        for round in range(1, self.closed_rounds(tournament, now) + 1):
            for one in self.results(tournament, round):
                points, tops, total, played = found[one.entry]
                top, score = tops + (one.place == 1), total + one.score.score
                found[one.entry] = LeagueScore(points + one.points, top, score, played + 1)
        return found

    def results(self, tournament: Tournament, round: int) -> list[DealResult]:
        """Return the results of a round, the best first."""
        games = [game for game in tournament.games if game.round == round]
        return deal_results(games, self.games(tournament.head))

    def find_finished(self, tournament: Tournament, round: int) -> list[int]:
        """Return the numbers of the entries that have ended every game of the deal of a round."""
        ended = defaultdict[int, int](int)
        for game in tournament.games:
            ended[game.entry] += game.round == round and game.is_over
        return [number for number, n in ended.items() if n == self.games(tournament.head)]

    def find_unfinished(self, tournament: Tournament, round: int) -> list[int]:
        """Return the numbers of the active entries that have not finished the deal of a round."""
        finished = self.find_finished(tournament, round)
        return [entry.number for entry in tournament.active if entry.number not in finished]

    def facts(self, head: TournamentHead) -> list[Text]:
        """Return the number of deals, and the time for each."""
        return [Plural("{n} deal", "{n} deals").fill(n=head.rounds), length_text(head.minutes)]

    def state(self, tournament: Tournament, now: int) -> Text:
        """Return the number of the open round."""
        round, n = open_round(tournament.head, now), tournament.head.rounds
        return ROUND.fill(round=min(max(round, 1), n), n=n)


class DealResult(NamedTuple):
    """The result of an entry on a deal. Places begin at 1; those of the same score share one."""

    entry: int
    place: int
    score: DealScore
    points: int  # in half points, by comparison with the other entries


def _is_long(order: TournamentOrder) -> bool:
    return MIN_ROUND_MIN <= order.minutes <= MAX_ROUND_DAYS * DAY_MIN


def bad_rounds() -> Text:
    """Return the reason why a number or length of rounds is refused."""
    text = Text("a league has {least} to {most} rounds, a duel one, each of {minutes} minutes to {days} days")
    return text.fill(least=1, most=MAX_ROUNDS, minutes=MIN_ROUND_MIN, days=MAX_ROUND_DAYS)


def length_text(minutes: int) -> Text:
    """Return the length of each round."""
    if minutes % DAY_MIN == 0:
        return Plural("{n} day each", "{n} days each").fill(n=minutes // DAY_MIN)
    return Plural("{n} minute each", "{n} minutes each").fill(n=minutes)


def open_round(head: TournamentHead, now: int) -> int:
    """Return the number of the round that is open at a time, 0 before the first; one more than `rounds` after the last.

    >>> head = TournamentHead("league", 3, begins_at=1000, minutes=1)
    >>> [open_round(head, now) for now in (999, 1000, 60_999, 61_000, 500_000)]
    [0, 1, 1, 2, 4]
    """
    if now < head.begins_at:
        return 0
    return min(1 + (now - head.begins_at) // length_ms(head), head.rounds + 1)


def closing_ms(head: TournamentHead, round: int) -> int:
    """Return when a round closes, in milliseconds since 1970.

    >>> closing_ms(TournamentHead("league", 3, begins_at=1000, minutes=1), 2)
    121000
    """
    return head.begins_at + round * length_ms(head)


def reminder_ms(head: TournamentHead, round: int) -> int:
    """Return when the players are reminded that a round closes: a day before it, in a short round in its last quarter.

    >>> reminder_ms(TournamentHead("league", 3, begins_at=1000, minutes=1), 2)
    106000
    """
    return closing_ms(head, round) - min(length_ms(head) // 4, MAX_REMINDER_MS)


def deal_scores(ended: Sequence[DealGame], games: int = 1) -> dict[int, DealScore]:
    """Return the scores of the entries that have ended a deal in time, by their numbers.

    >>> pair = [DealGame(1, 1, 3, seat=0, points=2), DealGame(1, 1, -5, seat=1)]
    >>> deal_scores([*pair, DealGame(1, 2, 4, points=2)], games=2)
    {1: DealScore(points=2, score=-2)}
    """
    played = defaultdict[int, list[DealScore]](list)
    for game in ended:
        if game.score is not None:
            played[game.entry].append(DealScore(game.points, game.score))
    return {
        entry: DealScore(sum(one.points for one in scores), sum(one.score for one in scores))
        for entry, scores in played.items()
        if len(scores) == games
    }


def deal_results(ended: Sequence[DealGame], games: int = 1) -> list[DealResult]:
    """Return the results of the entries that have finished a deal, the best first.

    >>> results = deal_results([DealGame(1, entry, score) for entry, score in ((1, 7), (2, 9), (3, 7))])
    >>> [(one.entry, one.place, one.points) for one in results]
    [(2, 1, 4), (1, 2, 1), (3, 2, 1)]
    """
    finished = deal_scores(ended, games)
    scores = list(finished.values())
    results = []
    for entry, score in finished.items():
        higher, lower = (sum(one > score for one in scores), sum(one < score for one in scores))
        equal = len(scores) - higher - lower - 1
        results.append(DealResult(entry, 1 + higher, score, WON * lower + DRAWN * equal))
    return sorted(results, key=lambda result: (result.place, result.entry))


KIND = League()
