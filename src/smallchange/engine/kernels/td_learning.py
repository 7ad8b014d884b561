"""Temporal-difference learning: the value net learns from self-play.

Games are played by the net's own judgement (the first of them by move scores, so that there is something to
learn from). Each afterstate is worth what the seat's next one is worth by the net, and what the game came to
at last: a mean of all these, the nearer ones counting more (TD(lambda), in the form of the lambda-return:
Sutton, "Learning to predict by the methods of temporal differences", 1988; Tesauro, "Temporal difference
learning and TD-Gammon", 1995). Or it is worth the mean of some truncated rollouts from it, where luck decides
much: each has other luck, and ends a turn later with the best that the net sees there. After every few games
the net takes a step of Adam (Kingma and Ba, 2015).
"""

from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.core.state import CHANCE, OVER
from smallchange.engine.compile.runtime_python import entry, word

from .afterstate_search import find_afterstates, terminal_value, truncated_rollout
from .playouts import greedy_action, sample_chance_action
from .random_streams import below, mix, open_streams
from .stratified_chance import STRATIFIED_STEPS
from .value_net import add_gradients, net_value

if TYPE_CHECKING:
    from .calls import features, is_afterstate, legal, play, utility


class Adam(NamedTuple):
    """The optimizer's state for each of the net's two arrays of weights.

    The rows are the weights, their gradients, and the running means of the gradients and of their squares.
    The first two rows are the very numbers of the net and of the Gradients.
    """

    first: Any  # [4, weights] of float64
    second: Any  # [4, weights] of float64


class Lesson(NamedTuple):
    """The settings of learning from games."""

    learning_rate: float
    heuristic: bool = False  # play by move scores
    random_moves: int = 0  # of 1024 moves, how many are random
    heuristic_opponents: int = (
        0  # of 100 games, in how many a seat plays by move score and is not learned from
    )
    rollouts: int = 0  # from each afterstate; 0 to learn from what the game comes to
    trace_decay: float = 0.8  # lambda
    batch: int = 4  # games between two steps of the net


class Learner(NamedTuple):
    """A net that learns, and the room for one game."""

    search: Any  # ValueSearch, whose state and scratch serve the rollouts
    gradients: Any  # Gradients
    adam: Any  # Adam
    state: Any  # [1] the game's
    marks: Any  # [seats, n, marks] of int16: of the afterstates of each seat
    values: Any  # [seats, n] of float64: theirs by the net
    counts: Any  # [seats] of int64: how many there are
    scratch: Any  # Scratch of the game


def adam_step(rows: Any, rate: float) -> None:
    """Take a step of Adam down the gradients, which are cleared."""
    weights, gradients, means, squares = rows[0], rows[1], rows[2], rows[3]
    for k in range(len(weights)):
        gradient = gradients[k]
        gradients[k] = 0.0
        means[k] += 0.1 * (gradient - means[k])
        squares[k] += 0.001 * (gradient * gradient - squares[k])
        weights[k] -= rate * means[k] / (sqrt(squares[k]) + 1.0e-6)


def improve(adam: Any, rate: float) -> None:
    """Take one step of the whole net."""
    adam_step(adam.first, rate)
    adam_step(adam.second, rate)


def remember_afterstate(b: Any, s: Any, mover: int, learner: Any) -> None:
    """Note the afterstate of a seat, where there is room."""
    k = learner.counts[mover]
    if k < len(learner.values[mover]):
        net = learner.search.net
        learner.values[mover, k] = net_value(b, s, mover, net)
        for i in range(len(net.marks)):
            learner.marks[mover, k, i] = net.marks[i]
        learner.counts[mover] += 1


def learn_from_outcome(seat: int, target: float, trace_decay: float, learner: Any) -> None:
    """Learn from the afterstates of a seat, the last one first, given the result of the game."""
    net = learner.search.net
    k = learner.counts[seat]
    while k > 0:
        k -= 1
        for i in range(len(net.marks)):
            net.marks[i] = learner.marks[seat, k, i]
        add_gradients(net, target, learner.gradients)
        target += (1.0 - trace_decay) * (learner.values[seat, k] - target)


def learn_from_rollouts(
    b: Any, s: Any, seat: int, rollouts: int, heuristic: int, seed: Any, first: int, learner: Any
) -> None:
    """Learn the value of an afterstate of a seat: the mean of rollouts number first, first + 1, .. of a seed."""
    search = learner.search
    total = 0.0
    for k in range(rollouts):
        open_streams(search.scratch.streams, search.scratch.seats, seed, first + k)
        total += truncated_rollout(b, s, seat, 1, heuristic, 0, STRATIFIED_STEPS, search)
    features(b, s, seat, search.net.marks)
    add_gradients(search.net, total / rollouts, learner.gradients)


@entry
def learn_games(
    boards: Any, begin: Any, results: Any, seed: Any, number: int, lesson: Any, learner: Any
) -> None:
    """Play len(results) games from begin[0], those from `number` on of a seed, and learn from each.

    results[n] of float64, written: the utility of each end to seat 0.
    """
    b = boards[0]
    search = learner.search
    scratch = learner.scratch
    actions = scratch.actions
    streams = scratch.streams
    for game in range(len(results)):
        open_streams(streams, scratch.seats, seed, number + game)
        learner.state[0] = begin[0]
        s = learner.state[0]
        opponent = -1
        share = lesson.heuristic_opponents
        if share > 0 and not lesson.heuristic and below(streams, 0, 100) < share:
            opponent = below(streams, 0, scratch.seats)
        for seat in range(scratch.seats):
            learner.counts[seat] = 0
        private = mix(word(seed) ^ word(number + game))
        rollouts = 0
        while s.turn != OVER:
            mover = s.turn
            if mover == CHANCE:
                play(b, s, sample_chance_action(b, s, scratch))
                continue
            n = legal(b, s, actions)
            rate = lesson.random_moves
            if n == 1:
                a = actions[0]
            elif rate > 0 and mover != opponent and below(streams, mover, 1024) < rate:
                a = actions[below(streams, mover, n)]
            elif lesson.heuristic or mover == opponent:
                a = greedy_action(b, s, n, scratch)
            else:
                find_afterstates(b, s, search, search.best, 0)
                a = search.best.actions[0]
            play(b, s, a)
            if mover != opponent and s.turn != OVER and (s.turn != mover or is_afterstate(b, s)):
                if lesson.rollouts > 0:
                    heuristic = 1 if opponent >= 0 else 0
                    learn_from_rollouts(b, s, mover, lesson.rollouts, heuristic, private, rollouts, learner)
                    rollouts += lesson.rollouts
                else:
                    remember_afterstate(b, s, mover, learner)
        results[game] = utility(b, s, 0)
        for seat in range(scratch.seats):
            learn_from_outcome(seat, terminal_value(b, s, seat, search.net), lesson.trace_decay, learner)
        if (game + 1) % lesson.batch == 0:
            improve(learner.adam, lesson.learning_rate)
