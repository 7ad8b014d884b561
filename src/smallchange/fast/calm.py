"""Games against the rule of thumb with their luck taken off: the same mean, a fifteenth of the variance.

Before chance moves, what it may bring is known, and what a state is worth after it can be estimated. What a
throw brought above the mean of all throws was luck; a game's result less all its luck is right on the mean,
however good the estimate is, and varies the less the better it is (Zinkevich, Bowling, Bard, Kan and
Billings, "Optimal unbiased estimators for evaluating agent performance", AAAI 2006). Where more can come of
chance than there is room for, its luck stays in.

The estimate is the net's of the best end of the turn, before which the rule of thumb answers and, so that a
turn is whole, chance moves once more, in a few ways.
"""

from typing import TYPE_CHECKING, Any

from smallchange.state import CHANCE, OVER

from .drivers import chance_action, greedy_action
from .judge import decide, prize, turn_ends
from .luck import mixed, open_streams
from .twins import entry, word

if TYPE_CHECKING:
    from .calls import legal, odds, play

FEW = 4  # ways in which chance moves after an answer
BITS = 1 << 53  # as many as a fraction holds


def tossed(b: Any, s: Any, leaves: Any, shares: Any, out: Any, weights: Any) -> int:
    """Write what chance can make of `s` until somebody acts, and how likely each is; how many, or 0 where
    there is no room for all.
    """
    leaves[0] = s
    shares[0] = 1.0
    n = 1
    i = 0
    while i < n:
        if leaves[i].turn != CHANCE:
            i += 1
            continue
        k = odds(b, leaves[i], out, weights)
        total = 0
        for j in range(k):
            total += weights[j]
        if n + k - 1 > len(shares):
            return 0
        for j in range(1, k):
            leaves[n] = leaves[i]
            shares[n] = shares[i] * weights[j] / total
            play(b, leaves[n], out[j])
            n += 1
        shares[i] *= weights[0] / total
        play(b, leaves[i], out[0])
    return n


def best_end(b: Any, s: Any, seat: int, net: Any, room: Any, one: Any) -> float:
    """What the best end of the seat's turn is worth to it; in another's turn nothing is known."""
    if s.turn == OVER:
        return prize(b, s, seat, net)
    if s.turn != seat:
        return 0.5
    turn_ends(b, s, net, room, one, 0)
    return one[2][0]


def after_throw(
    b: Any, s: Any, seat: int, place: float, net: Any, room: Any, one: Any, here: Any, low: Any, shares: Any,
    streams: Any, chance: Any,
) -> float:  # fmt: skip
    """An estimate for a seat where somebody's turn begins. place: where, of 1, the few ways begin."""
    if s.turn == OVER or s.turn == seat:
        return best_end(b, s, seat, net, room, one)
    out, weights, _, _ = chance
    here[0] = s
    t = here[0]
    other = s.turn
    before = streams[other]
    while t.turn == other:
        play(b, t, greedy_action(b, t, room[0], out, legal(b, t, out), weights, streams))
    streams[other] = before
    n = tossed(b, t, low, shares, out, weights)
    if n == 0:
        return 0.5
    total = 0.0
    passed = shares[0]
    i = 0
    for k in range(FEW):
        while passed < (k + place) / FEW and i < n - 1:
            i += 1
            passed += shares[i]
        total += best_end(b, low[i], seat, net, room, one)
    return total / FEW


@entry
def play_calm(
    boards: Any, begin: Any, results: Any, calm: Any, seat: int, plan: Any, seed: Any, first: int, net: Any,
    desk: Any, chance: Any, streams: Any, state: Any, high: Any, high_shares: Any, low: Any, low_shares: Any,
) -> int:  # fmt: skip
    """Play games from begin[0], `seat` by a plan, the others by the rule of thumb, with the throws of
    `play_values`: what each came to for the seat, 0 to 1, and that with its luck taken off.

    state[1]; high, low and their shares: room for all throws that can come between two turns. Gives the
    number of moves that were thought about.
    """
    b = boards[0]
    room, one, here, _, _, _ = desk
    out, weights, _, seats = chance
    moves = 0
    for i in range(len(results)):
        state[0] = begin[0]
        s = state[0]
        open_streams(streams, seats, seed, first + i)
        steps = 0
        luck = 0.0
        while s.turn != OVER:
            private = mixed(word(seed) ^ word((first + i) * 1000003 + steps))
            if s.turn == CHANCE:
                n = tossed(b, s, high, high_shares, out, weights)
                place = (private >> word(11)) / BITS
                for k in range(n):
                    luck -= high_shares[k] * after_throw(
                        b, high[k], seat, place, net, room, one, here, low, low_shares, streams, chance
                    )
                while s.turn == CHANCE:
                    play(b, s, chance_action(b, s, out, weights, streams, seats))
                    steps += 1
                if n > 0:
                    luck += after_throw(
                        b, s, seat, place, net, room, one, here, low, low_shares, streams, chance
                    )
                continue
            n = legal(b, s, out)
            if s.turn != seat:
                a = greedy_action(b, s, room[0], out, n, weights, streams)
            elif n == 1:
                a = out[0]
            else:
                moves += 1
                a = decide(b, s, plan, private, net, desk, chance)
            play(b, s, a)
            steps += 1
        results[i] = prize(b, s, seat, net)
        calm[i] = results[i] - luck
    return moves
