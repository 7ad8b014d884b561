"""Which dice open which coins of Coin Collectors, for a search over all throws at once."""

from smallchange.core.state import OVER, bit, lowest

from ..model import Board, State
from ..rules import (
    CHOOSING,
    COLLECT,
    COLLECTING,
    ROLL,
    acceptable,
    beside,
    losable,
    roll,
    uncollected_squares,
)

DICE, FACES = 4, 6
MAX_DICE_MOVES = (
    36  # at most: four pawns beside four coins each, two keys to each coin; and a pawn to be given up
)


def dice_stage(b: Board, s: State) -> int:
    """Return 1 while choosing a move that a die opens, 2 while choosing dice to roll, and 0 otherwise."""
    return 1 if s.phase == COLLECTING else 2 if s.phase == CHOOSING else 0


def may_keep_dice(b: Board) -> int:
    """1 where any dice may be kept; 0 where all are rolled after every move."""
    return 1 - b.stud


def rolls_per_turn(b: Board) -> int:
    """Return the number of times that dice may be chosen and rolled after a move."""
    return b.rolls


def rolls_to_come(s: State) -> int:
    """Return the number of rolls that may follow the next one before a move."""
    return s.rolls_left


def die_face(s: State, i: int) -> int:
    """Return the face of die `i`."""
    return s.dice[i]


def roll_action(dice: int) -> int:
    """Return the action that rolls these dice, a mask."""
    return ROLL + dice


def pick_up_dice(b: Board, s: State) -> None:
    """Take all dice up after a move, to be rolled."""
    if s.turn != OVER:
        s.rolls_left = 0
        roll(s, 15)


def dice_moves(b: Board, s: State, actions: list[int], dice: list[int], faces: list[int]) -> int:
    """Every move, whatever the dice show, once for each key: the action, the die and its face.

    Then what can be given up where no die opens a move, the die being -1; nothing where the game is lost.
    """
    live = uncollected_squares(s)
    n = 0
    for i in range(4):
        squares = beside(b, s, i, live)
        while squares != 0:
            square = lowest(squares)
            squares ^= bit(square)
            tile = tile_at(s, square)
            actions[n] = COLLECT + 25 * i + square
            dice[n] = tile // 6
            faces[n] = tile % 6
            actions[n + 1] = actions[n]
            dice[n + 1] = i
            faces[n + 1] = number_at(s, square)
            n += 2
    if acceptable(b, s):
        opened = n
        n = losable(s, actions, n)
        for i in range(opened, n):
            dice[i] = -1
            faces[i] = 0
    return n


def tile_at(s: State, square: int) -> int:
    tile = 0
    while s.spot[tile] != square:
        tile += 1
    return tile


def number_at(s: State, square: int) -> int:
    value = 0
    while s.coins[value] & bit(square) == 0:
        value += 1
    return value
