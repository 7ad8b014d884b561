"""Why a move of Coin Collectors is good: coins that pawns can reach, and dice that open them."""

from smallchange.core.reason import Reason
from smallchange.core.state import bit, count
from smallchange.i18n.text import Plural, Text

from ..model import Board, State
from ..rules import GIVE_UP, ROLL, beside, opens, uncollected_squares
from .heuristic import dead_ends, reachable, readiness, stranded_coins

THROWS = 1296  # of four dice

REASONS = (
    Reason(
        Plural("no pawn can reach {n} coin any more", "no pawn can reach {n} coins any more"),
        -1,
        theme=Text("keep coins in reach", "a theme of puzzles"),
    ),
    Reason(
        Plural("{n} pawn stands beside a coin", "{n} pawns stand beside a coin"),
        theme=Text("keep pawns at work", "a theme of puzzles"),
    ),
    Reason(
        Plural("{n} coin lies in a dead end", "{n} coins lie in dead ends"),
        -1,
        theme=Text("clear dead ends", "a theme of puzzles"),
    ),
    Reason(
        Plural("the dice kept open {n} coin", "the dice kept open {n} coins"),
        theme=Text("keep the useful dice", "a theme of puzzles"),
    ),
    Reason(
        Plural("{n} of 100 throws lets a pawn collect", "{n} of 100 throws let a pawn collect"),
        theme=Text("roll for a coin", "a theme of puzzles"),
    ),
)


def measure(b: Board, s: State, a: int, t: State) -> list[int | None]:
    """Return the number of each reason: of dice for a roll, of coins for all else."""
    if ROLL <= a < GIVE_UP:
        dice = a - ROLL
        throws = readiness(b, s, dice) // 100
        return [None, None, None, opened_coins(b, s, dice), 100 * throws // THROWS]
    live = uncollected_squares(t)
    moving = 0
    for i in range(4):
        if beside(b, t, i, live) != 0:
            moving += 1
    stranded = count(stranded_coins(b, live, reachable(b, t, live)))
    return [stranded, moving, dead_ends(b, t, live), None, None]


def opened_coins(b: Board, s: State, rolled: int) -> int:
    """Return the number of coins that the dice which are not rolled open now."""
    live = uncollected_squares(s)
    reach = reachable(b, s, live)
    opened = 0
    for i in range(4):
        if rolled & bit(i) == 0 and s.dice[i] >= 0:
            opened |= opens(s, i, s.dice[i], beside(b, s, i, live), reach)
    return count(opened)
