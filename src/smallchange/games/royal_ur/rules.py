"""The rules of the Royal Game of Ur.

Actions: 0 to 4 are the heads of a throw. MOVE + place moves the coin that lies there, as far as the throw
says. Place 0 is beside the board; a square has one place for both sides, its own squares each side's own:

    moon   8  7  6  5        20 19
           9 10 11 12 13 14 15 16
    sun    4  3  2  1        18 17
"""

from smallchange.core.state import CHANCE, OVER, bit, count, lowest

from .model import HOME, MAX_THROWS, WAITING, Board, State

VERSION = 1
MOVE = 5
ACTIONS = MOVE + 21
MOST = 7  # seven coins at seven places
ALL_HOME, THROWN_OUT = 1, 2
REFUGE = 8  # the step of the middle rosette
ROSETTES = (1 << 4) | (1 << REFUGE) | (1 << 14)
SHARED = 0b1_1111_1110_0000  # steps 5 to 12
WEIGHTS = (1, 4, 6, 4, 1)  # by heads


def setup(b: Board, s: State) -> None:
    s.heads = -1
    s.turn = CHANCE


def place(side: int, step: int) -> int:
    """Return the place of a step on a side's way."""
    if step == WAITING:
        return 0
    if step <= 4:
        return step + 4 * side
    if step <= 12:
        return step + 4
    return step + 4 + 2 * side


def step_at(place: int) -> int:
    """Return the step of a place, on the way of either side that comes there."""
    if place == 0:
        return WAITING
    if place <= 8:
        return (place - 1) % 4 + 1
    if place <= 16:
        return place - 4
    return (place - 17) % 2 + 13


def waiting(b: Board, s: State, side: int) -> int:
    """Return the number of a side's coins that have not entered the board."""
    return b.coins - s.home[side] - count(s.coins[side])


def steps_made(s: State, side: int) -> int:
    """Return the number of steps that a side's coins have gone."""
    steps = HOME * s.home[side]
    rest = s.coins[side]
    while rest != 0:
        steps += lowest(rest)
        rest &= rest - 1
    return steps


def capturable(b: Board, s: State, side: int) -> int:
    """Return the steps at which a side's coins can be captured."""
    open_steps = SHARED & ~bit(REFUGE) if b.safe == 1 else SHARED  # UR-5, UR-6
    return s.coins[side] & open_steps


def throws_onto(b: Board, s: State, side: int, step: int) -> int:
    """Return with how many throws in 16 a coin of this side gets to a step, of 5 or more."""
    start = s.coins[side]
    if waiting(b, s, side) > 0:
        start |= bit(WAITING)
    throws = 0
    for heads in range(1, 5):
        if start & bit(step - heads) != 0:
            throws += WEIGHTS[heads]
    return throws


def movable(b: Board, s: State) -> int:
    """Return the steps from which the mover's coins can move as far as the throw says."""
    if s.heads == 0:
        return 0  # UR-3
    start = s.coins[s.mover]
    if waiting(b, s, s.mover) > 0:
        start |= bit(WAITING)
    taken = s.coins[s.mover]  # UR-4
    if b.safe == 1:
        taken |= s.coins[1 - s.mover] & bit(REFUGE)  # UR-6
    in_reach = bit(HOME + 1 - s.heads) - 1  # UR-8
    return start & in_reach & ~(taken >> s.heads)


def legal(b: Board, s: State, out: list[int]) -> int:
    n = 0
    rest = movable(b, s)
    while rest != 0:
        step = lowest(rest)
        rest ^= bit(step)
        out[n] = MOVE + place(s.mover, step)
        n += 1
    return n


def odds(b: Board, s: State, out: list[int], weights: list[int]) -> int:
    for heads in range(5):
        out[heads] = heads
        weights[heads] = WEIGHTS[heads]  # UR-1
    return 5


def source(b: Board, s: State) -> int:
    return s.mover


def play(b: Board, s: State, a: int) -> None:
    if a < MOVE:
        throw(b, s, a)
    else:
        move(b, s, step_at(a - MOVE))


def throw(b: Board, s: State, heads: int) -> None:
    s.heads = heads
    s.throws += 1
    if movable(b, s) != 0:
        s.turn = s.mover
    else:
        next_throw(s, 1 - s.mover)  # UR-3


def move(b: Board, s: State, start: int) -> None:
    side = s.mover
    end = start + s.heads
    s.coins[side] &= ~bit(start)
    if end == HOME:
        s.home[side] += 1
        if s.home[side] == b.coins:
            finish(s, ALL_HOME)  # UR-9
        else:
            next_throw(s, 1 - side)
        return
    s.coins[side] |= bit(end)
    s.coins[1 - side] &= ~(bit(end) & SHARED)  # UR-5
    next_throw(s, side if ROSETTES & bit(end) != 0 else 1 - side)  # UR-7


def next_throw(s: State, side: int) -> None:
    s.mover = side
    s.turn = CHANCE
    if s.throws == MAX_THROWS:
        finish(s, THROWN_OUT)  # UR-10


def finish(s: State, reason: int) -> None:
    s.reason = reason
    s.turn = OVER


def score(b: Board, s: State, seat: int) -> int:
    """1 for a win, 0 for a draw, -1 for a loss."""
    if s.reason == THROWN_OUT:
        return 0
    return 1 if s.home[seat] == b.coins else -1
