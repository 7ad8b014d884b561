"""Variance reduction: games against the greedy policy with their luck taken off, at the same mean.

Before chance moves, its outcomes are known, and the value of the state after each can be estimated. The
value of the outcome above the mean of all is luck. A game's result less all its luck has the right mean,
however good the estimate is, and varies the less the better it is (Zinkevich, Bowling, Bard, Kan and
Billings, "Optimal unbiased estimators for evaluating agent performance", AAAI 2006): here by a fifteenth of the
variance. Where chance has more outcomes than there is room for, its luck stays in.

The estimate is the net's value of the best afterstate of the turn. Before that the greedy opponent answers and,
so that a turn is whole, chance moves once more, in a few ways.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.core.state import CHANCE, OVER
from smallchange.engine.compile.runtime_python import entry, word
from smallchange.engine.kernels.afterstate_search import choose_action, find_afterstates, terminal_value
from smallchange.engine.kernels.playouts import greedy_action, sample_chance_action
from smallchange.engine.kernels.random_streams import mix, open_streams

if TYPE_CHECKING:
    from smallchange.engine.kernels.calls import legal, odds, play

REPLY_SAMPLES = 4  # ways in which chance moves after an answer
FRACTIONS = 1 << 53  # as many as a float holds from 0 to 1


class Outcomes(NamedTuple):
    """The possible outcomes of chance from a state until a player acts."""

    states: Any  # [n]
    shares: Any  # [n] of float64: how likely each is


class AdjustedBatch(NamedTuple):
    """Games number first, first + 1, .. of a seed, for one seat."""

    begin: Any  # [1] the first state
    results: Any  # [n] of float64, written: what each game came to for the seat, 0 to 1
    adjusted: Any  # [n] of float64, written: the same with the luck taken off
    seed: Any  # a 64-bit word
    first: int


class LuckRoom(NamedTuple):
    """Room for one game and for the outcomes of chance in it."""

    state: Any  # [1] the game's
    throws: Any  # Outcomes of the chance step at hand
    replies: Any  # Outcomes of the chance step after an answer


def write_outcomes(b: Any, s: Any, outcomes: Any, scratch: Any) -> int:
    """Write the states that chance can make of `s` until a player acts; return their number, or 0 without room."""
    states = outcomes.states
    shares = outcomes.shares
    actions = scratch.actions
    weights = scratch.weights
    states[0] = s
    shares[0] = 1.0
    n = 1
    i = 0
    while i < n:
        if states[i].turn != CHANCE:
            i += 1
            continue
        k = odds(b, states[i], actions, weights)
        total = 0
        for j in range(k):
            total += weights[j]
        if n + k - 1 > len(shares):
            return 0
        for j in range(1, k):
            states[n] = states[i]
            shares[n] = shares[i] * weights[j] / total
            play(b, states[n], actions[j])
            n += 1
        shares[i] *= weights[0] / total
        play(b, states[i], actions[0])
    return n


def best_value(b: Any, s: Any, seat: int, search: Any) -> float:
    """Return the value of the best afterstate of the seat's turn; a half in another seat's turn."""
    if s.turn == OVER:
        return terminal_value(b, s, seat, search.net)
    if s.turn != seat:
        return 0.5
    find_afterstates(b, s, search, search.best, 0)
    return search.best.values[0]


def value_after_throw(
    b: Any, s: Any, seat: int, offset: float, search: Any, replies: Any, scratch: Any
) -> float:
    """Return an estimate for a seat of a state where somebody's turn begins.

    offset: where, from 0 to 1, the first of the REPLY_SAMPLES evenly spaced points lies.
    """
    if s.turn == OVER or s.turn == seat:
        return best_value(b, s, seat, search)
    search.state[0] = s
    t = search.state[0]
    other = s.turn
    before = scratch.streams[other]
    while t.turn == other:
        play(b, t, greedy_action(b, t, legal(b, t, scratch.actions), scratch))
    scratch.streams[other] = before
    n = write_outcomes(b, t, replies, scratch)
    if n == 0:
        return 0.5
    total = 0.0
    passed = replies.shares[0]
    i = 0
    for k in range(REPLY_SAMPLES):
        while passed < (k + offset) / REPLY_SAMPLES and i < n - 1:
            i += 1
            passed += replies.shares[i]
        total += best_value(b, replies.states[i], seat, search)
    return total / REPLY_SAMPLES


@entry
def play_adjusted(boards: Any, batch: Any, seat: int, plan: Any, search: Any, luck: Any, scratch: Any) -> int:
    """Play an AdjustedBatch, `seat` by a plan, the others greedily, with the throws of `play_by_values`.

    Return the number of moves searched for.
    """
    b = boards[0]
    throws = luck.throws
    replies = luck.replies
    actions = scratch.actions
    moves = 0
    for i in range(len(batch.results)):
        luck.state[0] = batch.begin[0]
        s = luck.state[0]
        open_streams(scratch.streams, scratch.seats, batch.seed, batch.first + i)
        steps = 0
        fortune = 0.0
        while s.turn != OVER:
            private = mix(word(batch.seed) ^ word((batch.first + i) * 1000003 + steps))
            if s.turn == CHANCE:
                n = write_outcomes(b, s, throws, scratch)
                offset = (private >> word(11)) / FRACTIONS
                for k in range(n):
                    fortune -= throws.shares[k] * value_after_throw(
                        b, throws.states[k], seat, offset, search, replies, scratch
                    )
                while s.turn == CHANCE:
                    play(b, s, sample_chance_action(b, s, scratch))
                    steps += 1
                if n > 0:
                    fortune += value_after_throw(b, s, seat, offset, search, replies, scratch)
                continue
            n = legal(b, s, actions)
            if s.turn != seat:
                a = greedy_action(b, s, n, scratch)
            elif n == 1:
                a = actions[0]
            else:
                moves += 1
                a = choose_action(b, s, plan, private, search)
            play(b, s, a)
            steps += 1
        batch.results[i] = terminal_value(b, s, seat, search.net)
        batch.adjusted[i] = batch.results[i] - fortune
    return moves
