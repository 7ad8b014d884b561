"""The evaluation of a position of Dodg'em, for a search that cannot see the end."""

from smallchange.core.state import count

from ..model import UP, Board, State
from ..rules import ahead, behind, movable

TEMPO = 3
HELD, STUCK = 5, 12


def evaluate(b: Board, s: State, seat: int) -> int:
    """Return the lead in costs still to pay, with a bonus for the turn (research/lab-log.md)."""
    lead = to_pay(b, s, 1 - seat) - to_pay(b, s, seat)
    return 10 * (lead + TEMPO if s.turn == seat else lead - TEMPO)


def odds_scale(b: Board) -> int:
    """Return the evaluation at which the odds of winning are e to 1; measured by research/expected.py."""
    return 130 if b.forward[1] == UP else 270


def to_pay(b: Board, s: State, side: int) -> int:
    """Return the sum of far * (far + 4) over a side's coins, each of which needs `far` more forward moves.

    Coins that have far to go thus cost more than in proportion. In the crosswise start, coins in one
    another's way cost more; in the facing start, this tells nothing.
    """
    pay = held_up(b, s, side) if b.forward[1] == UP else 0
    line = b.edge[b.forward[side]]
    for far in range(1, b.width + 1):
        pay += far * (far + 4) * count(s.coins[side] & line)
        line = behind(b, line, side)
    return pay


def held_up(b: Board, s: State, side: int) -> int:
    """Return the cost of coins that cannot go forward now, and of those that cannot move at all."""
    held = s.coins[side] & ~ahead(b, s, side)
    stuck = s.coins[side] & ~movable(b, s, side)
    return HELD * count(held) + STUCK * count(stuck)


def plies_to_draw(b: Board, s: State) -> int:
    """Plies that may be taken before the quiet limit can end the match."""
    return b.quiet_limit - s.quiet  # DG-4


def clear_history(b: Board, s: State) -> None:
    """Forget how long the match has been quiet, and how long it has lasted."""
    s.quiet = 0
    s.plies = 0
