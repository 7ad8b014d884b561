"""The positions before a throw, numbered without gaps in layers, for tables of their values.

A value is that to the side whose throw it is, so a position and the same with the sides exchanged have one number.
The number of throws is left out. A layer has the positions in which one side still needs so many coins and the
other so many, whichever of them throws; a step stays in its layer, or a coin gets home and it leads to a lower one.

Within a layer come first the positions in which the side that throws needs more. They ascend by the coins of this
side and of the other on shared squares, then by these squares, then by the squares of their own.
"""

from smallchange.core.state import CHANCE, bit, count, lowest

from ..model import Board, State
from ..rules import across

LAYOUT = 1  # grows when a position gets another number
CHOOSE = (  # CHOOSE[k][n]: how many sets of k there are among n
    (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
    (0, 0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66),
    (0, 0, 0, 1, 4, 10, 20, 35, 56, 84, 120, 165, 220),
    (0, 0, 0, 0, 1, 5, 15, 35, 70, 126, 210, 330, 495),
    (0, 0, 0, 0, 0, 1, 6, 21, 56, 126, 252, 462, 792),
    (0, 0, 0, 0, 0, 0, 1, 7, 28, 84, 210, 462, 924),
    (0, 0, 0, 0, 0, 0, 0, 1, 8, 36, 120, 330, 792),
)
UP_TO = (  # UP_TO[kind][k]: sets of at most k of the squares of one's own, which are 6 on the way of the bell, else 4
    (1, 7, 22, 42, 57, 63, 64, 64),
    (1, 5, 11, 15, 16, 16, 16, 16),
)


def value_layers(b: Board) -> int:
    """Return the number of layers."""
    return b.coins * (b.coins + 1) // 2


def value_layer(b: Board, s: State) -> int:
    """Return the layer of a position; no step leads to a higher one. Return -1 where the value is not kept."""
    if s.turn != CHANCE:
        return -1
    high = b.coins - 1 - min(s.home[0], s.home[1])
    low = b.coins - 1 - max(s.home[0], s.home[1])
    return high * (high + 1) // 2 + low


def value_seat(b: Board, s: State) -> int:
    """Return the seat to which a position has its value."""
    return s.mover


def more_needed(layer: int) -> int:
    """Return the coins, less one, that the side that needs more still needs in a layer."""
    high = 0
    while (high + 1) * (high + 2) // 2 <= layer:
        high += 1
    return high


def layer_positions(b: Board, layer: int) -> int:
    """Return the number of positions of a layer."""
    high = more_needed(layer)
    low = layer - high * (high + 1) // 2
    n = arrangements(b, high + 1, low + 1)
    return n if high == low else n + arrangements(b, low + 1, high + 1)


def layers_ahead(b: Board, layer: int, out: list[int]) -> int:
    """Write the other layers that a step leads to; return their number."""
    high = more_needed(layer)
    low = layer - high * (high + 1) // 2
    n = 0
    if high > low:
        out[n] = (high - 1) * high // 2 + low
        n += 1
    if low > 0:
        out[n] = high * (high + 1) // 2 + low - 1
        n += 1
    return n


def arrangements(b: Board, mine: int, theirs: int) -> int:
    """Return the number of placements with up to the given number of coins of each side on the board."""
    return arrangements_below(b, mine, theirs, min(mine, count(b.shared)) + 1, 0)


def arrangements_below(b: Board, mine: int, theirs: int, i: int, j: int) -> int:
    """Return how many of them have fewer than i coins of mine on shared squares, or i and fewer than j of theirs."""
    squares = count(b.shared)
    kind = 0 if b.path == 0 else 1
    n = 0
    for k in range(min(i, mine) + 1):
        most = min(theirs, squares - k) + 1 if k < i else j
        others = 0
        for m in range(most):
            others += CHOOSE[m][squares - k] * UP_TO[kind][theirs - m]
        n += CHOOSE[k][squares] * UP_TO[kind][mine - k] * others
    return n


def value_rank(b: Board, s: State) -> int:
    """Return the number of a position in its layer."""
    side = s.mover
    mine = b.coins - s.home[side]
    theirs = b.coins - s.home[1 - side]
    first = lowest(b.shared)
    squares = count(b.shared)
    kind = 0 if b.path == 0 else 1
    my_shared = (s.coins[side] & b.shared) >> first
    their_shared = across(b, s.coins[1 - side]) >> first
    i = count(my_shared)
    j = count(their_shared)
    n = arrangements_below(b, mine, theirs, i, j)
    if mine < theirs:
        n += arrangements(b, theirs, mine)
    row = rank_among(my_shared, 0) * CHOOSE[j][squares - i] + rank_among(their_shared, my_shared)
    row = row * UP_TO[kind][mine - i] + own_rank(b, s.coins[side])
    return n + row * UP_TO[kind][theirs - j] + own_rank(b, s.coins[1 - side])


def rank_among(chosen: int, taken: int) -> int:
    """Return the rank of a set of squares among those of its size that leave the taken ones out."""
    rank = 0
    k = 0
    while chosen != 0:
        square = lowest(chosen)
        k += 1
        rank += CHOOSE[k][square - count(taken & (bit(square) - 1))]
        chosen &= chosen - 1
    return rank


def own_rank(b: Board, steps: int) -> int:
    """Return the rank of a side's coins on its own squares, fewer coins first."""
    first = lowest(b.shared)
    own = (steps & bit(first) - 1) >> 1 | steps >> first + count(b.shared) << first - 1
    k = count(own)
    fewer = UP_TO[0 if b.path == 0 else 1][k - 1] if k > 0 else 0
    return fewer + rank_among(own, 0)


def squares_among(k: int, rank: int, taken: int) -> int:
    """Return set number `rank` of k squares that leave the taken ones out."""
    chosen = 0
    for i in range(k, 0, -1):
        square = i - 1
        while CHOOSE[i][square + 1] <= rank:
            square += 1
        rank -= CHOOSE[i][square]
        chosen |= bit(square)
    if taken == 0:
        return chosen
    spread = 0
    square = 0
    while chosen != 0:
        if taken & bit(square) == 0:
            if chosen & 1 != 0:
                spread |= bit(square)
            chosen = chosen >> 1
        square += 1
    return spread


def own_steps(b: Board, rank: int) -> int:
    """Return the steps of a side's coins on its own squares by their rank."""
    kind = 0 if b.path == 0 else 1
    k = 0
    while UP_TO[kind][k] <= rank:
        k += 1
    if k > 0:
        rank -= UP_TO[kind][k - 1]
    own = squares_among(k, rank, 0)
    first = lowest(b.shared)
    near = own & bit(first - 1) - 1
    return near << 1 | own >> first - 1 << first + count(b.shared)


def write_valued(b: Board, s: State, layer: int, i: int) -> None:
    """Write position number `i` of a layer, with seat 0 to throw; the throws are as before the first."""
    mine = more_needed(layer) + 1
    theirs = layer - mine * (mine - 1) // 2 + 1
    if i >= arrangements(b, mine, theirs):
        i -= arrangements(b, mine, theirs)
        needed = mine
        mine = theirs
        theirs = needed
    squares = count(b.shared)
    kind = 0 if b.path == 0 else 1
    m = 0
    while m < min(mine, squares) and arrangements_below(b, mine, theirs, m + 1, 0) <= i:
        m += 1
    j = 0
    while j < min(theirs, squares - m) and arrangements_below(b, mine, theirs, m, j + 1) <= i:
        j += 1
    i -= arrangements_below(b, mine, theirs, m, j)
    their_own = own_steps(b, i % UP_TO[kind][theirs - j])
    i = i // UP_TO[kind][theirs - j]
    my_own = own_steps(b, i % UP_TO[kind][mine - m])
    i = i // UP_TO[kind][mine - m]
    my_shared = squares_among(m, i // CHOOSE[j][squares - m], 0)
    their_shared = squares_among(j, i % CHOOSE[j][squares - m], my_shared)
    s.turn = CHANCE
    s.mover = 0
    s.heads = -1
    s.throws = 0
    s.reason = 0
    s.home[0] = b.coins - mine
    s.home[1] = b.coins - theirs
    s.coins[0] = my_own | my_shared << lowest(b.shared)
    s.coins[1] = their_own | across(b, their_shared << lowest(b.shared))
