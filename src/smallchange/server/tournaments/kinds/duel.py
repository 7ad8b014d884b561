"""Duel: two people play one sealed deal, and the higher score wins. It is for whoever comes first by its link.

In a game for two the deal is a *duplicate pair*: each entry plays two games against the same bot, one from each side
(`docs/decisions/0012-pairs-between-two-people.md`). An entry that has not finished the deal in time gets no points.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from smallchange.core.game import Game
from smallchange.i18n.text import Plural, Text
from smallchange.server.daily.days import duel_games, paired_games
from smallchange.server.table.model.clock import DAY_MS, TimeControl
from smallchange.server.tournaments.kinds.kind import DAY_MIN, ChoiceField, Kind, length_ms
from smallchange.server.tournaments.model import (
    DRAWN,
    WON,
    DealGame,
    DealResult,
    DealScore,
    NextStep,
    Phase,
    Standing,
    Tournament,
    TournamentHead,
    TournamentOrder,
    initial_order,
    with_places,
)
from smallchange.server.web import phrases as p

DUEL_ENTRIES = 2
MAX_REMINDER_MS = DAY_MS
MIN_MINUTES, MAX_DAYS = 15, 14
OFFERED_MINUTES = (15, 60, DAY_MIN, 2 * DAY_MIN, 7 * DAY_MIN)
ABOUT_PAIR = Text(
    "Duplicate pair: two people play the same two deals against the same bot, one from each side, so that both meet "
    "the same throws. Points count first, a win 1 and a draw ½, then the margins of both games. It begins at once, is "
    "for whoever comes first by its link, and closes when both have played, or when its time is over. Until then "
    "neither sees the games of the other."
)


class Duel(Kind):
    """A duel. It runs from the start, and closes when both have ended their games, or when its time is over."""

    code = "duel"
    order = 4
    name = p.DUEL
    about = (p.ABOUT_DUEL, ABOUT_PAIR)
    offer = Text("Duel with the same luck")
    tie_breaks = ()
    max_entries = DUEL_ENTRIES
    is_timed = False

    def fields(self) -> Sequence[ChoiceField]:
        """Return the field for the time in which both play."""
        choices = [(str(minutes), length_text(minutes)) for minutes in OFFERED_MINUTES]
        return [ChoiceField("minutes", Text("Time to play the deal"), choices, str(DAY_MIN))]

    def games(self) -> Sequence[str]:
        """Return the games with luck."""
        return duel_games()

    def refusal(self, order: TournamentOrder, game: Game | None, control: TimeControl | None) -> Text | None:
        """Refuse a game without luck, and a time out of bounds."""
        if game is None or game.id not in self.games():
            return Text("a duel needs a game with luck")
        if MIN_MINUTES <= order.minutes <= MAX_DAYS * DAY_MIN:
            return None
        text = Text("a duel lasts {minutes} minutes to {days} days")
        return text.fill(minutes=MIN_MINUTES, days=MAX_DAYS)

    def terms(self, head: TournamentHead, order: TournamentOrder) -> TournamentHead:
        """Return the terms of a deal that is open at once. It is shown by its players' names, which may change."""
        return head._replace(
            name="",
            minutes=order.minutes,
            control="",
            rated=False,
            begins_at=head.created,
            phase=Phase.RUNNING,
        )

    def running_step(self, tournament: Tournament, now: int) -> NextStep:
        """Return the next step of a duel; before the second entry it waits for its end alone."""
        is_full = len(tournament.entries) == DUEL_ENTRIES
        closes_at = self.closes_at(tournament.head)
        if now >= closes_at or (is_full and len(self.find_finished(tournament)) == DUEL_ENTRIES):
            return NextStep.END
        if is_full and not tournament.announced:
            return NextStep.ANNOUNCE
        is_late = is_full and not tournament.reminded and now >= reminder_ms(tournament.head)
        return NextStep.REMIND if is_late else NextStep.WAIT

    def put_off_ms(self, head: TournamentHead, since: int, now: int) -> int:
        """Return by how long an outage since then puts a duel off, as it does games by correspondence."""
        return now - since if head.phase == Phase.RUNNING and since < self.closes_at(head) else 0

    def closes_at(self, head: TournamentHead) -> int:
        """Return when the deal closes at the latest, in milliseconds since 1970."""
        return head.begins_at + length_ms(head)

    def open_seat(self, tournament: Tournament, number: int, now: int) -> int | None:
        """Return the seat from which an entry plays next: the first whose game is not over; the first if all are."""
        if tournament.phase != Phase.RUNNING or now >= self.closes_at(tournament.head):
            return None
        ended = {one.seat for one in tournament.games_of(number) if one.is_over}
        return next((seat for seat in range(game_count(tournament.head)) if seat not in ended), 0)

    def find_finished(self, tournament: Tournament) -> list[int]:
        """Return the numbers of the entries that have ended every game of the deal."""
        ended = defaultdict[int, int](int)
        for game in tournament.games:
            ended[game.entry] += game.is_over
        return [number for number, n in ended.items() if n == game_count(tournament.head)]

    def may_enter_late(self, tournament: Tournament, now: int) -> bool:
        """Return whether it is open."""
        return now < self.closes_at(tournament.head)

    def standings(self, tournament: Tournament, now: int) -> list[Standing]:
        """Return the standings. A deal counts as won where nobody scored more, else as lost."""
        results = {one.entry: one for one in self.results(tournament, now)}
        rows = []
        for number in (entry.number for entry in initial_order(tournament.entries)):
            one = results.get(number)
            top = one is not None and one.place == 1
            rows.append(
                Standing(
                    0, number, one.points if one else 0, (), int(top), 0, int(one is not None and not top)
                )
            )
        return with_places(rows, self.tie_breaks)

    def results(self, tournament: Tournament, now: int) -> list[DealResult]:
        """Return the results once the deal has closed, which it may before its time, the best first."""
        is_closed = tournament.phase == Phase.OVER or now >= self.closes_at(tournament.head)
        return deal_results(tournament.games, game_count(tournament.head)) if is_closed else []

    def name_of(self, head: TournamentHead) -> Text:
        """Return the name, for a duplicate pair its own."""
        return p.DUPLICATE_PAIR if game_count(head) == 2 else self.name

    def about_of(self, head: TournamentHead) -> Text:
        """Return the explanation, for a duplicate pair its own."""
        return self.about[game_count(head) - 1]

    def facts(self, head: TournamentHead) -> list[Text]:
        """Return no further facts."""
        return []

    def state(self, tournament: Tournament, now: int) -> Text:
        """Return that it runs."""
        return p.TOURNAMENT_RUNS


