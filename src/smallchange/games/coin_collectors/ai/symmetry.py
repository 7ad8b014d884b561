"""Symmetry of Coin Collectors: the positions that are worth the same, and those that are lost.

Of a pawn only the coins beside it count; of a die only whether its face may still open one.
"""

from smallchange.core.state import bit, count, lowest

from ..model import GONE, Board, State
from ..rules import CHOOSING, HOLE, ROLLING, beside, uncollected_squares

ALL_DICE = 15
LIGHTS = 0b1010101010101010101010101  # the light squares: every step goes to a dark one, or back


def canonicalize(b: Board, s: State) -> None:
    """Make of a state the one that stands for all that are worth as much as it."""
    if s.phase < ROLLING:
        return
    live = uncollected_squares(s)
    if b.leavers == 4:
        s.left = 0
    for i in range(4):
        if b.leavers == 4 or s.pawns[i] != HOLE:
            s.pawns[i] = canonical_square(b, s.pawns[i], live)
        if s.dice[i] >= 0:
            s.dice[i] = canonical_face(b, s, i, live)


def canonical_square(b: Board, square: int, live: int) -> int:
    """Return the first square beside the same coins."""
    ways = b.near[square] & live
    if ways == 0:
        return GONE if b.losses == 0 else square
    rest = b.near[lowest(ways)]
    while rest != 0:
        other = lowest(rest)
        rest ^= bit(other)
        if b.near[other] & live == ways and (other != HOLE or b.leavers == 4):
            return other
    return square


def canonical_face(b: Board, s: State, i: int, live: int) -> int:
    """Return the face of die `i`, or the first useless face if it will not open a coin any more."""
    stranded = beside(b, s, i, live) == 0
    face = 0
    while face < s.dice[i]:
        if useless(s, i, face, live, stranded):
            return face if useless(s, i, s.dice[i], live, stranded) else s.dice[i]
        face += 1
    return s.dice[i]


def useless(s: State, i: int, face: int, live: int, stranded: bool) -> bool:
    return bit(s.spot[6 * i + face]) & live == 0 and (stranded or s.coins[face] == 0)


def is_lost(b: Board, s: State) -> bool:
    """Return whether the pawns cannot collect all coins any more, whatever the dice show.

    Each pawn's way is a path over coins. It ends at most once in a dead end; and of its squares, at most one
    more is of its first colour than of the other.
    """
    if s.phase != CHOOSING and s.hand != ALL_DICE:  # nothing was collected since this was asked last
        return False
    live = uncollected_squares(s)
    reach = 0
    light = 0
    dark = 0
    for i in range(4):
        ways = beside(b, s, i, live)
        reach |= ways
        if ways & LIGHTS != 0:
            light += 1
        elif ways != 0:
            dark += 1
    lead = count(live & LIGHTS) - count(live & ~LIGHTS)
    return lead > light or -lead > dark or ends(b, live, reach) > dark + light or apart(b, live, reach)


def ends(b: Board, live: int, reach: int) -> int:
    """Coins from which no pawn can go on: without another beside them, or with the one that it comes from."""
    found = 0
    rest = live
    while rest != 0:
        square = lowest(rest)
        rest ^= bit(square)
        if count(b.near[square] & live) <= 1 - ((reach >> square) & 1):
            found += 1
    return found


def apart(b: Board, live: int, reach: int) -> bool:
    """Return whether some coin is not joined to a pawn by a chain of coins."""
    reached = reach
    fresh = reach
    while fresh != 0:
        square = lowest(fresh)
        found = b.near[square] & live & ~reached
        reached |= found
        fresh = (fresh ^ bit(square)) | found
    return reached != live
