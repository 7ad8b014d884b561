"""Which states of the Royal Game of Ur can be: where coins lie, how many, and whose turn a throw leaves."""

from collections.abc import Iterator

from smallchange.core.state import CHANCE, OVER, count, lowest

from .model import MAX_THROWS, SEATS, Board, State
from .notation import square
from .rules import ALL_HOME, THROWN_OUT, across, movable, waiting


def violations(b: Board, s: State) -> Iterator[str]:
    """Describe each contradiction in a state; each check relies on those before it."""
    for side, seat in enumerate(SEATS):
        if waiting(b, s, side) < 0:
            yield f"{seat} has {count(s.coins[side]) + s.home[side]} coins, not at most {b.coins}"
    beyond = (s.coins[0] | s.coins[1]) >> b.goal
    if beyond:
        yield f"a coin is beyond step {b.goal - 1}, the last of its way"
        return
    both = s.coins[0] & across(b, s.coins[1])
    if both:
        yield f"both sides have a coin on {square(b, 0, lowest(both))}"
    if (s.heads == -1) != (s.throws == 0):
        yield f"heads is {s.heads} after {s.throws} throws"
    if not any(s.coins) and any(s.home) and 4 * s.throws < b.goal:  # no coin gets home in fewer
        yield f"a coin is home after {s.throws} throws"
    if s.turn == OVER:
        yield from end_violations(b, s)
    elif s.reason or b.coins in s.home:
        yield f"it goes on, with reason={s.reason} home={s.home}"
    elif s.turn == CHANCE and s.throws == MAX_THROWS:
        yield f"it goes on after {s.throws} throws"
    elif s.turn != CHANCE and (s.turn != s.mover or s.heads < 1 or not movable(b, s)):
        yield f"turn={s.turn} mover={s.mover} heads={s.heads} do not go together"


def end_violations(b: Board, s: State) -> Iterator[str]:
    """Describe each contradiction to the reason of the end."""
    done = [side for side in (0, 1) if s.home[side] == b.coins]
    fits = {ALL_HOME: done == [s.mover], THROWN_OUT: not done and s.throws == MAX_THROWS}
    if not fits.get(s.reason, False):
        yield f"it is over, but not for reason {s.reason}"
