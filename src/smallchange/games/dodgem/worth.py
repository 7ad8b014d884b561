"""What a position of Dodg'em promises, for a search that cannot see the end."""

from smallchange.state import count

from .board import UP, Board, State
from .rules import ahead, behind, movable

TEMPO = 3
HELD, STUCK = 5, 12


def worth(b: Board, s: State, seat: int) -> int:
    """Who has less to pay, and whose turn it is; docs/lab-log.md has what else was tried."""
    lead = to_pay(b, s, 1 - seat) - to_pay(b, s, seat)
    return 10 * (lead + TEMPO if s.turn == seat else lead - TEMPO)


def scale(b: Board) -> int:
    """How much a position is worth where the odds of winning are e to 1; measured by bench/expected.py."""
    return 130 if b.forward[1] == UP else 400


def to_pay(b: Board, s: State, side: int) -> int:
    """The sum of far * (far + 4) over a side's coins, each of which needs `far` more forward moves.

    So coins that have far to go cost more than in proportion. Where the sides cross, coins in one another's
    way cost more; where they face each other, that says nothing.
    """
    pay = held_up(b, s, side) if b.forward[1] == UP else 0
    line = b.edge[b.forward[side]]
    for far in range(1, b.width + 1):
        pay += far * (far + 4) * count(s.coins[side] & line)
        line = behind(b, line, side)
    return pay


def held_up(b: Board, s: State, side: int) -> int:
    """What this side's coins cost that cannot go forward now, and those that cannot move at all."""
    held = s.coins[side] & ~ahead(b, s, side)
    stuck = s.coins[side] & ~movable(b, s, side)
    return HELD * count(held) + STUCK * count(stuck)


def patience(b: Board, s: State) -> int:
    """Plies that may be taken before the quiet limit can end the match."""
    return b.quiet_limit - s.quiet  # DG-4


def blur(b: Board, s: State) -> None:
    """Forget how long the match has been quiet, and how long it has lasted."""
    s.quiet = 0
    s.plies = 0
