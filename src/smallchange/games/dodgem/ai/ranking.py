"""Dodg'em's positions numbered without gaps, for tables of solved positions.

A number stands for the squares of the coins and the player to move; quiet plies and past plies are
left out. A position with green to move has the number of the same position seen from the other side of
the board, where green is red: turned about the centre when the sides face each other, mirrored in the
diagonal when they cross.

Numbers ascend by coins on the board, so the positions with few coins come first: shelf k is those with
k + 2 coins. A position's layer tells which coins have how far to go; moving sideways stays in a layer,
and moving forward leads to a lower one.
"""

from smallchange.core.state import bit, count, lowest

from ..model import CHOOSE, FIRST, LEFT, Board, State
from ..rules import LOSES, WINS, behind, to_go

LAYOUT = 1  # grows when a position gets another number


def same(b: Board, other: Board) -> bool:
    """Do these two boards share their tables? They may differ in the quiet limit."""
    return b.width == other.width and b.home[1] == other.home[1] and b.blocked == other.blocked


def shelves(b: Board) -> int:
    return 2 * b.width - 3


def places(b: Board, shelf: int) -> int:
    """Return the number of positions on the shelves below this one."""
    n = 0
    for mine in range(1, b.width):
        for theirs in range(1, b.width):
            if mine + theirs < shelf + 2:
                n += holds(b, mine, theirs)
    return n


def holds(b: Board, mine: int, theirs: int) -> int:
    """Return the number of positions with this many coins of each side on the board."""
    squares = b.width * b.width
    return CHOOSE[mine][squares] * CHOOSE[theirs][squares - mine]


def flip_side(b: Board, coins: int) -> int:
    """Return these coins as a player sees them who looks at the board from green's side."""
    n = b.width
    seen = 0
    while coins != 0:
        square = lowest(coins)
        coins &= coins - 1
        if b.forward[1] == LEFT:
            seen |= bit(n * n - 1 - square)
        else:
            seen |= bit(square % n * n + square // n)
    return seen


def place(b: Board, s: State) -> int:
    """Return the number of a position in which a player is to move, or -1 if the coins form no position."""
    if is_impossible(b, s):
        return -1
    mine = s.coins[s.turn]
    theirs = s.coins[1 - s.turn]
    if s.turn == 1:
        mine = flip_side(b, mine)
        theirs = flip_side(b, theirs)
    i = 0
    rank = 0
    rest = mine
    while rest != 0:
        i += 1
        rank += CHOOSE[i][lowest(rest)]
        rest &= rest - 1
    j = 0
    among = 0  # the squares without a coin of the mover
    while theirs != 0:
        square = lowest(theirs)
        j += 1
        among += CHOOSE[j][square - count(mine & (bit(square) - 1))]
        theirs &= theirs - 1
    return FIRST[b.width - 3][i - 1][j - 1] + rank * CHOOSE[j][b.width * b.width - i] + among


def is_impossible(b: Board, s: State) -> bool:
    """Return whether the coins form no position.

    That is so if a side has no coins or too many, or if coins overlap or lie off the board.
    """
    red = count(s.coins[0])
    green = count(s.coins[1])
    few = red == 0 or green == 0 or red >= b.width or green >= b.width
    return few or s.coins[0] & s.coins[1] != 0 or (s.coins[0] | s.coins[1]) >> b.width * b.width != 0


def position(b: Board, s: State, i: int, seat: int) -> None:
    """Write position number `i` with `seat` to move; whatever else a state holds is as at the start."""
    s.turn = seat
    s.quiet = 0
    s.plies = 0
    s.winner = 0
    s.reason = 0
    squares = b.width * b.width
    mine = 1
    theirs = 1
    while i >= FIRST[b.width - 3][mine - 1][theirs - 1] + holds(b, mine, theirs):
        if mine < b.width - 1 and theirs > 1:
            mine += 1
            theirs -= 1
        else:  # the next shelf
            coins = mine + theirs + 1
            mine = max(1, coins - b.width + 1)
            theirs = coins - mine
    i -= FIRST[b.width - 3][mine - 1][theirs - 1]
    others = CHOOSE[theirs][squares - mine]
    first = choose_squares(mine, i // others, 0)
    second = choose_squares(theirs, i % others, first)
    s.coins[seat] = first if seat == 0 else flip_side(b, first)
    s.coins[1 - seat] = second if seat == 0 else flip_side(b, second)


def choose_squares(coins: int, rank: int, taken: int) -> int:
    """Return set number `rank` of this many squares, among those that are not taken."""
    squares = 0
    free = 0
    for k in range(coins, 0, -1):
        free = k - 1
        while CHOOSE[k][free + 1] <= rank:
            free += 1
        rank -= CHOOSE[k][free]
        squares |= bit(free)
    found = 0
    free = 0
    square = 0
    while squares != 0:
        if taken & bit(square) == 0:
            if squares & 1 != 0:
                found |= bit(square)
            squares = squares >> 1
        square += 1
    return found


def progress(b: Board, s: State) -> int:
    """Forward moves that both sides still need; layers of equal progress cannot reach one another."""
    return to_go(b, s, 0) + to_go(b, s, 1)


def layers(b: Board) -> int:
    ways = CHOOSE[b.width - 1][2 * b.width - 1]
    return ways * (ways + 1) // 2


def layer(b: Board, s: State) -> int:
    """Return the number of the layer: the multiset of distances to go, whichever side the coins belong to."""
    high = max(distance_rank(b, s, 0), distance_rank(b, s, 1))
    low = min(distance_rank(b, s, 0), distance_rank(b, s, 1))
    return high * (high + 1) // 2 + low


def distance_rank(b: Board, s: State, side: int) -> int:
    """Return the rank of this side's distances, sorted; a coin off the board has distance 0.

    A sideways move or a pass leaves it unchanged, and each forward move makes it smaller.
    """
    k = b.width - 1 - count(s.coins[side])
    rank = 0
    line = b.edge[b.forward[side]]
    for far in range(1, b.width + 1):
        for _ in range(count(s.coins[side] & line)):
            k += 1
            rank += CHOOSE[k][far + k - 1]
        line = behind(b, line, side)
    return rank


def board_squares(b: Board) -> int:
    """Return the number of squares that a coin can stand on."""
    return b.width * b.width


def most_coins(b: Board) -> int:
    """Return the number of coins that a side has at the start."""
    return b.width - 1


def stand(b: Board, s: State, mine: int, theirs: int) -> None:
    """Write the position with these coins of seat 0, which is to move, and those of seat 1."""
    s.turn = 0
    s.quiet = 0
    s.plies = 0
    s.winner = 0
    s.reason = 0
    s.coins[0] = mine
    s.coins[1] = theirs


def side_coins(b: Board, s: State, seat: int) -> int:
    """Return the squares of a seat's coins."""
    return s.coins[seat]


def blocked_value(b: Board) -> int:
    """Return 1 if a blocked player wins, -1 if a blocked player loses, 0 if passing."""
    if b.blocked == WINS:
        return 1
    return -1 if b.blocked == LOSES else 0
