"""Which states of Dodg'em can be: where coins lie, how many, and what an end needs."""

from collections.abc import Iterator

from smallchange.core.state import OVER, count, lowest

from .model import SEATS, Board, State
from .notation import square
from .rules import BLOCKED, HOME, PASSES, QUIET, to_go


def violations(b: Board, s: State) -> Iterator[str]:
    """Describe each contradiction in a state; each check relies on those before it."""
    for seat, coins in zip(SEATS, s.coins, strict=True):
        if coins >> b.width**2:
            yield f"{seat} has a coin beside the board"
        if count(coins) >= b.width:
            yield f"{seat} has {count(coins)} coins, not at most {b.width - 1}"
    both = s.coins[0] & s.coins[1]
    if both:
        yield f"both sides have a coin on {square(b, lowest(both))}"
    if s.quiet > min(s.plies, b.quiet_limit):
        yield f"quiet is {s.quiet}, with {s.plies} plies and a limit of {b.quiet_limit}"
    forward = 2 * b.width * (b.width - 1) - to_go(b, s, 0) - to_go(b, s, 1)
    if s.plies > s.quiet + forward * b.quiet_limit:
        yield f"plies is {s.plies}, too many for {forward} moves forward"
    home = [side for side in range(2) if s.coins[side] == 0]
    if s.turn != OVER:
        yield from running_violations(b, s, home)
    elif not fits_reason(b, s, home):
        yield f"it is over, but reason={s.reason} winner={s.winner} does not fit the coins and quiet plies"


def running_violations(b: Board, s: State, home: list[int]) -> Iterator[str]:
    if s.reason or s.winner:
        yield f"it goes on, with reason={s.reason} winner={s.winner}"
    for side in home:
        yield f"it goes on, and {SEATS[side]} has no coin on the board"
    if s.quiet == b.quiet_limit:
        yield f"it goes on after {s.quiet} quiet plies"


def fits_reason(b: Board, s: State, home: list[int]) -> bool:
    """Return whether this is an end for the reason given."""
    if s.reason == HOME:
        return home == [s.winner]
    if s.reason == QUIET:
        return not home and s.winner == -1 and s.quiet == b.quiet_limit
    return not home and s.winner >= 0 and s.reason == BLOCKED and b.blocked != PASSES
