"""The calibration of hints: how often the best bot wins from where its search finds a value.

Whole games by the best bot; in a game for two against the player that its search expects.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean

from smallchange import bots
from smallchange.bots.engines.evaluation import MoveEvaluation, outcome_points
from smallchange.bots.engines.exact_endgame import exact_evaluation
from smallchange.bots.levels import Level, OddsCalibration, load_bots
from smallchange.core.game import Game, Position
from smallchange.core.match import Match
from smallchange.core.variants import without_idle_options

RANDOM_PLIES = (2, 9)  # at the start of a game without chance, so that games differ
BINS = 10  # that all positions are sorted into by value, as many in each


@dataclass(frozen=True)
class HintedPosition:
    """A position of a game: its deal, its number among the choices, the value found, and the final points.

    `value` is from 0 to 1, `exact` if it is certain; `points` are 1 for a win and 0.5 for a draw.
    """

    deal: int
    place: int
    value: float
    exact: bool
    points: float


def needs_calibration(game: Game) -> bool:
    """Return whether the odds of a game's best bot are calibrated; those of alpha-beta search are not."""
    return bots.best_bot(game).engine != "alphabeta"


def calibrate_hints(
    game: Game, n: int, seed: int, progress: Callable[[int], None] = lambda _: None
) -> dict[str, Level]:
    """Play n games, and return the bots of the game with the new calibration for the game's options.

    Raise ValueError where `needs_calibration` is false, BadValues if learned values are missing.
    """
    if not needs_calibration(game):
        raise ValueError(f"{game.id}: hints of alpha-beta search are not calibrated")
    game = without_idle_options(game)
    positions = []
    for i in range(n):
        positions += play_game(game, seed, i)
        progress(i + 1)
    words = ["python", "-m", "research", "calibrate", game.id, "hints", *game.arguments]
    words += ["-n", str(n), "--seed", str(seed)]
    levels, best = dict(load_bots(game)), bots.best_bot(game)
    odds = OddsCalibration(
        game.non_default_options,
        fit_curve(positions),
        n,
        game.version,
        shlex.join(words),
        best.identity(game),
    )
    others = [other for other in best.odds if other.options != game.non_default_options]
    return levels | {best.name: replace(best, odds=(*others, odds))}


def play_game(game: Game, seed: int, i: int) -> list[HintedPosition]:
    """Play game `i` of a seed with the best bot; return the positions where it had a choice.

    In a game for two the other player is whom the bot's search expects: greedy, with the deals of `calibrate.levels`
    and both sides in turn, if its plan says `heuristic_replies`; else the bot itself. Without chance the first
    moves are random.
    """
    best, luck, greedy = bots.best_bot(game), Random(f"{seed} {i} thinks"), bots.bot("greedy", luck=Random(i))
    deal, seats = i, game.seats
    if "heuristic_replies" in best.plan:
        deal, turn = divmod(i, len(game.seats))
        seats = (game.seats[turn],)
    match = Match(game, Random(f"{seed} {deal}").randbytes(16))
    for _ in range(0 if game.sources else luck.randint(*RANDOM_PLIES)):
        if not match.over:
            match.play(luck.choice(match.position.legal()))
    found: list[tuple[Position, MoveEvaluation]] = []
    while not match.over:
        position = match.position
        if position.actor == "chance":
            match.settle()
        elif position.actor in seats and len(position.legal()) > 1:
            found.append((position.copy(), best_move(position, luck)))
            match.play(best.improve(position, found[-1][1].best, math.inf, bots.COMPILE_TIMEOUT_S))
        else:
            match.play(greedy(position))
    return [
        HintedPosition(deal, place, it.better, it.exact, _points(match.position, position.actor))
        for place, ((position, _), it) in enumerate(zip(found, _with_exact(found), strict=True))
    ]


def _points(end: Position, player: str | None) -> float:
    points = None if player is None else outcome_points(end, player)
    assert points is not None  # a player had a choice, and the game is over
    return points


def best_move(position: Position, luck: Random) -> MoveEvaluation:
    """Return the best bot's move and the findings of its search, without a clock."""
    bot = bots.best_bot(position.game)
    found: MoveEvaluation = bot.module.best_move(
        position, math.inf, luck, wait=bots.COMPILE_TIMEOUT_S, **bot.plan
    )
    return found


def _with_exact(found: list[tuple[Position, MoveEvaluation]]) -> list[MoveEvaluation]:
    """Return the evaluations of a game, with exact odds from the end back to where too much is left."""
    evaluations = [evaluation for _, evaluation in found]
    for place in reversed(range(len(found))):
        position, evaluation = found[place]
        evaluations[place] = exact_evaluation(position, None, evaluation, bots.COMPILE_TIMEOUT_S)
        if not evaluations[place].exact:
            break
    return evaluations


def fit_curve(positions: Sequence[HintedPosition]) -> tuple[tuple[float, float], ...]:
    """Return pairs of value and win rate, both ascending, from positions without exact odds.

    Positions are sorted into bins by value; adjacent bins are pooled while their win rates do not ascend.
    Where the highest bins were pooled, the win rate stays the same up to the highest of them. A win rate of 1 is left
    out: only a value of 1 is certain.
    """
    rows = sorted((one.value, one.points) for one in positions if not one.exact)
    size = max(1, math.ceil(len(rows) / BINS))
    bins = [rows[start : start + size] for start in range(0, len(rows), size)]
    pooled: list[list[tuple[float, float]]] = []
    for rows_of_bin in bins:
        pooled.append(rows_of_bin)
        while len(pooled) > 1 and _win_rate(pooled[-1]) <= _win_rate(pooled[-2]):
            last = pooled.pop()
            pooled[-1] = pooled[-1] + last
    curve = [(_value(pool), _win_rate(pool)) for pool in pooled]
    curve += [(_value(bins[-1]), curve[-1][1])] if curve else []
    points = dict.fromkeys((round(value, 4), round(rate, 4)) for value, rate in curve)
    return tuple((value, rate) for value, rate in points if rate < 1)


def _value(rows: list[tuple[float, float]]) -> float:
    return fmean(value for value, _ in rows)


def _win_rate(rows: list[tuple[float, float]]) -> float:
    return fmean(points for _, points in rows)
