"""The rules of Dodg'em.

An action is `first_action(square)` + direction: 0 left, 1 down, 2 up, 3 right, 4 off the board. PASS is the
one other action. Its number is that behind the last square of 6 x 6, which was the largest board.
"""

from smallchange.core.state import OVER, bit, count, lowest

from .model import Board, State

VERSION = 1
ACTIONS = 49 * 5 + 1
MOST = 18  # six coins, three ways each
OFF = 4
PASS = 36 * 5
HOME, QUIET, BLOCKED = 1, 2, 3
PASSES, WINS, LOSES = 0, 1, 2


def setup(b: Board, s: State) -> None:
    s.coins[0] = b.home[0]
    s.coins[1] = b.home[1]
    s.turn = 0


def first_action(square: int) -> int:
    """Return the number of a square's first action."""
    return 5 * square if 5 * square < PASS else 5 * square + 1


def origin(a: int) -> int:
    """Return the square of an action that is not PASS."""
    return a // 5 if a < PASS else (a - 1) // 5


def direction(a: int) -> int:
    """Return the direction of an action that is not PASS."""
    return a % 5 if a < PASS else (a - 1) % 5


def free(b: Board, s: State, side: int, way: int) -> int:
    """Return the coins of a side that may step this way on the board."""
    taken = s.coins[0] | s.coins[1]
    step = b.step[way]
    blocked = taken >> step if step > 0 else taken << -step
    return s.coins[side] & ~b.edge[way] & ~blocked


def leaving(b: Board, s: State, side: int) -> int:
    """Return the coins of a side that may leave the board."""
    return s.coins[side] & b.edge[b.forward[side]]


def ahead(b: Board, s: State, side: int) -> int:
    """Return the coins of a side that may go forward, off the board or on it."""
    return free(b, s, side, b.forward[side]) | leaving(b, s, side)


def behind(b: Board, line: int, side: int) -> int:
    """Return a line of squares across a side's way, one step further back."""
    step = b.step[b.forward[side]]
    return line >> step if step > 0 else line << -step


def to_go(b: Board, s: State, side: int) -> int:
    """Return the number of forward moves that a side's coins still need."""
    moves = 0
    line = b.edge[b.forward[side]]
    for far in range(1, b.width + 1):
        moves += far * count(s.coins[side] & line)
        line = behind(b, line, side)
    return moves


def legal(b: Board, s: State, out: list[int]) -> int:
    side = s.turn
    way0 = b.ways[3 * side]
    way1 = b.ways[3 * side + 1]
    way2 = b.ways[3 * side + 2]
    free0 = free(b, s, side, way0)
    free1 = free(b, s, side, way1)
    free2 = free(b, s, side, way2)
    off = leaving(b, s, side)
    rest = free0 | free1 | free2 | off
    n = 0
    while rest != 0:
        square = lowest(rest)
        coin = bit(square)
        rest ^= coin
        first = first_action(square)
        if free0 & coin != 0:
            out[n] = first + way0
            n += 1
        if free1 & coin != 0:
            out[n] = first + way1
            n += 1
        if free2 & coin != 0:
            out[n] = first + way2
            n += 1
        if off & coin != 0:
            out[n] = first + OFF
            n += 1
    if n == 0 and b.blocked == PASSES:
        out[0] = PASS  # DG-3
        n = 1
    return n


def movable(b: Board, s: State, side: int) -> int:
    """Return the coins of a side that may move."""
    coins = leaving(b, s, side)
    for i in range(3):
        coins |= free(b, s, side, b.ways[3 * side + i])
    return coins


def odds(b: Board, s: State, out: list[int], weights: list[int]) -> int:
    return 0  # no chance in this game


def source(b: Board, s: State) -> int:
    return 0


def play(b: Board, s: State, a: int) -> None:
    side = s.turn
    s.plies += 1
    s.quiet += 1
    if a != PASS:
        square = origin(a)
        way = direction(a)
        s.coins[side] ^= bit(square)
        if way == OFF or way == b.forward[side]:
            s.quiet = 0
        if way != OFF:
            s.coins[side] |= bit(square + b.step[way])
        elif s.coins[side] == 0:
            finish(s, side, HOME)  # DG-6
            return
    if s.quiet >= b.quiet_limit:
        finish(s, -1, QUIET)  # DG-4
        return
    s.turn = 1 - side
    if b.blocked != PASSES and movable(b, s, 1 - side) == 0:
        finish(s, 1 - side if b.blocked == WINS else side, BLOCKED)  # DG-7


def finish(s: State, winner: int, reason: int) -> None:
    s.winner = winner
    s.reason = reason
    s.turn = OVER


def score(b: Board, s: State, seat: int) -> int:
    """1 for a win, 0 for a draw, -1 for a loss."""
    if s.winner == -1:
        return 0
    return 1 if s.winner == seat else -1
