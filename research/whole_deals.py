"""Perfect play of whole deals, for games whose pawns collect every square once by the faces of dice.

What the dice do not tell is the same on every deal: the squares left, and what each pawn has beside it. The few
million such states from which all squares can still be collected are listed once, in layers by the squares left. On a
deal the layers are solved from the end, for all throws of the dice and all choices of dice to roll at once. Values
are kept in 16 bits, rounded to the nearest, so that those of a whole deal are off by at most 0.0002.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any, Protocol, cast

from smallchange.engine import record_type  # noqa: F401 - says what to install where NumPy is lacking

# isort: split
import numpy as np

from smallchange.core.errors import BadPosition
from smallchange.core.game import Game, Position, games

from . import whole_deal_layers as kernel
from .whole_deal_layers import ALL_SQUARES, DICE, FACES, MOST_STEPS, PAWN_BITS, PAWNS, SQUARES, THROWS, WON

USUAL = {"stud": 0, "leavers": PAWNS, "losses": 0, "rolls": 1}  # the options that the layers are for


def has_whole_deals(game: Game) -> bool:
    """Return whether the layers are for a game with these options."""
    return all(getattr(game.board, name, None) == value for name, value in USUAL.items())


class CollectingRules(Protocol):
    """The functions of the rules for the squares that a throw lets a pawn collect."""

    def uncollected_squares(self, s: Any) -> int: ...

    def tiles_shown_by_dice(self, s: Any) -> int: ...

    def takes(self, b: Any, s: Any, i: int, live: int, tiles: int) -> int: ...


@dataclass(frozen=True)
class Layer:
    """The states with so many squares left; each has its steps to states of the layer with one less."""

    keys: Any  # int64[states], ascending: see whole_deal_layers.py
    first: Any  # int64[states + 1]: of a state's steps
    to: Any  # int32[steps]
    taker: Any  # int8[steps]: SQUARES * pawn + square


class WholeDeals:
    """Deals with the same squares left and the same pawns as a position: by default, solved from the start.

    Making one takes seconds and, from the start, 6 GB of memory, which every deal then uses.
    """

    def __init__(self, position: Position) -> None:
        self.game: Game = position.game
        if not has_whole_deals(self.game):
            known = ", ".join(id for id in games() if has_whole_deals(Game(id)))
            raise ValueError(f"whole deals are solved in {known} with the usual rules, not in {self.game!r}")
        self._rules = cast(CollectingRules, self.game.rules)
        self._near = np.array(self.game.board.near[:SQUARES], np.int64)
        self._key = self._key_of(position)
        self.layers: list[Layer] = find_layers(self._near, self._key)
        most = max((len(layer.keys) for layer in self.layers[:-1]), default=1)
        self._room = np.empty((2, most, THROWS), np.uint16)

    @property
    def states(self) -> int:
        """The number of states, without dice."""
        return sum(len(layer.keys) for layer in self.layers)

    def _key_of(self, position: Position) -> int:
        live = self._rules.uncollected_squares(position.s)
        return int(kernel.key_of(self._near, live, np.array(position.s.pawns, np.int64), False))

    def value(self, position: Position) -> float:
        """Return the odds of winning when all dice are about to be rolled and a square collected."""
        return float(self.values(position).mean())

    def values(self, position: Position, said: Callable[[int], None] = lambda _: None) -> Any:
        """Return the odds for each throw with which a square is to be collected: float32[THROWS].

        A throw is a number to base FACES, with the first die as its highest digit. The dice of the position do not
        count. `said` is told how many squares each layer has left.
        """
        if position.game != self.game or self._key_of(position) != self._key:
            raise BadPosition("the deals to solve have the squares left and the pawns of the first")
        collects = self._throws_that_collect(position)
        after, now = self._room
        after[0] = WON
        for left, layer in enumerate(self.layers[1:-1], 1):
            kernel.solve_layer(layer.first, layer.to, layer.taker, collects, after, now)
            after, now = now, after
            said(left)
        start = self.layers[-1]
        return (after[start.to] & collects[start.taker]).max(axis=0) / np.float32(WON)

    def _throws_that_collect(self, position: Position) -> Any:
        """Return, by SQUARES * pawn + square and by throw, WON where the throw lets the pawn collect it, and 0."""
        rules, board, s = self._rules, self.game.board, position.s.copy()
        live = rules.uncollected_squares(s)
        collects = np.zeros((PAWNS * SQUARES, THROWS), np.uint16)
        for throw, faces in enumerate(product(range(FACES), repeat=DICE)):
            s.dice = list(faces)
            tiles = rules.tiles_shown_by_dice(s)
            for pawn in range(PAWNS):
                taken = 0
                for s.pawns[pawn] in range(SQUARES):
                    taken |= rules.takes(board, s, pawn, live, tiles)
                for square in range(SQUARES):
                    if taken >> square & 1:
                        collects[SQUARES * pawn + square, throw] = WON
        return collects


def find_layers(near: Any, key: int) -> list[Layer]:
    """Return the layers from nothing left to the state `key`, with the states from which the end can be reached."""
    forward = [np.array([sort_pawns(key)], np.int64)]
    while forward[-1][0] & ALL_SQUARES:
        forward.append(np.unique(steps_of(near, forward[-1], True)[1]))
        if not len(forward[-1]):
            raise ValueError("the squares left cannot all be collected")
    empty = Layer(forward[-1], np.zeros(2, np.int64), np.empty(0, np.int32), np.empty(0, np.int8))
    open_states, layers = empty, [empty]
    for states in forward[-2:0:-1]:
        open_states = layer_before(near, states, open_states.keys, True)
        layers.append(layer_before(near, label(open_states.keys), layers[-1].keys, False))
    return [*layers, layer_before(near, np.array([key], np.int64), layers[-1].keys, False)]


def layer_before(near: Any, keys: Any, after: Any, alike: bool) -> Layer:
    """Return the layer of those states `keys` that have a step to one of the states `after`."""
    first, to, taker = steps_of(near, keys, alike)
    place = np.minimum(np.searchsorted(after, to), len(after) - 1)
    good = after[place] == to
    counted = np.concatenate([[0], np.cumsum(good)])[first]
    kept = np.diff(counted) > 0
    ends = np.concatenate([[0], counted[1:][kept]])
    return Layer(keys[kept], ends, place[good].astype(np.int32), taker[good])


def steps_of(near: Any, keys: Any, alike: bool) -> tuple[Any, Any, Any]:
    """Return where the steps of each state begin, the keys they lead to, and what they collect."""
    first = np.empty(len(keys) + 1, np.int64)
    to, taker = np.empty(MOST_STEPS * len(keys), np.int64), np.empty(MOST_STEPS * len(keys), np.int8)
    kernel.all_steps(near, keys, alike, first, to, taker)
    return first, to[: first[-1]], taker[: first[-1]]


def pawns_in(keys: Any) -> list[Any]:
    """Return the squares of each pawn."""
    return [(keys >> SQUARES + PAWN_BITS * i) & kernel.PAWN_MASK for i in range(PAWNS)]


def with_pawns(live: Any, pawns: Any) -> Any:
    """Return the keys of states with these squares left."""
    return live | sum(squares << SQUARES + PAWN_BITS * i for i, squares in enumerate(pawns))


def sort_pawns(key: int) -> int:
    """Return the key that stands for all in which the pawns are exchanged."""
    return int(with_pawns(key & ALL_SQUARES, sorted(pawns_in(key))))


def label(keys: Any) -> Any:
    """Return all keys in which the pawns of these are exchanged, ascending."""
    live, pawns = keys & ALL_SQUARES, pawns_in(keys)
    return np.unique(np.concatenate([with_pawns(live, order) for order in permutations(pawns)]))
