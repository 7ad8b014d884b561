"""The value network: a small neural net that estimates the value of a state to a seat.

A game's `ai/features.py` describes a state to a seat by numbers and flags; a net with one hidden layer turns
them into a value from 0 to 1 (a logistic output). To give a game learned values, write that file, in the
dialect of the rules:

    FEATURES = 40
    def features(b, s, seat, out)  # write FEATURES whole numbers (int16) that describe s as `seat` sees it
    def is_afterstate(b, s)  # can s be evaluated although the same seat acts again? `return True` for always

then `python -m research train GAME --install`. It is asked for afterstates: states that a seat leaves behind, whoever
acts next, with chance unresolved. In a game for two say everything relative to the seat ("mine", "the other's",
"it is my turn"): one net evaluates for both, and what one gets the other lacks. A flag for each count (one-hot)
teaches more than the count; what decides games must be among the features, for the hidden layer is small. Where
there are many flags of which few are up, name those that are instead of writing zeros for the rest:

    FLAGS = 5  # that many marks follow the numbers, each 0 or the number of a flag, FEATURES to ROWS - 1
    ROWS = 900  # numbers and flags in all; each has a row of weights

The net learns the game's `ai/utility.py`. Unit 0 of the hidden layer is linear, the others are rectified (ReLU).
The sums of the hidden layer are updated by the marks that changed, as the accumulators of "efficiently
updatable" nets are (NNUE: Nasu, 2018).
"""

from math import exp
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .calls import features


class Net(NamedTuple):
    """The weights of a net, and the state it evaluates. A mark is a number or a flag of the features."""

    first: Any  # [ROWS + 1, H] of float64: weights into the hidden layer, the last row the biases
    second: Any  # [H + 1] of float64: weights of the output, the last one its bias
    scales: Any  # [FEATURES] of float64: what the numbers are multiplied by
    blend: Any  # [1] of float64: see `terminal_value` in `afterstate_search.py`
    marks: Any  # [FEATURES + FLAGS, rounded up to 4] of int16: of the state
    words: Any  # the bytes of `marks`, four marks in a uint64: a view
    hidden: Any  # [H] of float64: sums of weights
    summed_marks: Any  # as `marks`: those that are in the sums
    summed_words: Any  # as `words`, a view of `summed_marks`


class Gradients(NamedTuple):
    """Gradients of the loss, summed over states."""

    first: Any  # as Net.first
    second: Any  # as Net.second


def net_value(b: Any, s: Any, seat: int, net: Any) -> float:
    """Return the net's value of a state to a seat, 0 to 1."""
    features(b, s, seat, net.marks)
    reset_sums(net)
    return net_output(net)


def reset_sums(net: Any) -> None:
    """Begin the sums of the hidden layer anew, with no marks."""
    first = net.first
    hidden = net.hidden
    for j in range(len(hidden)):
        hidden[j] = first[len(first) - 1, j]
    for k in range(len(net.summed_words)):
        net.summed_words[k] = 0


def net_output(net: Any) -> float:
    """Return the value of the marks; only those that changed since the last call are added to the sums.

    The last digits depend on what was evaluated since the sums were reset.
    """
    first = net.first
    second = net.second
    marks = net.marks
    hidden = net.hidden
    scales = net.scales
    old = net.summed_marks
    words = net.words
    summed = net.summed_words
    for k in range(len(words)):
        if words[k] != summed[k]:
            for i in range(4 * k, 4 * k + 4):
                if marks[i] == old[i]:
                    continue
                if i < len(scales):
                    add_scaled(hidden, (marks[i] - old[i]) * scales[i], first[i])
                    continue
                if old[i] > 0:
                    add_scaled(hidden, -1.0, first[old[i]])
                if marks[i] > 0:
                    add_scaled(hidden, 1.0, first[marks[i]])
            summed[k] = words[k]
    total = second[len(hidden)] + second[0] * hidden[0]
    for j in range(1, len(hidden)):
        if hidden[j] > 0.0:
            total += second[j] * hidden[j]
    return 1.0 / (1.0 + exp(-total))


def add_scaled(sums: Any, times: float, row: Any) -> None:
    """Add a row, multiplied, to the sums."""
    for j in range(len(sums)):
        sums[j] += times * row[j]


def add_gradients(net: Any, target: float, gradients: Any) -> None:
    """Add the gradients of the log loss at a state that has the net's marks and is worth `target`."""
    reset_sums(net)
    error = net_output(net) - target
    second = net.second
    marks = net.marks
    hidden = net.hidden
    scales = net.scales
    d_first = gradients.first
    d_second = gradients.second
    h = len(hidden)
    d_second[h] += error
    for j in range(h):
        if j == 0 or hidden[j] > 0.0:
            d_second[j] += error * hidden[j]
            hidden[j] = error * second[j]
        else:
            hidden[j] = 0.0
    for k in range(len(net.words)):
        if net.words[k] != 0:
            for i in range(4 * k, 4 * k + 4):
                if i >= len(scales) and marks[i] > 0:
                    add_scaled(d_first[marks[i]], 1.0, hidden)
                elif i < len(scales) and marks[i] != 0:
                    add_scaled(d_first[i], marks[i] * scales[i], hidden)
    add_scaled(d_first[len(d_first) - 1], 1.0, hidden)
