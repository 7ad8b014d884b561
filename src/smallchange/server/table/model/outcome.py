"""The outcome of a match: the scores and winners at its end, the points it counts, and what is stored of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple

from smallchange.core import record
from smallchange.core.match import Match
from smallchange.server.table.model.events import NOBODY, Ending, How, Step
from smallchange.server.table.model.history import BroughtFromOffline, Fork, History, SeatKind

MIN_COUNTED_MOVES = 3  # of each side, in a match that was not played to its end


class Points(IntEnum):
    """The points of a seat. Stored, so never renumbered."""

    LOSS = 0
    DRAW = 1
    WIN = 2


class Status(StrEnum):
    """The status of a match. Stored, so never renamed."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a match that has ended.

    `how` is that of `Ending`. `scores` has each seat's score, None unless the match was
    played to its end. `winners` are the seats that won, `result` the fields of the rulebook's result,
    `by` the seat that resigned, ran out of time or left.
    """

    how: How
    scores: tuple[int | None, ...]
    winners: tuple[int, ...] = ()
    result: dict[str, Any] = field(default_factory=dict)
    by: int = NOBODY


class Stage(NamedTuple):
    """The status of a match, points and scores of its seats, and its record at the end.

    Points and scores are None where the match counts for nobody. `rated_at` is the end of a match that counts for
    ratings, else None.
    """

    status: Status
    points: Sequence[Points | None]
    scores: Sequence[int | None]
    record: str | None
    rated_at: int | None = None

    @property
    def is_over(self) -> bool:
        """Return whether the match has ended."""
        return self.status == Status.OVER


def outcome(match: Match, ending: Ending) -> Outcome:
    """Return the outcome of a match that has ending."""
    game, position = match.game, match.position
    everyone = range(len(game.seats))
    if ending.how == How.PLAYED:
        scores = tuple(position.score(player) for player in game.seats)
        best = max(score for score in scores if score is not None)
        winners = tuple(i for i in everyone if scores[i] == best)
        if len(game.seats) == 1 or len(winners) > 1:
            winners = ()
        return Outcome(How.PLAYED, scores, winners, position.result or {})
    no_scores = tuple(None for _ in everyone)
    lost = ending.how in (How.RESIGNED, How.TIMED_OUT, How.ABANDONED)
    winners = tuple(i for i in everyone if i != ending.seat) if lost else ()
    by = ending.seat if ending.how.by_seat else NOBODY
    return Outcome(ending.how, no_scores, winners, by=by)


def stage(history: History) -> Stage:
    """Return the stage that a match has reached."""
    if history.ending:
        counted = points(history)
        is_rated = history.head.rated and None not in counted
        rated_at = history.events[-1].at if is_rated else None
        return Stage(Status.OVER, counted, scores(history), record.write(history.record), rated_at)
    nothing = (None,) * len(history.seats)
    return Stage(Status.PLAYING if history.started else Status.WAITING, nothing, nothing, None)


def scores(history: History) -> tuple[int | None, ...]:
    """Return the score of each seat by the rules; in a duplicate pair the margins.

    They are None where `points` are, and in a deal that ended after it had closed.
    """
    counted, head = points(history), history.head
    late = head.closes_at is not None and history.events[-1].at >= head.closes_at
    if history.ending is None or late:
        return (None,) * len(counted)
    found = outcome(history.match, history.ending).scores
    if head.closes_at is not None and len(found) == 2 and history.ending.how == How.PLAYED:
        found = margins(history.match)
    return tuple(None if n is None else score for n, score in zip(counted, found, strict=True))


def margins(match: Match) -> tuple[int, ...]:
    """Return by how much each seat was ahead when a match was played to its end; 0 in a game without margins."""
    game = match.game
    if game.margin is None:
        return (0,) * len(game.seats)
    return tuple(game.margin.margin(game.board, match.position.s, seat) for seat in range(len(game.seats)))


def points(history: History) -> tuple[Points | None, ...]:
    """Return the points of each seat.

    They are None while the match goes on, and where it counts for nobody: in practice, after a game offline, at a table
    that was withdrawn or aborted, and where one person played both sides. They are None too where a match ended before
    the rules ended it and before each side had made a few moves, or because the table had reached its greatest length;
    but whoever has left another rated match so within a day loses.
    """
    ending, people = history.ending, [seat for seat in history.seats if seat.kind != SeatKind.BOT]
    if (
        ending is None
        or ending.how in (How.WITHDRAWN, How.ABORTED)
        or isinstance(history.head.origin, Fork | BroughtFromOffline)
        or (history.one_person and len(people) > 1)
    ):
        return (None,) * len(history.seats)
    hardly_begun = _is_hardly_begun(history.match) and not ending.counts
    if ending.how != How.PLAYED and (history.full or hardly_begun):
        return (None,) * len(history.seats)
    end = outcome(history.match, ending)
    if len(history.seats) == 1:
        return (Points.WIN if end.result.get("won") else Points.LOSS,)
    others = Points.LOSS if end.winners else Points.DRAW
    return tuple(Points.WIN if i in end.winners else others for i in range(len(history.seats)))


def tournament_points(history: History) -> tuple[Points, Points]:
    """Return the points of both seats in a tournament, however early the match for two ended.

    A player who did not take the first turn in time, or ended the match before it had begun, loses. A match that
    could not go on is drawn.
    """
    ending = history.ending
    if ending is None or (history.full and ending.how != How.PLAYED):
        return Points.DRAW, Points.DRAW
    if ending.how == How.ABORTED and ending.seat != NOBODY:
        winners: tuple[int, ...] = (1 - ending.seat,)
    else:
        winners = outcome(history.match, ending).winners
    if not winners:
        return Points.DRAW, Points.DRAW
    return (Points.WIN, Points.LOSS) if 0 in winners else (Points.LOSS, Points.WIN)


def absent_seat(history: History) -> int | None:
    """Return the seat whose player let the first turn pass, so that the match was aborted; None for no such end."""
    ending = history.ending
    is_late = ending is not None and ending.seat != NOBODY and ending.how == How.ABORTED
    if ending is not None and ending.how == How.TIMED_OUT and ending.counts:
        is_late = not has_moved(history, ending.seat)
    by_clock = is_late and history.events[-1].command_id is None
    return ending.seat if ending is not None and by_clock else None


def has_moved(history: History, seat: int) -> bool:
    """Return whether a seat has taken a step."""
    return any(isinstance(event, Step) and event.seat == seat for event in history.events)


def early_leaver(history: History) -> int | None:
    """Return the seat of the player who ended a rated match so early that it counts for nobody; None for no such end.

    It is the end of the match before it counts for the reason that `Ending.counts` gives.
    """
    ending = history.ending
    if (
        ending is None
        or ending.seat == NOBODY
        or not history.head.rated
        or history.full
        or not history.started
    ):
        return None
    left = history.seats[ending.seat].kind == SeatKind.PERSON and ending.how != How.WITHDRAWN
    return ending.seat if left and None in points(history) else None


def is_unrated(history: History) -> bool:
    """Return whether a match counts for ratings that are not known yet."""
    if not history.head.rated or not history.ending or None in points(history):
        return False
    return any(rating is None or rating.gain is None for rating in history.ratings)


def _is_hardly_begun(match: Match) -> bool:
    """Return whether one side has made fewer than MIN_COUNTED_MOVES moves."""
    moves = Counter(step.actor for step in match.steps)
    return any(moves[player] < MIN_COUNTED_MOVES for player in match.game.seats)
