"""A sensible player of Coin Collectors.

Dice: keep those that open a coin now, one a coin, and roll the others. Coins: strand none, make few dead
ends, keep all pawns moving. A pawn given up is the one whose going hurts these least.
"""

from smallchange.core.state import bit, count, lowest

from ..model import Board, State
from ..rules import GIVE_UP, ROLL, beside, opens, uncollected_squares


def move_score(b: Board, s: State, a: int, t: State) -> int:
    """Return the score of action `a` in `s`, given `t`, the state after it; the highest is played."""
    if ROLL <= a < GIVE_UP:
        return readiness(b, s, a - ROLL)
    return outlook(b, t)


def readiness(b: Board, s: State, dice: int) -> int:
    """Return 100 times the rolls, of 1296, that let a pawn collect, plus sixths of dice that open a coin."""
    live = uncollected_squares(s)
    reach = reachable(b, s, live)
    soon = around(b, reach, live)
    fails = 1
    sixths = 0
    opened = 0
    for i in range(4):
        faces = openings(b, s, i, live, reach)
        if dice & bit(i) != 0:
            fails *= 6 - count(faces)
            sixths += count(faces)
        elif faces & bit(s.dice[i]) != 0:
            coins = opens(s, i, s.dice[i], beside(b, s, i, live), reach)
            fails = 0
            if coins & ~opened != 0:
                sixths += 6
            opened |= coins
        else:
            fails *= 6
            if bit(s.spot[6 * i + s.dice[i]]) & soon != 0:
                sixths += 1  # its tile may be next to a pawn a turn later
    return 100 * (1296 - fails) + sixths


def outlook(b: Board, t: State) -> int:
    """Rate how well the coins that are left lie for the pawns."""
    live = uncollected_squares(t)
    reach = reachable(b, t, live)
    fails = 1
    faces = 0
    moving = 0
    for i in range(4):
        open_faces = openings(b, t, i, live, reach)
        faces += count(open_faces)
        if t.dice[i] >= 0 and open_faces & bit(t.dice[i]) != 0:
            fails = 0
        fails *= 6 - count(open_faces)
        if beside(b, t, i, live) != 0:
            moving += 1
    lost = count(stranded_coins(b, live, reach))
    return 2 * faces + 7 * moving - fails // 200 - 30 * lost - 6 * dead_ends(b, t, live)


def reachable(b: Board, s: State, live: int) -> int:
    """Return the coins one step from some pawn."""
    return beside(b, s, 0, live) | beside(b, s, 1, live) | beside(b, s, 2, live) | beside(b, s, 3, live)


def openings(b: Board, s: State, i: int, live: int, reach: int) -> int:
    """Return the faces of die `i` that open a coin."""
    mine = beside(b, s, i, live)
    faces = 0
    for face in range(6):
        if opens(s, i, face, mine, reach) != 0:
            faces |= bit(face)
    return faces


def around(b: Board, squares: int, live: int) -> int:
    """Return the coins next to any of these squares."""
    found = 0
    while squares != 0:
        square = lowest(squares)
        squares ^= bit(square)
        found |= b.near[square]
    return found & live


def stranded_coins(b: Board, live: int, reach: int) -> int:
    """Return the coins that no chain of coins joins to a pawn."""
    reached = 0
    while reach != 0:
        reached |= reach
        reach = around(b, reach, live) & ~reached
    return live & ~reached


def dead_ends(b: Board, t: State, live: int) -> int:
    """Coins with a single way in or out, by a coin or a pawn beside them."""
    found = 0
    rest = live
    while rest != 0:
        square = lowest(rest)
        rest ^= bit(square)
        ways = count(b.near[square] & live)
        for i in range(4):
            ways += (beside(b, t, i, live) >> square) & 1
        if ways == 1:
            found += 1
    return found
