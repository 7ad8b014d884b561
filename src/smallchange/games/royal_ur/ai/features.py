"""Features of the Royal Game of Ur for learning: every square, the coins beside the board, the coins in danger.

A game with fewer coins looks like one with seven in which the others are home.
"""

from smallchange.core.state import lowest

from ..model import Board, State
from ..rules import capturable, steps_made, throws_onto, waiting

COINS = 0  # 14 for each side, + step - 1: has it a coin there?
NEEDED = 28  # 8 for each side: coins that are not home, 0 to 7
OUTSIDE = 44  # 8 for each side: coins waiting, 0 to 7
EXPOSED = 60  # 8 for each side, + step - 5: with how many throws in 16 its coin there is captured
THROWS = 76  # is it one's own throw?
AHEAD = 77  # steps made more than the other
LATE_COINS = 78  # 2 for each side, + step - 15: the coins of a longer way
LATE_EXPOSED = 82  # 4 for each side, + step - 13: those that can be captured
SET = 90  # 5 for the rules: Masters' way, Aseb's, no rosette safe, another throw for a capture, three coins to throw
FEATURES = 95


def is_afterstate(b: Board, s: State) -> bool:
    """Return whether an action can be judged by this state: always, for chance follows it."""
    return True


def features(b: Board, s: State, seat: int, out: list[int]) -> None:
    """Write the FEATURES numbers that describe a state to a seat."""
    for i in range(FEATURES):
        out[i] = 0
    for i in range(2):
        side = seat if i == 0 else 1 - seat
        rest = s.coins[side]
        while rest != 0:
            step = lowest(rest)
            out[COINS + 14 * i + step - 1 if step < 15 else LATE_COINS + 2 * i + step - 15] = 1
            rest &= rest - 1
        rest = capturable(b, s, side)
        while rest != 0:
            step = lowest(rest)
            at = EXPOSED + 8 * i + step - 5 if step < 13 else LATE_EXPOSED + 4 * i + step - 13
            out[at] = throws_onto(b, s, 1 - side, b.across[step])
            rest &= rest - 1
        out[NEEDED + 8 * i + b.coins - s.home[side]] = 1
        out[OUTSIDE + 8 * i + waiting(b, s, side)] = 1
    out[THROWS] = 1 if s.mover == seat else 0
    out[AHEAD] = steps_made(b, s, seat) - steps_made(b, s, 1 - seat)
    out[SET] = 1 if b.path == 1 else 0
    out[SET + 1] = 1 if b.path == 2 else 0
    out[SET + 2] = 1 - b.safe
    out[SET + 3] = b.capture_again
    out[SET + 4] = b.dice
