"""Solitaire league: in each round everybody plays the same sealed deal, and is compared with everybody else on it.

A duel is a league of two entries and one round. In a game for two its deal is a duplicate pair: each entry plays two
games against the same bot, one from each side (`docs/decisions/0012-pairs-between-two-people.md`).

The rounds follow one another by the clock alone. Scores are compared as at duplicate bridge (matchpoints): an entry
gets 2 half points for each other entry with a lower score on the deal, and 1 for each with an equal one. An entry that
has not finished a deal in time gets no points for it and gives none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from smallchange.server.tournaments.model import (
    DRAWN,
    DUEL,
    DUEL_ENTRIES,
    WON,
    DealScore,
    Play,
    Rules,
    Tournament,
    initial_order,
)

MAX_REMINDER_MS = 24 * 60 * 60 * 1000


def is_decided(tournament: Tournament) -> bool:
    """Return whether a duel is over before its time, because both have ended their games."""
    if tournament.rules.kind != DUEL or len(tournament.entries) < DUEL_ENTRIES:
        return False
    return len(find_finished(tournament, 1)) == DUEL_ENTRIES


class DealResult(NamedTuple):
    """The result of an entry on a deal. Places begin at 1; those of the same score share one."""

    entry: int
    place: int
    score: DealScore
    points: int  # in half points, by comparison with the other entries


def open_round(rules: Rules, now: int) -> int:
    """Return the number of the round that is open at a time, 0 before the first; one more than `rounds` after the last.

    >>> rules = Rules("league", 3, begins_at=1000, round_ms=10)
    >>> [open_round(rules, now) for now in (999, 1000, 1009, 1010, 5000)]
    [0, 1, 1, 2, 4]
    """
    if now < rules.begins_at:
        return 0
    return min(1 + (now - rules.begins_at) // rules.round_ms, rules.rounds + 1)


def closing_ms(rules: Rules, round: int) -> int:
    """Return when a round closes, in milliseconds since 1970.

    >>> closing_ms(Rules("league", 3, begins_at=1000, round_ms=10), 2)
    1020
    """
    return rules.begins_at + round * rules.round_ms


def reminder_ms(rules: Rules, round: int) -> int:
    """Return when the players are told that a round closes soon: a day before it, in a short round in its last quarter.

    >>> reminder_ms(Rules("league", 3, begins_at=1000, round_ms=8), 2)
    1014
    """
    return closing_ms(rules, round) - min(rules.round_ms // 4, MAX_REMINDER_MS)


def find_finished(tournament: Tournament, round: int) -> list[int]:
    """Return the numbers of those who have ended every game of the deal of a round."""
    games = defaultdict[int, int](int)
    for play in tournament.plays:
        games[play.entry] += play.round == round and play.is_over
    return [number for number, ended in games.items() if ended == tournament.rules.games]


def find_unfinished(tournament: Tournament, round: int) -> list[int]:
    """Return the numbers of those who have not withdrawn and have not finished the deal of a round."""
    finished = find_finished(tournament, round)
    return [entry.number for entry in tournament.active if entry.number not in finished]


def deal_scores(plays: Sequence[Play], games: int = 1) -> dict[int, DealScore]:
    """Return the scores of those who have played one deal to its end in time, by their numbers.

    >>> deal_scores([Play(1, 1, 3, seat=0, points=2), Play(1, 1, -5, seat=1), Play(1, 2, 4, points=2)], games=2)
    {1: DealScore(points=2, score=-2)}
    """
    played = defaultdict[int, list[DealScore]](list)
    for play in plays:
        if play.score is not None:
            played[play.entry].append(DealScore(play.points, play.score))
    return {
        entry: DealScore(sum(one.points for one in scores), sum(one.score for one in scores))
        for entry, scores in played.items()
        if len(scores) == games
    }


def deal_results(plays: Sequence[Play], games: int = 1) -> list[DealResult]:
    """Return the results of those who have finished one deal, the best first.

    >>> [(one.entry, one.place, one.points) for one in deal_results([Play(1, 1, 7), Play(1, 2, 9), Play(1, 3, 7)])]
    [(2, 1, 4), (1, 2, 1), (3, 2, 1)]
    """
    finished = deal_scores(plays, games)
    scores = list(finished.values())
    results = []
    for entry, score in finished.items():
        higher, lower = (sum(one > score for one in scores), sum(one < score for one in scores))
        equal = len(scores) - higher - lower - 1
        results.append(DealResult(entry, 1 + higher, score, WON * lower + DRAWN * equal))
    return sorted(results, key=lambda result: (result.place, result.entry))


class LeagueScore(NamedTuple):
    """The score of an entry over all closed rounds: half points, rounds with the best score, and the sum of scores."""

    points: int
    tops: int
    total: int
    played: int


def league_scores(tournament: Tournament) -> dict[int, LeagueScore]:
    """Return the score of each entry, in the order of the initial ranking."""
    found = {entry.number: LeagueScore(0, 0, 0, 0) for entry in initial_order(tournament.entries)}
    for round in range(1, tournament.closed_rounds + 1):
        plays = [play for play in tournament.plays if play.round == round]
        for result in deal_results(plays, tournament.rules.games):
            points, tops, total, played = found[result.entry]
            top = tops + (result.place == 1)
            found[result.entry] = LeagueScore(
                points + result.points, top, total + result.score.score, played + 1
            )
    return found
