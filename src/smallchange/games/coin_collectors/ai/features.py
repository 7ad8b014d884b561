"""Features of Coin Collectors for learning: the coins, the reach of the pawns, the coins that dice open.

Pawns never step back, so the coins left must be covered by one path from each pawn at most: coins with a
single way in or out are ends of paths, paths go over light and dark squares by turns. And a die that shows
the key to a coin may be kept until that coin is wanted, while the others are rolled.
"""

from smallchange.core.state import bit, count

from ..model import Board, State
from ..rules import CHOOSING, HOLE, beside, opens, remaining, uncollected_squares

LEFT = 0  # coins left, 0 to 24
LIES = 25  # .. + 3 * ways to other coins (0 to 4) + pawns beside it (none, one, more): coins that lie so
ENDS = 40  # coins that must be the end of a path: 0 to 7
SPARE = 48  # pawns that move, less those ends: -3 to 4
ALONE = 56  # coins with no way in: 0 to 3
CUT_OFF = 60  # coins that no pawn can reach: 0 to 4
SHARED = 65  # .. + pawns (1 to 4) that can reach a coin: how many coins
MOVES = 70  # .. + coins beside it (0 to 4): how many pawns
LIGHT = 75  # how many more light squares could be covered than there are: -3 to 4
DARK = 83  # .. dark ones
PIECES = 91  # groups of coins: 0 to 5
ROLLED = 97  # .. + faces (0 to 6) that would open a coin: how many dice about to be rolled
KEPT = 104  # dice kept that open a coin, show a key to a later one, are of no use
OPENED = 107  # coins that kept dice open now: 0 to 4
RISK = 112  # .. how many of RISKS the rolls of 1296 that open nothing reach
WITHOUT = 124  # coins that no kept die has a key to: 0 to 11
LATER = 136  # coins further on that kept dice have keys to
OPENERS = 137  # faces, of all dice, that would open a coin
AFRESH = 138  # .. as RISK, if all dice were rolled
SAFE = 150  # rolls of 1296 that open a coin, and of all dice, in 81sts
LEAVERS = 152  # pawns that may still leave the hole: 0 to 4
LOSSES = 157  # pawns that may still be given up: 0 to 3
STUD = 161
PENDING = 162  # dice about to be rolled: 0 to 4
FEATURES = 167

RISKS = (1, 8, 16, 32, 64, 108, 180, 288, 432, 625, 864, 1080)
ALL = (1 << 25) - 1
NOT_A = ALL - (1 + (1 << 5) + (1 << 10) + (1 << 15) + (1 << 20))
NOT_E = ALL - ((1 << 4) + (1 << 9) + (1 << 14) + (1 << 19) + (1 << 24))
LIGHTS = 0x1555555


def is_afterstate(b: Board, s: State) -> bool:
    """Return whether an action can be judged by this state: not before dice are chosen."""
    return s.phase != CHOOSING


def features(b: Board, s: State, seat: int, out: list[int]) -> None:
    """Write the FEATURES numbers that describe a state."""
    for i in range(FEATURES):
        out[i] = 0
    live = uncollected_squares(s)
    out[LEFT + count(live)] = 1
    lie(b, s, live, out)
    roam(b, s, live, out)
    cover(b, s, live, out)
    keys(b, s, live, out)
    afresh(b, s, live, out)
    rest = b.leavers - count(s.left)
    out[LEAVERS + max(0, rest)] = 1
    if b.losses == 1:
        out[LOSSES + remaining(s) - 1] = 1
    out[STUD] = b.stud


def lie(b: Board, s: State, live: int, out: list[int]) -> None:
    """Coins by their ways to other coins and the pawns beside them; dead ends."""
    north = live << 5
    south = live >> 5
    east = (live & NOT_E) << 1
    west = (live & NOT_A) >> 1
    rows = north ^ south
    columns = east ^ west
    low = rows ^ columns
    middle = (north & south) ^ (east & west) ^ (rows & columns)
    high = north & south & east & west
    some = 0
    more = 0
    for i in range(4):
        mine = beside(b, s, i, live)
        more |= some & mine
        some |= mine
    none = live & ~some
    one = some & ~more
    for ways in range(5):
        those = of_degree(ways, low, middle, high)
        out[LIES + 3 * ways] = count(none & those)
        out[LIES + 3 * ways + 1] = count(one & those)
        out[LIES + 3 * ways + 2] = count(more & those)
    ends = out[LIES + 1] + out[LIES + 3]
    out[ENDS + min(7, ends)] = 1
    out[ALONE + min(3, out[LIES])] = 1
    moving = 0
    for i in range(4):
        if beside(b, s, i, live) != 0:
            moving += 1
    out[SPARE + 3 + max(-3, moving - ends)] = 1


