"""The rules of Solo.

Squares are those of `model.py`, tiles are 5 * suit + value - 1, suits are 0..3 (S M C A). The actions:

    PAWN + suit                  chance: the next pawn of the order
    LAID + 20 * square + tile    chance: the tile of a square
    SHIFT + 20 * from + to       a free move; DONE with them
    DIE + 6 * suit + face        chance: the random die
    CHOOSE + square              a tile chosen, after a null or on entering
    FLIP + value                 chance: the top coin
    TO + square                  a move
    RETIRE, ANYWHERE             .. or a rescue by a random die
    RESCUE + square              a rescue by staying or stepping
"""

from smallchange.core.state import CHANCE, OVER, bit, count, lowest

from .model import Board, State

VERSION = 3
PAWN, LAID, SHIFT, DONE, DIE, CHOOSE = 0, 4, 404, 804, 805, 829
FLIP, TO, RETIRE, ANYWHERE, RESCUE, ACTIONS = 849, 855, 875, 876, 877, 897
MOST = 33  # free moves from eight stacks to four sides each, or done

ORDER, LAY, FREE, THROW, PICK, COIN, MOVE, PLIGHT, ENTER = 0, 1, 2, 3, 4, 5, 6, 7, 8
NULL, EMPTY, STUCK = 1, 2, 3
RANDOM_DIE, SUIT_COINS = 2, 3  # in board.SOURCES


def setup(b: Board, s: State) -> None:
    for i in range(20):
        s.tile[i] = -1
    for i in range(4):
        s.order[i] = -1
        s.aces[i] = -1
    s.at = -1
    s.free = b.free_moves
    s.step = ORDER
    s.turn = CHANCE


def aces_found(s: State) -> int:
    """Return the number of aces that have been flipped."""
    n = 0
    for suit in range(4):
        n += (s.seen[suit] >> 1) & 1
    return n


def coins_left(s: State) -> int:
    """Return the number of coins on the board."""
    return count(s.coins[0]) + count(s.coins[1]) + count(s.coins[2])


def height(s: State, square: int) -> int:
    """Return the number of coins on a square."""
    return (s.coins[0] >> square & 1) + (s.coins[1] >> square & 1) + (s.coins[2] >> square & 1)


def kind(s: State, square: int) -> int:
    """Return the suit of the coins on a square that has some."""
    suit = 0
    while s.suit[suit] & bit(square) == 0:
        suit += 1
    return suit


def append_squares(first: int, squares: int, out: list[int], n: int) -> int:
    """Append `first` + each of the squares to `out`, which holds `n`."""
    while squares != 0:
        square = lowest(squares)
        squares ^= bit(square)
        out[n] = first + square
        n += 1
    return n


def legal(b: Board, s: State, out: list[int]) -> int:
    if s.step == FREE:
        n = 0
        for square in range(20):
            n = append_squares(SHIFT + 20 * square, shifts(b, s, square), out, n)
        out[n] = DONE
        return n + 1
    if s.step == PLIGHT:
        out[0] = RETIRE
        out[1] = ANYWHERE
        squares = b.near[s.at] | bit(s.at)  # SO-9
        if b.rescue_any == 0:
            squares &= s.coins[0]  # SO-10
        return append_squares(RESCUE, squares, out, 2)
    if s.step == MOVE:
        return append_squares(TO, ends(b, s), out, 0)
    return append_squares(CHOOSE, entries(b, s) if s.step == ENTER else bit(20) - 1, out, 0)  # SO-15


def shifts(b: Board, s: State, square: int) -> int:
    """Return the squares that the top coin of a square may be moved to for free."""
    if s.coins[1] & bit(square) == 0:  # SO-1
        return 0
    if b.stack == 0:
        return b.near[square] & ~s.coins[0]
    bare = tiles_without_coins(s)  # SO-18
    if bare & bit(square) != 0:
        return 0
    return b.near[square] & bare & (~s.coins[0] | s.suit[kind(s, square)])


def tiles_without_coins(s: State) -> int:
    """Return the squares that had no coin at the start: those of the aces and the twos."""
    squares = 0
    for square in range(20):
        if s.tile[square] % 5 < 2:
            squares |= bit(square)
    return squares


def ends(b: Board, s: State) -> int:
    """Return the squares that the pawn may move to with the number it flipped."""
    reached = b.reach[20 * (s.flipped - 1) + s.at]
    return reached & s.coins[0] if reached & s.coins[0] != 0 else reached  # SO-2


def entries(b: Board, s: State) -> int:
    """Return the squares that the next pawn may enter: of its suit, with a coin and the closest number."""
    number = s.tile[s.at] % 5  # SO-16
    lower = -5
    higher = 10
    low_square = 0
    high_square = 0
    for square in range(20):
        if s.tile[square] // 5 == s.order[s.pawn] and s.coins[0] & bit(square) != 0:
            value = s.tile[square] % 5
            if lower < value <= number:
                lower = value
                low_square = bit(square)
            if number <= value < higher:
                higher = value
                high_square = bit(square)
    if b.choose_entry == 1 and lower < number:  # SO-17
        return low_square | high_square
    if number - lower < higher - number:
        return low_square
    if higher - number < number - lower:
        return high_square
    return low_square | high_square


def source(b: Board, s: State) -> int:
    if s.step == COIN:
        return SUIT_COINS + kind(s, s.at)
    return RANDOM_DIE if s.step == THROW else s.step


