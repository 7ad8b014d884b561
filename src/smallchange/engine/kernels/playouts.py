"""Whole games played in bulk by simple policies (play-outs), and the count of lines of play (perft).

Kernels are written once for all games, in the dialect of the rules. `setup`, `legal`, .. are functions of the
game into whose text this file is put (`compile/codegen.py`). A kernel runs compiled, on arrays, and
interpreted, which the tests compare.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.core.state import CHANCE, OVER
from smallchange.engine.compile.runtime_python import entry

from .random_streams import below, open_streams

if TYPE_CHECKING:
    from .calls import legal, move_score, odds, play, score, setup, source

RANDOM, GREEDY, SEARCH = 0, 1, 2  # policies; how a seat with SEARCH chooses is another kernel's concern
NO_STEP_LIMIT = 1 << 40


class Scratch(NamedTuple):
    """Room to take one step, and the random streams that decide it."""

    actions: Any  # [MOST + 1] of int64
    weights: Any  # [MOST + 1] of int64: the odds of these actions, or their scores
    spare: Any  # [1] a state
    streams: Any  # [seats + sources] of uint64: one stream for each seat and for each of chance's objects
    seats: int


class Batch(NamedTuple):
    """Games number first, first + 1, .. of a seed."""

    states: Any  # [n] the first state of each game; at the end the last
    scores: Any  # [n, seats] of int64, written
    steps: Any  # [n] of int64, written: how many steps each game took
    seed: Any  # a 64-bit word
    first: int


def total_weight(weights: Any, n: int) -> int:
    """Return the sum of the first n weights."""
    total = 0
    for i in range(n):
        total += weights[i]
    return total


def action_at(actions: Any, weights: Any, point: int) -> int:
    """Return the action at a point of the line on which the weights lie side by side from 0 on."""
    i = 0
    while point >= weights[i]:
        point -= weights[i]
        i += 1
    return actions[i]


def sample_action(scratch: Any, n: int, stream: int) -> int:
    """Return one of the n actions in `scratch`, by their weights and the next number of a stream."""
    point = below(scratch.streams, stream, total_weight(scratch.weights, n))
    return action_at(scratch.actions, scratch.weights, point)


def sample_chance_action(b: Any, s: Any, scratch: Any) -> int:
    """Return the next outcome of the object that decides this chance step."""
    n = odds(b, s, scratch.actions, scratch.weights)
    return sample_action(scratch, n, scratch.seats + source(b, s))


def greedy_action(b: Any, s: Any, n: int, scratch: Any) -> int:
    """Return the one of the n actions in `scratch` with the greatest move score; of equals one at random."""
    actions = scratch.actions
    ties = scratch.weights
    spare = scratch.spare
    best = 0
    tied = 0
    for i in range(n):
        spare[0] = s
        t = spare[0]
        play(b, t, actions[i])
        value = move_score(b, s, actions[i], t)
        if tied == 0 or value > best:
            best = value
            tied = 0
        if value == best:
            ties[tied] = actions[i]
            tied += 1
    return ties[below(scratch.streams, s.turn, tied)]


def next_action(b: Any, s: Any, policy: Any, scratch: Any) -> int:
    """Return the next action of chance or of the seat to move; -1 where a seat with SEARCH has a choice."""
    actions = scratch.actions
    if s.turn == CHANCE:
        return sample_chance_action(b, s, scratch)
    n = legal(b, s, actions)
    if policy[s.turn] == RANDOM:
        return actions[below(scratch.streams, s.turn, n)]
    if policy[s.turn] == GREEDY:
        return greedy_action(b, s, n, scratch)
    return actions[0] if n == 1 else -1


def play_on(b: Any, s: Any, policy: Any, limit: int, scratch: Any) -> int:
    """Play until the end, for `limit` steps, or until a seat with the policy SEARCH has a choice.

    Return the number of steps taken.
    """
    taken = 0
    while s.turn != OVER and taken < limit:
        a = next_action(b, s, policy, scratch)
        if a < 0:
            return taken
        play(b, s, a)
        taken += 1
    return taken


@entry
def play_games(boards: Any, batch: Any, policy: Any, limit: int, scratch: Any) -> int:
    """Play every game of a batch to its end; return how many ended within `limit` steps.

    boards[1]; policy[seats], each RANDOM or GREEDY. A game that did not end has no scores.
    """
    b = boards[0]
    ended = 0
    for i in range(len(batch.states)):
        s = batch.states[i]
        open_streams(scratch.streams, scratch.seats, batch.seed, batch.first + i)
        batch.steps[i] = play_on(b, s, policy, limit, scratch)
        if s.turn == OVER:
            ended += 1
            for seat in range(scratch.seats):
                batch.scores[i, seat] = score(b, s, seat)
    return ended


@entry
def trace_game(boards: Any, batch: Any, policy: Any, taken: Any, scratch: Any) -> int:
    """Play the first game of a batch as `play_games` does; write its actions to `taken`, and return their number."""
    b = boards[0]
    s = batch.states[0]
    open_streams(scratch.streams, scratch.seats, batch.seed, batch.first)
    n = 0
    while s.turn != OVER and n < len(taken):
        taken[n] = next_action(b, s, policy, scratch)
        play(b, s, taken[n])
        n += 1
    return n


def write_actions(b: Any, s: Any, actions: Any, weights: Any) -> int:
    """Write the actions of a player or of chance; return how many there are, 0 at the end of a game."""
    if s.turn == OVER:
        return 0
    if s.turn == CHANCE:
        return odds(b, s, actions, weights)
    return legal(b, s, actions)


@entry
def count_lines(
    boards: Any, states: Any, actions: Any, weights: Any, counts: Any, nexts: Any, depth: int
) -> int:
    """Return the number of sequences of exactly `depth` steps from states[0] (perft).

    A game that ends before that adds nothing. boards[1]; weights[MOST + 1]; the others have a row for each
    level: states[depth], actions[depth, MOST + 1], and of these actions counts[depth] and nexts[depth].
    """
    b = boards[0]
    total = 0
    level = 0
    counts[0] = write_actions(b, states[0], actions[0], weights)
    nexts[0] = 0
    while level >= 0:
        if level == depth - 1:
            total += counts[level]
            level -= 1
        elif nexts[level] == counts[level]:
            level -= 1
        else:
            a = actions[level][nexts[level]]
            nexts[level] += 1
            states[level + 1] = states[level]
            level += 1
            play(b, states[level], a)
            counts[level] = write_actions(b, states[level], actions[level], weights)
            nexts[level] = 0
    return total


# The functions of the rules one by one, to be called from Python.


@entry
def call_setup(b: Any, s: Any) -> None:
    setup(b, s)


@entry
def call_legal(b: Any, s: Any, out: Any) -> int:
    return legal(b, s, out)


@entry
def call_odds(b: Any, s: Any, out: Any, weights: Any) -> int:
    return odds(b, s, out, weights)


@entry
def call_source(b: Any, s: Any) -> int:
    return source(b, s)


@entry
def call_play(b: Any, s: Any, a: int) -> None:
    play(b, s, a)


@entry
def call_score(b: Any, s: Any, seat: int) -> int:
    return score(b, s, seat)


@entry
def call_move_score(b: Any, s: Any, a: int, t: Any) -> int:
    return move_score(b, s, a, t)
