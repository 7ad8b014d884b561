"""Whole games, played in bulk: written once for all games, in the dialect of the rules.

The names `setup`, `legal`, .. are those of the game into whose text this file is woven (`weave.py`). It
runs compiled, on arrays, and interpreted, as the compiled code's twin.
"""

from typing import TYPE_CHECKING, Any

from smallchange.state import CHANCE, OVER

from .luck import below, open_streams
from .twins import entry

if TYPE_CHECKING:
    from .calls import legal, odds, play, promise, score, setup, source

RANDOM, GREEDY, SEARCH = 0, 1, 2  # the policies; how one searches is a driver's own
LONGEST = 1 << 40  # steps of a game, where nothing else bounds it


def drawn(out: Any, weights: Any, n: int, streams: Any, stream: int) -> int:
    """One of n actions, by their weights and the next number of a stream."""
    return holder(out, weights, below(streams, stream, whole_weight(weights, n)))


def whole_weight(weights: Any, n: int) -> int:
    """What the weights of n actions come to."""
    total = 0
    for i in range(n):
        total += weights[i]
    return total


def holder(out: Any, weights: Any, rest: int) -> int:
    """The action in whose weight this number falls, the weights laid side by side from 0 on."""
    i = 0
    while rest >= weights[i]:
        rest -= weights[i]
        i += 1
    return out[i]


def chance_action(b: Any, s: Any, out: Any, weights: Any, streams: Any, seats: int) -> int:
    """What the object that decides this chance step shows next."""
    n = odds(b, s, out, weights)
    return drawn(out, weights, n, streams, seats + source(b, s))


def greedy_action(b: Any, s: Any, spare: Any, out: Any, n: int, ties: Any, streams: Any) -> int:
    """The action that promises most; among equals one at random."""
    best = 0
    tied = 0
    for i in range(n):
        spare[0] = s
        t = spare[0]
        play(b, t, out[i])
        hope = promise(b, s, out[i], t)
        if tied == 0 or hope > best:
            best = hope
            tied = 0
        if hope == best:
            ties[tied] = out[i]
            tied += 1
    return ties[below(streams, s.turn, tied)]


def play_on(
    b: Any, s: Any, policy: Any, limit: int, spare: Any, out: Any, weights: Any, streams: Any, seats: int
) -> int:
    """Play to the end, for `limit` steps at most, or until one whose policy is SEARCH has a choice; the steps
    taken."""
    taken = 0
    while s.turn != OVER and taken < limit:
        if s.turn == CHANCE:
            a = chance_action(b, s, out, weights, streams, seats)
        else:
            n = legal(b, s, out)
            if policy[s.turn] == RANDOM:
                a = out[below(streams, s.turn, n)]
            elif policy[s.turn] == GREEDY:
                a = greedy_action(b, s, spare, out, n, weights, streams)
            elif n == 1:
                a = out[0]
            else:
                return taken
        play(b, s, a)
        taken += 1
    return taken


@entry
def first_state(boards: Any, states: Any) -> None:
    """Write the first state into states[0], which is all zeros."""
    setup(boards[0], states[0])


@entry
def play_games(
    boards: Any, states: Any, scores: Any, steps: Any, policy: Any,
    seed: int, first: int, limit: int, spare: Any, out: Any, weights: Any, streams: Any,
) -> int:  # fmt: skip
    """Play games number first, first + 1, .., one from each of `states`, to its end.

    boards[1]; states[n], which hold the first state and will hold the last; scores[n, seats] and
    steps[n], written; policy[seats], RANDOM or GREEDY; spare[1] a state; out and weights, MOST + 1 long;
    streams, one for each seat and each of chance's objects. Gives how many games ended within `limit`.
    """
    b = boards[0]
    seats = len(policy)
    ended = 0
    for i in range(len(states)):
        s = states[i]
        open_streams(streams, seats, seed, first + i)
        steps[i] = play_on(b, s, policy, limit, spare, out, weights, streams, seats)
        if s.turn == OVER:
            ended += 1
            for seat in range(seats):
                scores[i, seat] = score(b, s, seat)
    return ended


def possible(b: Any, s: Any, out: Any, weights: Any) -> int:
    """Write the actions of a player or of chance into `out`; how many there are, 0 at the end."""
    if s.turn == OVER:
        return 0
    if s.turn == CHANCE:
        return odds(b, s, out, weights)
    return legal(b, s, out)


@entry
def count_lines(
    boards: Any, states: Any, outs: Any, weights: Any, sizes: Any, places: Any, depth: int
) -> int:
    """The number of sequences of exactly `depth` steps from states[0]; a game over before adds nothing.

    boards[1]; states[depth], outs[depth, MOST + 1], sizes[depth] and places[depth] are a level each.
    """
    b = boards[0]
    total = 0
    level = 0
    sizes[0] = possible(b, states[0], outs[0], weights)
    places[0] = 0
    while level >= 0:
        if level == depth - 1:
            total += sizes[level]
            level -= 1
        elif places[level] == sizes[level]:
            level -= 1
        else:
            a = outs[level][places[level]]
            places[level] += 1
            states[level + 1] = states[level]
            level += 1
            play(b, states[level], a)
            sizes[level] = possible(b, states[level], outs[level], weights)
            places[level] = 0
    return total


# The functions of the rules one by one, for those who step from outside.


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
def call_promise(b: Any, s: Any, a: int, t: Any) -> int:
    return promise(b, s, a, t)
