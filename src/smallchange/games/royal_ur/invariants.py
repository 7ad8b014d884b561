"""Which states of the Royal Game of Ur can be: where coins lie, how many, and whose turn a throw leaves."""

from smallchange.core.state import CHANCE, OVER

from .model import MAX_THROWS, Board, State
from .rules import ALL_HOME, THROWN_OUT, across, movable, waiting


def can_be(b: Board, s: State) -> bool:
    """Return whether a state within its bounds can come up."""
    if (s.coins[0] | s.coins[1]) >> b.goal or min(waiting(b, s, 0), waiting(b, s, 1)) < 0:
        return False
    if s.coins[0] & across(b, s.coins[1]) or (s.heads == -1) != (s.throws == 0):
        return False
    if not any(s.coins) and any(s.home) and 4 * s.throws < b.goal:  # no coin gets home in fewer
        return False
    if s.turn == OVER:
        done = [side for side in (0, 1) if s.home[side] == b.coins]
        ends = {ALL_HOME: done == [s.mover], THROWN_OUT: not done and s.throws == MAX_THROWS}
        return ends.get(s.reason, False)
    if s.reason or b.coins in s.home:
        return False
    if s.turn == CHANCE:
        return s.throws < MAX_THROWS
    return s.turn == s.mover and s.heads >= 1 and movable(b, s) > 0
