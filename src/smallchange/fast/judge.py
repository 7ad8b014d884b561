"""Play by learned values (`net.py`), looking ahead or not; written once for all games.

A state is judged after a player's action with chance unresolved, as programs for backgammon do. Where that is
too soon (the state is not `settled`) the turn is tried to its end and the states there are judged. To look
further, chance is let have its way after each of the best ends, and the best end of the turn after is judged,
again and again.

room: states[DEEP], outs[DEEP, MOST + 1], sizes[DEEP], places[DEEP], the levels of a turn; words[DEEP, ..],
the bytes of the states; met[a power of 2] and stamps[one more], see `new`.
ends: states[m], their first actions[m] and worths[m], the best ends of a turn; one: the same with m = 1.
sums[m], taken[m + 1]: what the looks from each end came to, and how many they were; last, how many ends.
here[1]: the state that is looked ahead from. desk: room, one, here, ends, sums, taken.
chance: room for actions and weights, streams of luck, seats.
"""

from math import sqrt
from typing import TYPE_CHECKING, Any

from smallchange.state import CHANCE, OVER

from .digest import digest
from .drivers import LONGEST, greedy_action, play_on
from .even import thrown
from .luck import mixed, open_streams
from .net import estimate, forget, output
from .twins import entry, whole, word

if TYPE_CHECKING:
    from .calls import aim, features, legal, play, score, settled

CROWDED = 64  # places where a state that was met may stand in the table

# How to look ahead, the columns of a plan: how often, for a move, where games are played in bulk; turns from
# there to the state that is judged; thousandths of the bonus for what was looked at less; ends looked at; do
# others answer by the rule of thumb? is the turn tried to its end although it is settled before? how many
# looks from each end see one turn alone: they vary less, and say which ends deserve the dear ones.
SAMPLES, TURNS, EAGER, WIDTH, THUMB, FULL, NEAR = 0, 1, 2, 3, 4, 5, 6


def prize(b: Any, s: Any, seat: int, net: Any) -> float:
    """What an end is worth to a seat: its aim; or, as far as `blend` says, nothing but a win counts."""
    worth = aim(b, s, seat) / 1000.0
    won = 1.0 if worth > 0.5 else 0.5 if worth == 0.5 else 0.0
    return worth + net[5][0] * (won - worth)


def turn_ends(b: Any, s: Any, net: Any, room: Any, ends: Any, full: int) -> int:
    """Write the best ends of this turn, as many as there is room for, each once; how many.

    A turn ends where somebody else acts, the game is over or, unless it is tried in full, the state is
    settled.
    """
    states, outs, sizes, places, words, met, stamps = room
    stamps[len(met)] += 1
    forget(net)
    seat = s.turn
    n = 0
    states[0] = s
    sizes[0] = legal(b, states[0], outs[0])
    places[0] = 0
    level = 0
    while level >= 0:
        if places[level] == sizes[level]:
            level -= 1
            continue
        states[level + 1] = states[level]
        t = states[level + 1]
        play(b, t, outs[level][places[level]])
        places[level] += 1
        if level > 0 and not new(met, stamps, digest(words[level + 1])):
            continue
        if t.turn == seat and level + 2 < len(states) and (full == 1 or not settled(b, t)):
            level += 1
            sizes[level] = legal(b, t, outs[level])
            places[level] = 0
        else:
            if t.turn == OVER:
                worth = prize(b, t, seat, net)
            else:
                features(b, t, seat, net[2])
                worth = output(net)
            n = put(ends, n, t, outs[0][places[0] - 1], worth)
    return n


def new(met: Any, stamps: Any, number: int) -> bool:
    """Is a state of that digest met for the first time in this turn, whose number is the last stamp?

    Where the table is crowded it may seem so again.
    """
    last = len(met) - 1
    for k in range(CROWDED):
        i = (number + k) & last
        if stamps[i] != stamps[last + 1]:
            met[i] = number
            stamps[i] = stamps[last + 1]
            return True
        if met[i] == number:
            return False
    return True


def put(ends: Any, n: int, t: Any, first: int, worth: float) -> int:
    """Put one more end of a turn where it belongs among n, the best first; how many there are now."""
    states, firsts, worths = ends
    if n == len(states):
        if worth <= worths[n - 1]:
            return n
        n -= 1
    i = n
    while i > 0 and worths[i - 1] < worth:
        states[i] = states[i - 1]
        firsts[i] = firsts[i - 1]
        worths[i] = worths[i - 1]
        i -= 1
    states[i] = t
    firsts[i] = first
    worths[i] = worth
    return n + 1


def ahead(
    b: Any, t: Any, seat: int, turns: int, thumb: int, net: Any, room: Any, one: Any, here: Any, look: int,
    step: int, chance: Any,
) -> float:  # fmt: skip
    """What `t` comes to for a seat: chance as luck has it, and so many turns by the net's judgement.

    thumb: 1 where others answer by the rule of thumb, which are no turns of these. look: its number; step:
    that of its first chance step, from EVEN on where none is dealt out evenly (`even.py`).
    """
    out, weights, luck, _ = chance
    here[0] = t
    s = here[0]
    while True:
        while s.turn == CHANCE:
            play(b, s, thrown(b, s, look, step, chance))
            step += 1
        if s.turn == OVER:
            return prize(b, s, seat, net)
        mover = s.turn
        if thumb == 1 and mover != seat:
            play(b, s, greedy_action(b, s, room[0], out, legal(b, s, out), weights, luck))
            continue
        turn_ends(b, s, net, room, one, 0)
        turns -= 1
        if turns <= 0:
            return one[2][0] if mover == seat else 1.0 - one[2][0]
        here[0] = one[0][0]


