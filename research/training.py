"""Training: a value net learned from nothing, or on from another net; the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from smallchange.core.game import Game
from smallchange.engine.kernels.td_learning import Lesson
from smallchange.engine.search.expectimax import MAX_LEVELS, MAX_WIDTH, ExpectimaxSearcher, value_searcher
from smallchange.engine.search.learned_values import Lookahead, ValueSearcher, set_scales
from smallchange.engine.search.value_weights import Weights, new_weights

PORTION = 100  # games between two reports; the steps of the net get shorter
BOUNDS = {  # the least and the most that a number of the lessons can be
    "heuristic_games": (0, 10**9),
    "games": (1, 10**9),
    "hidden": (1, 1024),
    "blend": (0, 1),
    "learning_rate": (0, 1),
    "trace_decay": (0, 1),
    "random_moves": (0, 1024),
    "heuristic_opponents": (0, 100),
    "rollouts": (0, 10**6),
    "batch": (1, PORTION),
    "max_scale": (1, 1000),
    "width": (1, MAX_WIDTH),
    "depth": (1, MAX_LEVELS),
}
FROM_NOTHING = ("heuristic_games", "hidden", "blend", "max_scale")  # what says nothing where a net learns on


@dataclass(frozen=True)
class TrainingPlan:
    """The settings of learning: games by move scores, then games by learned values.

    See `kernels/td_learning.py`. hidden: units of the net. blend: 1 to learn the chance of a win, 0 the
    game's utility. trace_decay: lambda. random_moves: of 1024. heuristic_opponents: games of 100 in which one
    seat plays by move scores, so that its weaknesses are learned too. rollouts: from each afterstate, from
    which to learn instead of from what comes of it. max_scale: how many times a feature that varies little is
    scaled up at most. width and depth: of the search that teaches, in games with an expectimax search.
    """

    heuristic_games: int = 10_000
    games: int = 10_000
    hidden: int = 32
    blend: float = 0.0
    learning_rate: float = 0.002
    trace_decay: float = 0.8
    random_moves: int = 0
    heuristic_opponents: int = 0
    rollouts: int = 0
    batch: int = 4
    max_scale: float = 10.0
    width: int = 16
    depth: int = 6

    def __post_init__(self) -> None:
        """ValueError for a number that is out of bounds."""
        for name, (least, most) in BOUNDS.items():
            number = getattr(self, name)
            if not least <= number <= most:
                raise ValueError(f"{describe_setting(name)}, not {number}")
        if self.games < self.batch:
            raise ValueError(f"batch is no more than the games, {self.games}, not {self.batch}")


def describe_setting(name: str) -> str:
    """Describe in words the accepted values of a setting of the lessons.

    >>> describe_setting("games"), describe_setting("learning_rate")
    ('games is a whole number from 1 to 1,000,000,000', 'learning_rate is a number from 0 to 1')
    """
    least, most = BOUNDS[name]
    whole = "whole " * isinstance(getattr(TrainingPlan, name), int)
    return f"{name} is a {whole}number from {least} to {most:,}"


def train(
    game: Game,
    plan: TrainingPlan,
    seed: int,
    report: Callable[[int, float], None],
    start: Weights | None = None,
) -> Weights:
    """Learn from nothing, or on from `start`; return the net.

    `report` is called after every portion with the number of games played and the mean of their results.
    """
    learner = _new_learner(game, plan, seed) if start is None else value_searcher(game, start)
    for first in range(0, plan.games, PORTION):
        n = min(PORTION, plan.games - first)
        rate = plan.learning_rate * (1 - 0.9 * first / plan.games)
        report(first + n, _play_portion(learner, plan, seed + 1, first, n, rate))
    return learner.weights()


def _new_learner(game: Game, plan: TrainingPlan, seed: int) -> ValueSearcher:
    """Return a net that has learned from games by move scores alone."""
    learner = value_searcher(game, new_weights(game, plan.hidden, seed, plan.blend))
    set_scales(learner, seed, min(200, max(1, plan.heuristic_games)), plan.max_scale)
    if not isinstance(learner, ExpectimaxSearcher):
        lesson = Lesson(plan.learning_rate, True, trace_decay=plan.trace_decay, batch=plan.batch)
        for first in range(0, plan.heuristic_games, PORTION):
            learner.learn(seed, first, min(PORTION, plan.heuristic_games - first), lesson)
    return learner


def _play_portion(
    learner: ValueSearcher, plan: TrainingPlan, seed: int, first: int, n: int, learning_rate: float
) -> float:
    """Play n games and learn from them; return the mean of their results."""
    if isinstance(learner, ExpectimaxSearcher):
        lookahead = Lookahead(width=plan.width, depth=plan.depth)
        lesson = learner.dice_lesson(learning_rate, plan.batch)
        return float(learner.learn_by_search(seed, first, n, lesson, lookahead).mean())
    results = learner.learn(
        seed,
        first,
        n,
        Lesson(
            learning_rate,
            random_moves=plan.random_moves,
            heuristic_opponents=plan.heuristic_opponents,
            rollouts=plan.rollouts,
            trace_decay=plan.trace_decay,
            batch=plan.batch,
        ),
    )
    return float(results.mean())
