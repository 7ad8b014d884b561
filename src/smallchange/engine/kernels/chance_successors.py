"""Streams of the successors of each position of a layer, by the rules (`chance_values.py` describes them)."""

from typing import TYPE_CHECKING, Any, NamedTuple

from smallchange.core.state import CHANCE, OVER
from smallchange.engine.compile.runtime_python import entry

from .chance_values import STRAY, WEIGHT_SHIFT

if TYPE_CHECKING:
    from .calls import (
        layer_positions,
        layers_ahead,
        legal,
        odds,
        play,
        score,
        value_layer,
        value_layers,
        value_rank,
        value_seat,
        write_valued,
    )


@entry
def find_layers(boards: Any, sizes: Any, ahead: Any) -> int:
    """Write the size of each layer that there is room for, and those that its steps lead to; return how many there are.

    ahead[layers, n]: layers; -1 behind the last.
    """
    n = value_layers(boards[0])
    for layer in range(min(n, len(sizes))):
        sizes[layer] = layer_positions(boards[0], layer)
        for k in range(layers_ahead(boards[0], layer, ahead[layer]), len(ahead[layer])):
            ahead[layer, k] = -1
    return n


class Desk(NamedTuple):
    """Arrays to work on while a stream is written."""

    states: Any  # [3]
    out: Any  # [MOST + 1] of int64
    replies: Any  # [MOST + 1] of int64
    weights: Any  # [MOST + 1] of int64
    bases: Any  # [layers] of int64: the first slot of each, or -1
    stream: Any  # int32


@entry
def write_successors(boards: Any, desk: Any, layer: int, first: int, last: int) -> int:
    """Write the stream of positions first.. of a layer; return its length, or STRAY."""
    states = desk.states
    weights = desk.weights
    stream = desk.stream
    b = boards[0]
    s = states[0]
    t = states[1]
    n = 0
    for i in range(first, last):
        write_valued(b, s, layer, i)
        seat = value_seat(b, s)
        head = n
        n += 1
        if s.turn != CHANCE:
            stream[head] = 1
            states[1] = s
            n = write_choice(b, desk, seat, 1, n)
        else:
            outcomes = odds(b, s, desk.out, weights)
            stream[head] = outcomes
            for k in range(outcomes):
                if n != STRAY:
                    states[1] = s
                    play(b, t, desk.out[k])
                    if t.turn >= 0 and value_layer(b, t) < 0:
                        n = write_choice(b, desk, seat, weights[k], n)
                    else:
                        code = code_of(b, t, seat, desk.bases)
                        stream[n] = (weights[k] << WEIGHT_SHIFT) + 2
                        stream[n + 1] = code
                        n = n + 2 if code >= 0 else STRAY
        if n == STRAY:
            return STRAY
    return n


def write_choice(b: Any, desk: Any, seat: int, weight: int, n: int) -> int:
    """Write the group of the choice at states[1]; return where the stream goes on, or STRAY."""
    states = desk.states
    replies = desk.replies
    stream = desk.stream
    t = states[1]
    u = states[2]
    choices = legal(b, t, replies)
    stream[n] = (weight << WEIGHT_SHIFT) + 2 * choices + (0 if t.turn == seat else 1)
    for k in range(choices):
        states[2] = t
        play(b, u, replies[k])
        code = code_of(b, u, seat, desk.bases)
        if code < 0:
            return STRAY
        stream[n + 1 + k] = code
    return n + 1 + choices


def code_of(b: Any, t: Any, seat: int, bases: Any) -> int:
    """Return the code of a position as one seat sees it, or STRAY."""
    if t.turn == OVER:
        mine = score(b, t, seat)
        theirs = score(b, t, 1 - seat)
        return 4 if mine > theirs else 2 if mine == theirs else 0
    layer = value_layer(b, t)
    if layer < 0 or bases[layer] < 0:
        return STRAY
    slot = bases[layer] + value_rank(b, t)
    return 2 * slot + (0 if value_seat(b, t) == seat else 1)
