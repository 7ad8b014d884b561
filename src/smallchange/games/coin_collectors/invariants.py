"""Which states of Coin Collectors can be: a tile and at most a coin on a square, pawns, and dice."""

from collections.abc import Iterator

from smallchange.core.state import CHANCE, OVER, bit, count

from .model import GONE, Board, State
from .notation import square
from .rules import CHOOSING, COINING, HOLE, LAYING, LOSING, ROLLING, acceptable, uncollected_squares

SQUARES = [i for i in range(25) if i != HOLE]


def violations(b: Board, s: State) -> Iterator[str]:
    """Describe each contradiction in a state; each check relies on those before it."""
    laid = [i for i in SQUARES if s.phase != LAYING or i < s.at]
    for i in range(25):
        if s.spot.count(i) != (i in laid):
            yield f"{s.spot.count(i)} tiles lie on {square(i)}"
        if sum(coins >> i & 1 for coins in s.coins) > (i in laid):
            yield f"too many coins lie on {square(i)}"
    for value, coins in enumerate(s.coins):
        if count(coins) > 4:
            yield f"{count(coins)} coins of number {value} lie on the board, not at most 4"
    if s.turn != OVER and (s.turn == CHANCE) != (s.phase <= ROLLING):
        yield f"turn is {s.turn} in phase {s.phase}"
    yield from (setup_violations(s) if s.phase <= COINING else play_violations(b, s))


def setup_violations(s: State) -> Iterator[str]:
    if s.turn == OVER or s.at == HOLE:
        yield f"turn is {s.turn} and at is {s.at} during setup"
    if uncollected_squares(s) != (sum(map(bit, SQUARES)) & bit(s.at) - 1 if s.phase == COINING else 0):
        yield f"the coins are not those of the squares before {square(s.at)}"
    if s.dice != [-1] * 4 or s.hand or s.pawns != [HOLE] * 4 or s.left or s.rolls_left:
        yield "dice, hand, pawns, left or rolls_left have changed during setup"


def play_violations(b: Board, s: State) -> Iterator[str]:
    if s.at:
        yield f"at is {s.at} after setup"
    if s.turn != OVER and not uncollected_squares(s):
        yield "it goes on without a coin on the board"
    for i in range(4):
        if (s.dice[i] == -1) != s.hand >> i & 1:
            yield f"die {i} is {s.dice[i]} with hand={s.hand}"
    if (s.turn == CHANCE) != (s.hand > 0):
        yield f"turn is {s.turn} with hand={s.hand}"
    if s.rolls_left >= b.rolls or (s.rolls_left and s.phase not in (ROLLING, CHOOSING)):
        yield f"rolls_left is {s.rolls_left} in phase {s.phase}, with {b.rolls} rolls a turn"
    yield from pawn_violations(b, s)
    if (s.phase == LOSING and not acceptable(b, s)) or (s.phase == CHOOSING and b.stud):
        yield f"phase {s.phase} does not go with the options"


def pawn_violations(b: Board, s: State) -> Iterator[str]:
    """Describe each contradiction in the places of the pawns."""
    if count(s.left) > b.leavers:
        yield f"{count(s.left)} pawns have left the hole, not at most {b.leavers}"
    if s.pawns.count(GONE) > 3 * b.losses:
        yield f"{s.pawns.count(GONE)} pawns were given up"
    for i, at in enumerate(s.pawns):
        if at != GONE and (at == HOLE) == s.left >> i & 1:
            yield f"pawn {i} stands on {square(at)} with left={s.left}"
        if at in SQUARES and (s.pawns.count(at) > 1 or uncollected_squares(s) >> at & 1):
            yield f"pawn {i} stands on {square(at)} with a coin or another pawn"
