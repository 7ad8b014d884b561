"""Values learned by self-play, written once for all games.

Games are played by the net's own judgement (the first of them by the rule of thumb, so that there is
something to learn from). Each state that a seat left behind is worth what its next one is worth by the net,
and what the game came to at last: a mean of all these, the nearer ones counting more (the lambda-return of
Sutton, "Learning to predict by the methods of temporal differences", 1988). Or it is worth the mean of some
looks ahead from it, where luck decides much: each has other luck, and ends a turn later with the best that
the net sees there. After every few games the net takes a step towards them, its size by Adam (Kingma and Ba,
2015).

slopes: those of net's first and second, summed. flat: for each of the two, its values, slopes, means and
squares as rows of one array, values and slopes being the very numbers of the net and of the slopes.
"""

from math import sqrt
from typing import TYPE_CHECKING, Any

from smallchange.state import CHANCE, OVER

from .drivers import chance_action, greedy_action
from .even import EVEN
from .judge import ahead, prize, turn_ends
from .luck import below, mixed, open_streams
from .net import estimate, note
from .twins import entry, word

if TYPE_CHECKING:
    from .calls import aim, features, legal, play, settled


def step_down(rows: Any, rate: float) -> None:
    """One of Adam's steps down the slopes, which are cleared."""
    values, slopes, means, squares = rows[0], rows[1], rows[2], rows[3]
    for k in range(len(values)):
        slope = slopes[k]
        slopes[k] = 0.0
        means[k] += 0.1 * (slope - means[k])
        squares[k] += 0.001 * (slope * slope - squares[k])
        values[k] -= rate * means[k] / (sqrt(squares[k]) + 1.0e-6)


def improve(flat: Any, rate: float) -> None:
    """One step of the whole net."""
    step_down(flat[0], rate)
    step_down(flat[1], rate)


def remember(b: Any, s: Any, mover: int, net: Any, seen: Any, worths: Any, known: Any) -> None:
    """Note the state that a seat leaves behind, where there is room."""
    k = known[mover]
    if k < len(worths[mover]):
        worths[mover, k] = estimate(b, s, mover, net)
        marks = net[2]
        for i in range(len(marks)):
            seen[mover, k, i] = marks[i]
        known[mover] += 1


def look_back(goal: float, fade: float, net: Any, seen: Any, worths: Any, n: int, slopes: Any) -> None:
    """Learn from the n states of a seat, the last one first, what the game came to."""
    k = n
    while k > 0:
        k -= 1
        marks = net[2]
        for i in range(len(marks)):
            marks[i] = seen[k, i]
        note(net, goal, slopes)
        goal += (1.0 - fade) * (worths[k] - goal)


def learn_ahead(
    b: Any, s: Any, seat: int, looks: int, thumb: int, seed: Any, first: int, net: Any, room: Any, one: Any,
    dream: Any, luck: Any, slopes: Any,
) -> None:  # fmt: skip
    """Learn what a state that a seat leaves behind comes to: the mean of looks number first.. of a seed."""
    total = 0.0
    for k in range(looks):
        open_streams(luck[2], luck[3], seed, first + k)
        total += ahead(b, s, seat, 1, thumb, net, room, one, dream, 0, EVEN, luck)
    features(b, s, seat, net[2])
    note(net, total / looks, slopes)


@entry
def learn_games(
    boards: Any, begin: Any, results: Any, seed: Any, number: int, thumb: bool, rash: int, foes: int,
    looks: int, fade: float, rate: float, batch: int, net: Any, slopes: Any, flat: Any, room: Any, one: Any,
    here: Any, dream: Any, luck: Any, seen: Any, worths: Any, known: Any, spare: Any, chance: Any,
) -> None:  # fmt: skip
    """Play len(results) games from begin[0], and learn from each.

    thumb: by the rule of thumb; rash: moves of 1024 that are random; foes: games of 100 in which one seat
    plays by the rule of thumb, and is not learned from; looks: ahead from each state, 0 to look back; fade:
    lambda; batch: games between two steps of the net. dream and luck: as here and chance, for looks.
    seen[seats, LONG, marks], worths[seats, LONG] and known[seats] hold a game. results[n]: what was aimed
    at, for seat 0.
    """
    b = boards[0]
    out, weights, streams, seats = chance
    for game in range(len(results)):
        open_streams(streams, seats, seed, number + game)
        here[0] = begin[0]
        s = here[0]
        foe = -1
        if foes > 0 and not thumb and below(streams, 0, 100) < foes:
            foe = below(streams, 0, seats)
        for seat in range(seats):
            known[seat] = 0
        private = mixed(word(seed) ^ word(number + game))
        looked = 0
        while s.turn != OVER:
            mover = s.turn
            if mover == CHANCE:
                play(b, s, chance_action(b, s, out, weights, streams, seats))
                continue
            n = legal(b, s, out)
            if n == 1:
                a = out[0]
            elif rash > 0 and mover != foe and below(streams, mover, 1024) < rash:
                a = out[below(streams, mover, n)]
            elif thumb or mover == foe:
                a = greedy_action(b, s, spare, out, n, weights, streams)
            else:
                turn_ends(b, s, net, room, one, 0)
                a = one[1][0]
            play(b, s, a)
            if mover != foe and s.turn != OVER and (s.turn != mover or settled(b, s)):
                if looks > 0:
                    aside = 1 if foe >= 0 else 0
                    learn_ahead(
                        b, s, mover, looks, aside, private, looked, net, room, one, dream, luck, slopes
                    )
                    looked += looks
                else:
                    remember(b, s, mover, net, seen, worths, known)
        results[game] = aim(b, s, 0)
        for seat in range(seats):
            goal = prize(b, s, seat, net)
            look_back(goal, fade, net, seen[seat], worths[seat], known[seat], slopes)
        if (game + 1) % batch == 0:
            improve(flat, rate)
