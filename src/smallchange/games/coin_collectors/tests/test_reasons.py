"""The reasons of a move, found again from tiles, coins, pawns and dice."""

from __future__ import annotations

from itertools import product

import smallchange
from smallchange.bots.review import choices
from smallchange.core.game import Position
from tests.support.matches import greedy_match

HOLE = 12


def beside(square: int) -> set[int]:
    row, column = divmod(square, 5)
    near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return {5 * r + c for r, c in near if 0 <= r < 5 and 0 <= c < 5}


def coins(position: Position) -> dict[int, int]:
    """Return the numbers of the coins by their squares."""
    return {q: n for n in range(6) for q in range(25) if position.s.coins[n] >> q & 1}


def open_coins(position: Position, faces: dict[int, int]) -> set[int]:
    """Return the coins that these dice open, each by its suit: the rule of the die of the tile or of the pawn."""
    lying = coins(position)
    steps = {
        i: beside(position.s.pawns[i]) & lying.keys() if position.s.pawns[i] < 25 else set() for i in range(4)
    }
    near = set().union(*steps.values())
    by_tile = {position.s.spot[6 * i + face] for i, face in faces.items()} & near
    by_pawn = {square for i, face in faces.items() for square in steps[i] if lying[square] == face}
    return by_tile | by_pawn


def test_what_dice_open_and_what_pawns_reach_is_on_the_board() -> None:
    game, rolls, taken = smallchange.game("coin-collectors"), 0, 0
    assert game.reasons is not None
    for _, position in list(choices(greedy_match("coin-collectors", 3)))[::4]:
        for token in position.legal()[::4]:
            after = position.played(token)
            numbers = game.reasons.measure(game.board, position.s, game.actions[token], after.s)
            stranded, moving, _, kept, throws = numbers
            if kept is not None:
                rolled = [i for i in range(4) if after.s.hand >> i & 1] if after.s.turn == -1 else []
                held = {i: position.s.dice[i] for i in range(4) if i not in rolled}
                assert kept == len(open_coins(position, held))
                possible = [
                    held | dict(zip(rolled, faces, strict=True))
                    for faces in product(range(6), repeat=len(rolled))
                ]
                won = sum(bool(open_coins(position, faces)) for faces in possible)
                assert throws == 100 * won // len(possible)
                rolls += 1
            else:
                lying = coins(after).keys()
                starts = [
                    beside(after.s.pawns[i]) & lying if after.s.pawns[i] < 25 else set() for i in range(4)
                ]
                assert moving == sum(map(bool, starts))
                reached, new = set(), set().union(*starts)
                while new:
                    reached |= new
                    new = set().union(*(beside(square) for square in new)) & lying - reached
                assert stranded == len(lying - reached)
                taken += 1
    assert min(rolls, taken) > 0