def of_degree(ways: int, low: int, middle: int, high: int) -> int:
    """Return the squares with this count of ways, written in binary as three masks."""
    found = low if ways & 1 != 0 else ~low
    found &= middle if ways & 2 != 0 else ~middle
    found &= high if ways & 4 != 0 else ~high
    return found


def with_neighbours(squares: int) -> int:
    """Return these squares and those beside them."""
    rows = (squares << 5) | (squares >> 5)
    return (squares | rows | ((squares & NOT_E) << 1) | ((squares & NOT_A) >> 1)) & ALL


def flood(start: int, live: int) -> int:
    """Return the coins that chains of coins join to these."""
    found = start
    grown = with_neighbours(found) & live
    while grown != found:
        found = grown
        grown = with_neighbours(found) & live
    return found


def roam(b: Board, s: State, live: int, out: list[int]) -> None:
    """Write how far each pawn can go."""
    once = 0
    twice = 0
    thrice = 0
    always = live
    holed = 0
    for i in range(4):
        mine = beside(b, s, i, live)
        out[MOVES + count(mine)] += 1
        area = holed if s.pawns[i] == HOLE and holed != 0 else flood(mine, live)
        if s.pawns[i] == HOLE:
            holed = area
        thrice |= twice & area
        twice |= once & area
        once |= area
        always &= area
        if s.dice[i] != -1:
            out[LATER] += count(area & s.coins[s.dice[i]])
    out[CUT_OFF + min(4, count(live & ~once))] = 1
    out[SHARED + 1] = count(once & ~twice)
    out[SHARED + 2] = count(twice & ~thrice)
    out[SHARED + 3] = count(thrice & ~always)
    out[SHARED + 4] = count(always)


def cover(b: Board, s: State, live: int, out: list[int]) -> None:
    """Write whether paths from the pawns can cover all light and dark squares, and the number of groups."""
    from_light = 0
    from_dark = 0
    for i in range(4):
        if beside(b, s, i, live) != 0:
            if LIGHTS & bit(s.pawns[i]) != 0:
                from_light += 1
            else:
                from_dark += 1
    lights = count(live & LIGHTS)
    darks = count(live & ~LIGHTS)
    out[LIGHT + 3 + min(4, max(-3, darks + from_dark - lights))] = 1
    out[DARK + 3 + min(4, max(-3, lights + from_light - darks))] = 1
    pieces = 0
    rest = live
    while rest != 0:
        rest &= ~flood(rest & -rest, live)
        pieces += 1
    out[PIECES + min(5, pieces)] = 1


def keys(b: Board, s: State, live: int, out: list[int]) -> None:
    """Write the coins that dice open: kept dice now and later, the others with their chance."""
    reach = 0
    for i in range(4):
        reach |= beside(b, s, i, live)
    fails = 1
    opened = 0
    held = 0
    pending = 0
    for i in range(4):
        mine = beside(b, s, i, live)
        if s.dice[i] == -1:
            faces = opening_faces(s, i, mine, reach)
            out[ROLLED + faces] += 1
            fails *= 6 - faces
            pending += 1
        else:
            fails *= 6
            tile = bit(s.spot[6 * i + s.dice[i]]) & live
            coins = opens(s, i, s.dice[i], mine, reach)
            out[KEPT + (0 if coins != 0 else 1 if tile != 0 else 2)] += 1
            opened |= coins
            held |= tile | coins
    out[PENDING + pending] = 1
    out[OPENED + min(4, count(opened))] = 1
    out[WITHOUT + min(11, count(live & ~held))] = 1
    if opened != 0:
        fails = 0
    for i in range(12):
        if fails >= RISKS[i]:
            out[RISK + i] = 1
    out[SAFE] = (1296 - fails) // 81


def opening_faces(s: State, i: int, mine: int, reach: int) -> int:
    """Return the number of faces of die `i` that open a coin."""
    n = 0
    for face in range(6):
        if opens(s, i, face, mine, reach) != 0:
            n += 1
    return n


def afresh(b: Board, s: State, live: int, out: list[int]) -> None:
    """Describe the chance to open a coin if all dice were rolled."""
    reach = 0
    for i in range(4):
        reach |= beside(b, s, i, live)
    fails = 1
    for i in range(4):
        faces = opening_faces(s, i, beside(b, s, i, live), reach)
        out[OPENERS] += faces
        fails *= 6 - faces
    for i in range(12):
        if fails >= RISKS[i]:
            out[AFRESH + i] = 1
    out[SAFE + 1] = (1296 - fails) // 81
