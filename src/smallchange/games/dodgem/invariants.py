"""Which states of Dodg'em can be: where coins lie, how many, and what an end needs."""

from smallchange.core.state import OVER, count

from .model import Board, State
from .rules import BLOCKED, HOME, PASSES, QUIET, to_go


def can_be(b: Board, s: State) -> bool:
    """Return whether a state within its bounds can come up."""
    red, green = s.coins
    forward = 2 * b.width * (b.width - 1) - to_go(b, s, 0) - to_go(b, s, 1)
    if (red | green) >> b.width**2 or red & green or max(count(red), count(green)) >= b.width:
        return False
    if s.quiet > min(s.plies, b.quiet_limit) or s.plies > s.quiet + forward * b.quiet_limit:
        return False
    home = [side for side in range(2) if s.coins[side] == 0]
    if s.turn != OVER:
        return not (s.reason or s.winner or home or s.quiet == b.quiet_limit)
    ends = {
        HOME: home == [s.winner],
        QUIET: not home and s.winner == -1 and s.quiet == b.quiet_limit,
        BLOCKED: not home and s.winner >= 0 and b.blocked != PASSES,
    }
    return ends.get(s.reason, False)
