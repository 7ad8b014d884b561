"""What a state is worth to a seat, by learned values; written once for all games.

A game's `features.py` says in numbers and flags what a state looks like to a seat; a net with one hidden
layer turns them into its worth, from 0 to 1. To give a game learned values, write it, in the dialect of the
rules:

    FEATURES = 40
    def features(b, s, seat, out)  # write FEATURES whole numbers (int16) that describe s as `seat` sees it
    def settled(b, s)  # can s be judged although the same seat acts again? `return True` for always

then `smallchange train GAME --install`. It is asked for states that a seat leaves behind, whoever acts next,
with chance unresolved. In a game for two say everything relative to the seat ("mine", "the other's", "it is
my turn"): one net judges for both, and what one gets the other lacks. A flag for each count (one-hot) teaches
more than the count; what decides games must be among the features, for the hidden layer is small. Where
there are many flags of which few are up, name those that are instead of writing zeros for the rest:

    FLAGS = 5  # that many marks follow the numbers, each 0 or the number of a flag, FEATURES to ROWS - 1
    ROWS = 900  # numbers and flags in all; each has a row of weights

What is aimed at is the game's `aim.py`.

net: first[ROWS + 1, H] and second[H + 1], the weights, each bias last; marks[FEATURES + FLAGS], of a state;
hidden[H], sums of weights; scales[FEATURES] of the numbers; blend[1], see `judge.py`; old, the marks that are
in the sums; words and met, the bytes of marks and old, four marks a word. Unit 0 of the hidden layer is
linear, the others are cut off below 0.
slopes: those of first and second, summed.
"""

from math import exp
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .calls import features


def estimate(b: Any, s: Any, seat: int, net: Any) -> float:
    """What a state is worth to a seat, by the net."""
    features(b, s, seat, net[2])
    forget(net)
    return output(net)


def forget(net: Any) -> None:
    """Begin the sums of the hidden layer anew, with no marks."""
    first, _, _, hidden, _, _, _, _, met = net
    for j in range(len(hidden)):
        hidden[j] = first[len(first) - 1, j]
    for k in range(len(met)):
        met[k] = 0


def output(net: Any) -> float:
    """What the net makes of the marks; only those that are not in its sums yet are added to them.

    The last digits depend on what was judged since the sums were begun.
    """
    first, second, marks, hidden, scales, _, old, words, met = net
    for k in range(len(words)):
        if words[k] != met[k]:
            for i in range(4 * k, 4 * k + 4):
                if marks[i] == old[i]:
                    continue
                if i < len(scales):
                    add(hidden, (marks[i] - old[i]) * scales[i], first[i])
                    continue
                if old[i] > 0:
                    add(hidden, -1.0, first[old[i]])
                if marks[i] > 0:
                    add(hidden, 1.0, first[marks[i]])
            met[k] = words[k]
    total = second[len(hidden)] + second[0] * hidden[0]
    for j in range(1, len(hidden)):
        if hidden[j] > 0.0:
            total += second[j] * hidden[j]
    return 1.0 / (1.0 + exp(-total))


def add(sums: Any, times: float, row: Any) -> None:
    """Add a row so many times."""
    for j in range(len(sums)):
        sums[j] += times * row[j]


def note(net: Any, goal: float, slopes: Any) -> None:
    """Add the slopes of the log loss at a state with the net's marks that is worth `goal`."""
    forget(net)
    error = output(net) - goal
    _, second, marks, hidden, scales, _, _, words, _ = net
    d_first, d_second = slopes
    h = len(hidden)
    d_second[h] += error
    for j in range(h):
        if j == 0 or hidden[j] > 0.0:
            d_second[j] += error * hidden[j]
            hidden[j] = error * second[j]
        else:
            hidden[j] = 0.0
    for k in range(len(words)):
        if words[k] != 0:
            for i in range(4 * k, 4 * k + 4):
                if i >= len(scales) and marks[i] > 0:
                    add(d_first[marks[i]], 1.0, hidden)
                elif i < len(scales) and marks[i] != 0:
                    add(d_first[i], marks[i] * scales[i], hidden)
    add(d_first[len(d_first) - 1], 1.0, hidden)