def game_count(head: TournamentHead) -> int:
    """Return the number of games in which an entry plays the deal: 2 for a duplicate pair."""
    return 2 if head.game in paired_games() else 1


def length_text(minutes: int) -> Text:
    """Return the length of a duel."""
    if minutes % DAY_MIN == 0:
        return Plural("{n} day", "{n} days").fill(n=minutes // DAY_MIN)
    return Plural("{n} minute", "{n} minutes").fill(n=minutes)


def reminder_ms(head: TournamentHead) -> int:
    """Return when the players are reminded that it closes: a day before it, in a short duel in its last quarter.

    >>> reminder_ms(TournamentHead("duel", begins_at=1000, minutes=2))
    91000
    """
    return head.begins_at + length_ms(head) - min(length_ms(head) // 4, MAX_REMINDER_MS)


def deal_scores(ended: Sequence[DealGame], games: int = 1) -> dict[int, DealScore]:
    """Return the scores of the entries that have ended a deal in time, by their numbers.

    >>> pair = [DealGame(1, 3, seat=0, points=2), DealGame(1, -5, seat=1)]
    >>> deal_scores([*pair, DealGame(2, 4, points=2)], games=2)
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

    >>> [(one.entry, one.place, one.points) for one in deal_results([DealGame(1, 7), DealGame(2, 9)])]
    [(2, 1, 2), (1, 2, 0)]
    """
    finished = deal_scores(ended, games)
    scores = list(finished.values())
    results = []
    for entry, score in finished.items():
        higher, lower = (sum(one > score for one in scores), sum(one < score for one in scores))
        equal = len(scores) - higher - lower - 1
        results.append(DealResult(entry, 1 + higher, score, WON * lower + DRAWN * equal))
    return sorted(results, key=lambda result: (result.place, result.entry))


KIND = Duel()
