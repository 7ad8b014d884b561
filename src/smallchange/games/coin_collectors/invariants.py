"""Which states of Coin Collectors can be: a tile and at most a coin on a square, pawns, and dice."""

from smallchange.core.state import CHANCE, OVER, bit, count

from .model import GONE, Board, State
from .rules import CHOOSING, COINING, HOLE, LAYING, LOSING, ROLLING, acceptable, uncollected_squares

SQUARES = [i for i in range(25) if i != HOLE]


def can_be(b: Board, s: State) -> bool:
    """Return whether a state within its bounds can come up."""
    laid = [i for i in SQUARES if s.phase != LAYING or i < s.at]
    tiles = all(s.spot.count(i) == (i in laid) for i in range(25))
    coins = all(sum(coins >> i & 1 for coins in s.coins) <= (i in laid) for i in range(25))
    if not tiles or not coins or any(count(coins) > 4 for coins in s.coins):
        return False
    if s.turn != OVER and (s.turn == CHANCE) != (s.phase <= ROLLING):
        return False
    return in_setup(s) if s.phase <= COINING else in_play(b, s)


def in_setup(s: State) -> bool:
    with_coins = sum(map(bit, SQUARES)) & bit(s.at) - 1 if s.phase == COINING else 0
    untouched = s.dice == [-1] * 4 and s.pawns == [HOLE] * 4 and not (s.hand or s.left or s.rolls_left)
    return s.turn != OVER and s.at != HOLE and uncollected_squares(s) == with_coins and untouched


def in_play(b: Board, s: State) -> bool:
    on_board = uncollected_squares(s)
    return not (
        s.at
        or (s.turn != OVER and not on_board)
        or any((die == -1) != s.hand >> i & 1 for i, die in enumerate(s.dice))
        or (s.turn == CHANCE) != (s.hand > 0)
        or s.rolls_left >= b.rolls
        or (s.rolls_left and s.phase not in (ROLLING, CHOOSING))
        or count(s.left) > b.leavers
        or s.pawns.count(GONE) > 3 * b.losses
        or any(at != GONE and (at == HOLE) == s.left >> i & 1 for i, at in enumerate(s.pawns))
        or any(s.pawns.count(at) > 1 or on_board >> at & 1 for at in s.pawns if at in SQUARES)
        or (s.phase == LOSING and not acceptable(b, s))
        or (s.phase == CHOOSING and b.stud)
    )