def odds(b: Board, s: State, out: list[int], weights: list[int]) -> int:
    if s.step == ORDER:
        n = append_squares(PAWN, 15 & ~drawn_pawns(s), out, 0)
    elif s.step == LAY:
        tiles = bit(20) - 1
        for square in range(where(s, -1)):
            tiles ^= bit(s.tile[square])
        n = append_squares(LAID + 20 * where(s, -1), tiles, out, 0)
    elif s.step == THROW:
        n = append_squares(DIE, bit(24) - 1, out, 0)
    else:
        n = append_squares(FLIP, 63 & ~s.seen[kind(s, s.at)], out, 0)
    for i in range(n):
        weights[i] = 1
    return n


def drawn_pawns(s: State) -> int:
    """Return the suits of the pawns already in the order."""
    suits = 0
    for i in range(4):
        if s.order[i] >= 0:
            suits |= bit(s.order[i])
    return suits


def where(s: State, tile: int) -> int:
    """Return the square of a tile; for tile -1, the next square without a tile."""
    square = 0
    while s.tile[square] != tile:
        square += 1
    return square


def play(b: Board, s: State, a: int) -> None:
    if a < LAID:
        s.order[count(drawn_pawns(s))] = a
        if s.order[3] >= 0:
            s.step = LAY
    elif a < SHIFT:
        lay(b, s, (a - LAID) // 20, (a - LAID) % 20)
    elif a < DONE:
        shift(b, s, (a - SHIFT) // 20, (a - SHIFT) % 20)
    elif a == DONE:
        throw(s)
    elif a < CHOOSE and (a - DIE) % 6 == 0:
        ask(s, PICK)  # SO-15
    elif a < CHOOSE:
        arrive(b, s, where(s, 5 * ((a - DIE) // 6) + (a - DIE) % 6 - 1))
    elif a < FLIP:
        arrive(b, s, a - CHOOSE)
    elif a < TO:
        flip(b, s, a - FLIP)
    elif a < RETIRE:
        arrive(b, s, a - TO)
    elif a == RETIRE:
        retire(b, s)
    else:
        s.spent += 1
        if a == ANYWHERE:
            throw(s)
        else:
            arrive(b, s, a - RESCUE)


def lay(b: Board, s: State, square: int, tile: int) -> None:
    """Lay a tile; after the last one, stack the coins and offer the free moves."""
    s.tile[square] = tile
    for level in range(3):
        if tile % 5 >= 2 + level:  # one coin on a three, two on a four, three on a five
            s.coins[level] |= bit(square)
    if tile % 5 >= 2:
        s.suit[tile // 5] |= bit(square)
    if square == 19:
        offer(b, s)


def offer(b: Board, s: State) -> None:
    """Ask for a free move if there is one, else throw for the first pawn."""
    possible = 0
    for square in range(20):
        possible |= shifts(b, s, square)
    if s.free > 0 and possible != 0:
        ask(s, FREE)
    else:
        throw(s)


def ask(s: State, step: int) -> None:
    """Let the player decide next, at this step."""
    s.step = step
    s.turn = 0


def shift(b: Board, s: State, start: int, end: int) -> None:
    suit = kind(s, start)
    take(s, start)
    s.coins[height(s, end)] |= bit(end)
    s.suit[suit] |= bit(end)
    s.free -= 1
    offer(b, s)


def take(s: State, square: int) -> None:
    """Take the top coin of a square."""
    level = height(s, square) - 1
    s.coins[level] ^= bit(square)
    if level == 0:
        s.suit[kind(s, square)] ^= bit(square)


def throw(s: State) -> None:
    s.free = 0
    s.why = 0
    s.step = THROW
    s.turn = CHANCE


def arrive(b: Board, s: State, square: int) -> None:
    """Put the pawn on a square, and flip the top coin there if it has one."""
    if s.coins[0] & bit(square) != 0:
        stand(s, square)
    else:
        s.at = square
        perish(b, s, EMPTY)


def stand(s: State, square: int) -> None:
    """Put the pawn on a coin, which is flipped next."""
    s.at = square
    s.why = 0
    s.step = COIN
    s.turn = CHANCE


def flip(b: Board, s: State, value: int) -> None:
    suit = kind(s, s.at)
    if value == 1:
        s.aces[aces_found(s)] = suit
    s.seen[suit] |= bit(value)
    s.flipped = value
    take(s, s.at)
    if s.coins[0] == 0:
        s.turn = OVER  # SO-14
    elif value == 0:
        perish(b, s, NULL)
    elif ends(b, s) == 0:
        perish(b, s, STUCK)  # SO-3
    else:
        ask(s, MOVE)


def perish(b: Board, s: State, why: int) -> None:
    """Retire the pawn, unless an ace is held to rescue it."""
    if aces_found(s) > s.spent:
        s.why = why
        ask(s, PLIGHT)
    else:
        retire(b, s)  # SO-11


def retire(b: Board, s: State) -> None:
    """Retire the pawn, and let the next one enter."""
    s.why = 0
    s.pawn += 1
    while s.pawn < 4 and entries(b, s) == 0:
        s.pawn += 1  # SO-12
    if s.pawn == 4:
        s.turn = OVER
    elif count(entries(b, s)) > 1:
        ask(s, ENTER)
    else:
        stand(s, lowest(entries(b, s)))  # SO-13


def score(b: Board, s: State, seat: int) -> int:
    """Minus the coins left on the board: 0 is best."""
    return -coins_left(s)
