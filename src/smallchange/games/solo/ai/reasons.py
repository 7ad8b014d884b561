"""Why a move of Solo is good: coins that lead on, and ways that stay."""

from smallchange.core.reason import Reason
from smallchange.core.state import bit, count, lowest
from smallchange.i18n.text import Plural, Text

from ..model import Board, State
from ..rules import COIN, EMPTY, ENTER, PLIGHT, aces_found, entries, kind
from .heuristic import ways

REASONS = (
    Reason(
        Plural(
            "the coin there leads on with {n} number that it may show",
            "the coin there leads on with {n} numbers that it may show",
        ),
        theme=Text("a coin that leads on", "a theme of puzzles"),
    ),
    Reason(
        Plural("{n} way leads from coin to coin", "{n} ways lead from coin to coin"),
        theme=Text("keep ways open", "a theme of puzzles"),
    ),
    Reason(
        Plural("{n} tile beside it has coins", "{n} tiles beside it have coins"),
        theme=Text("stay near coins", "a theme of puzzles"),
    ),
    Reason(
        Plural("{n} ace stays in hand", "{n} aces stay in hand"),
        theme=Text("save the ace", "a theme of puzzles"),
    ),
    Reason(
        Plural("{n} pawn is left", "{n} pawns are left"),
        theme=Text("save the pawn", "a theme of puzzles"),
    ),
)


def measure(b: Board, s: State, a: int, t: State) -> list[int | None]:
    """Return the number of each reason. A coin that is flipped next counts as taken."""
    leading, rest = None, t.coins[0]
    if t.step == COIN:
        leading, rest = leading_numbers(b, t, t.at), without(t, t.at)
    if t.step == ENTER:
        squares, leading = entries(b, t), 0
        while squares != 0:
            leading = max(leading, leading_numbers(b, t, lowest(squares)))
            squares &= squares - 1
    beside = count(b.near[t.at] & rest) if t.step == PLIGHT and t.why == EMPTY else None
    return [leading, ways(b, rest), beside, aces_found(t) - t.spent, 4 - t.pawn]


def without(t: State, square: int) -> int:
    """Return the squares with coins once the top coin of one is gone."""
    return t.coins[0] if t.coins[1] & bit(square) != 0 else t.coins[0] & ~bit(square)


def leading_numbers(b: Board, t: State, square: int) -> int:
    """Return how many numbers the top coin of a square may show that lead to another coin."""
    unseen = 63 & ~t.seen[kind(t, square)]
    rest = without(t, square)
    return sum(1 for v in range(1, 6) if unseen & bit(v) and b.reach[20 * (v - 1) + square] & rest)
