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

from ..model import LEFT, Board, State
from ..rules import LOSES, WINS, behind, to_go

LAYOUT = 1  # grows when a position gets another number
CHOOSE = (  # CHOOSE[k][n]: how many sets of k squares there are among n
    (
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
    ),
    (
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
        26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49
    ),
    (
        0, 0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105, 120, 136, 153, 171, 190, 210, 231,
        253, 276, 300, 325, 351, 378, 406, 435, 465, 496, 528, 561, 595, 630, 666, 703, 741, 780, 820,
        861, 903, 946, 990, 1035, 1081, 1128, 1176
    ),
    (
        0, 0, 0, 1, 4, 10, 20, 35, 56, 84, 120, 165, 220, 286, 364, 455, 560, 680, 816, 969, 1140, 1330,
        1540, 1771, 2024, 2300, 2600, 2925, 3276, 3654, 4060, 4495, 4960, 5456, 5984, 6545, 7140, 7770,
        8436, 9139, 9880, 10660, 11480, 12341, 13244, 14190, 15180, 16215, 17296, 18424
    ),
    (
        0, 0, 0, 0, 1, 5, 15, 35, 70, 126, 210, 330, 495, 715, 1001, 1365, 1820, 2380, 3060, 3876, 4845,
        5985, 7315, 8855, 10626, 12650, 14950, 17550, 20475, 23751, 27405, 31465, 35960, 40920, 46376,
        52360, 58905, 66045, 73815, 82251, 91390, 101270, 111930, 123410, 135751, 148995, 163185,
        178365, 194580, 211876
    ),
    (
        0, 0, 0, 0, 0, 1, 6, 21, 56, 126, 252, 462, 792, 1287, 2002, 3003, 4368, 6188, 8568, 11628,
        15504, 20349, 26334, 33649, 42504, 53130, 65780, 80730, 98280, 118755, 142506, 169911, 201376,
        237336, 278256, 324632, 376992, 435897, 501942, 575757, 658008, 749398, 850668, 962598, 1086008,
        1221759, 1370754, 1533939, 1712304, 1906884
    ),
    (
        0, 0, 0, 0, 0, 0, 1, 7, 28, 84, 210, 462, 924, 1716, 3003, 5005, 8008, 12376, 18564, 27132,
        38760, 54264, 74613, 100947, 134596, 177100, 230230, 296010, 376740, 475020, 593775, 736281,
        906192, 1107568, 1344904, 1623160, 1947792, 2324784, 2760681, 3262623, 3838380, 4496388,
        5245786, 6096454, 7059052, 8145060, 9366819, 10737573, 12271512, 13983816
    ),
)  # fmt: skip
FIRST = (  # FIRST[width - 3][mine - 1][theirs - 1]: the first number with so many coins of each
    (
        (0, 72, 0, 0, 0, 0),
        (324, 576, 0, 0, 0, 0),
        (0, 0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0, 0),
    ),
    (
        (0, 240, 3600, 0, 0, 0),
        (1920, 10880, 29080, 0, 0, 0),
        (21800, 72760, 116440, 0, 0, 0),
        (0, 0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0, 0),
    ),
    (
        (0, 600, 14400, 191500, 0, 0),
        (7500, 65000, 457150, 1785400, 0, 0),
        (140900, 988450, 4441900, 10640400, 0, 0),
        (1519750, 7983900, 27464900, 44289400, 0, 0),
        (0, 0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0, 0),
    ),
    (
        (0, 1260, 44100, 868770, 12178530, 0),
        (22680, 279720, 2753730, 23865282, 132941634, 0),
        (633150, 6523650, 53082162, 308242914, 1067881794, 0),
        (10293570, 92038002, 600411714, 2762460834, 6575263674, 0),
        (121254882, 892580514, 4880684634, 18437316954, 30299370234, 0),
        (0, 0, 0, 0, 0, 0),
    ),
    (
        (0, 2352, 112896, 3079160, 60285680, 927282272),
        (57624, 960400, 12613580, 144188576, 1528586360, 11750755856),
        (2231656, 31682420, 353945816, 3332498624, 24378141704, 119083535564),
        (50751260, 633622136, 6339019064, 49632913400, 291657808820, 981954901844),
        (843379376, 9345539504, 81201378020, 550519218704, 2707697634404, 6504331646036),
        (11149451768, 106456149716, 809380628588, 4778588913476, 19965124960004, 33425918273972),
    ),
)  # fmt: skip


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