def looked(n: int, worths: Any, sums: Any, taken: Any, eager: float) -> int:
    """Which end of the turn is looked at next: a hopeful one, or one that was looked at little.

    What the net says of it counts as one look.
    """
    total = 1
    for i in range(n):
        total += taken[i]
    bonus = eager * sqrt(sqrt(float(total)))
    best = 0
    highest = -1.0
    for i in range(n):
        looks = 1.0 + taken[i]
        hope = (worths[i] + sums[i]) / looks + bonus / sqrt(looks)
        if hope > highest:
            highest = hope
            best = i
    return best


def decided(n: int, taken: Any, most: int) -> bool:
    """Will the end that was looked at most stay so, however the looks up to `most` go?"""
    first = 0
    second = 0
    left = most
    for i in range(n):
        left -= taken[i]
        if taken[i] > first:
            second = first
            first = taken[i]
        elif taken[i] > second:
            second = taken[i]
    return first - second > left


def sample(
    b: Any, seat: int, plan: Any, n: int, looks: int, most: int, seed: Any, net: Any, desk: Any, chance: Any
) -> None:
    """Look ahead so often from n ends of a turn; the k-th look at each of them meets the same throws.

    Where there will be no more than `most` looks in all, none is spent on what is decided.
    """
    room, one, here, ends, sums, taken = desk
    states, _, worths = ends
    for _ in range(looks):
        if decided(n, taken, most):
            return
        i = looked(n, worths, sums, taken, plan[EAGER] / 1000.0)
        open_streams(chance[2], chance[3], seed, taken[i])
        turns = plan[TURNS] if taken[i] >= plan[NEAR] else 1
        look = taken[i] ^ whole(seed & word(255))
        sums[i] += ahead(b, states[i], seat, turns, plan[THUMB], net, room, one, here, look, 0, chance)
        taken[i] += 1


def greatest(values: Any, n: int) -> int:
    """Where the greatest of n values stands; the first of equals."""
    best = 0
    for i in range(n):
        if values[i] > values[best]:
            best = i
    return best


def decide(b: Any, s: Any, plan: Any, seed: Any, net: Any, desk: Any, chance: Any) -> int:
    """The action of a plan."""
    room, _, _, ends, sums, taken = desk
    n = min(plan[WIDTH], turn_ends(b, s, net, room, ends, plan[FULL]))
    for k in range(n):
        sums[k] = 0.0
        taken[k] = 0
    most = plan[SAMPLES] if n > 1 else 0
    sample(b, s.turn, plan, n, most, most, seed, net, desk, chance)
    return ends[1][greatest(taken, n)]


@entry
def search_values(
    boards: Any, roots: Any, plan: Any, looks: int, most: int, fresh: bool, seed: Any, net: Any, desk: Any,
    chance: Any,
) -> int:  # fmt: skip
    """Look on from roots[0], a player's step; where it is fresh, anew. How many ends the turn has."""
    room, _, _, ends, sums, taken = desk
    n = taken[len(sums)]
    if fresh:
        n = turn_ends(boards[0], roots[0], net, room, ends, plan[FULL])
        for i in range(len(sums)):
            sums[i] = 0.0
            taken[i] = 0
        taken[len(sums)] = n
    sample(boards[0], roots[0].turn, plan, min(n, plan[WIDTH]), looks, most, seed, net, desk, chance)
    return n


@entry
def play_values(
    boards: Any, states: Any, scores: Any, steps: Any, policy: Any, plans: Any, seed: Any, first: int,
    net: Any, desk: Any, chance: Any, spare: Any, streams: Any,
) -> int:  # fmt: skip
    """As `play_games`, with the same throws; who has the policy SEARCH goes by the seat's row of plans.

    Gives the number of moves that were thought about.
    """
    b = boards[0]
    out, weights, _, seats = chance
    moves = 0
    for i in range(len(states)):
        s = states[i]
        open_streams(streams, seats, seed, first + i)
        steps[i] = play_on(b, s, policy, LONGEST, spare, out, weights, streams, seats)
        while s.turn != OVER:
            private = mixed(word(seed) ^ word((first + i) * 1000003 + steps[i]))
            play(b, s, decide(b, s, plans[s.turn], private, net, desk, chance))
            moves += 1
            steps[i] += 1 + play_on(b, s, policy, LONGEST, spare, out, weights, streams, seats)
        for seat in range(seats):
            scores[i, seat] = score(b, s, seat)
    return moves


@entry
def call_features(b: Any, s: Any, seat: int, out: Any) -> None:
    features(b, s, seat, out)


@entry
def call_estimate(b: Any, s: Any, seat: int, net: Any) -> float:
    return estimate(b, s, seat, net)
