"""The rules of the Royal Game of Ur.

Actions: 0 to 4 are the squares that a throw is worth. MOVE + place moves the coin that lies there, as far as the
throw says. Place 0 is beside the board; a square has one place for both sides, its own squares each side's own:

    moon   8  7  6  5        20 19
           9 10 11 12 13 14 15 16               on Aseb's board: 17 18 19 20
    sun    4  3  2  1        18 17
"""

from smallchange.core.state import CHANCE, OVER, bit, count, lowest

from .model import LONGEST, MAX_THROWS, PLACES, WAITING, Board, State

VERSION = 1
MOVE = 5
ACTIONS = MOVE + PLACES
MOST = 7  # seven coins at seven places
ALL_HOME, THROWN_OUT = 1, 2
WEIGHTS = ((1, 4, 6, 4, 1), (0, 6, 6, 2, 2))  # by dice and squares, in 16


def setup(b: Board, s: State) -> None:
    s.heads = -1
    s.turn = CHANCE


def place(b: Board, side: int, step: int) -> int:
    """Return the place of a step on a side's way."""
    return b.places[side * (LONGEST + 1) + step]


def step_at(b: Board, side: int, place: int) -> int:
    """Return the step of a place on a side's way."""
    return b.steps[side * PLACES + place]


def across(b: Board, steps: int) -> int:
    """Return shared steps of one side as those of the other on the same squares."""
    there = 0
    rest = steps & b.shared
    while rest != 0:
        there |= bit(b.across[lowest(rest)])
        rest &= rest - 1
    return there


def waiting(b: Board, s: State, side: int) -> int:
    """Return the number of a side's coins that have not entered the board."""
    return b.coins - s.home[side] - count(s.coins[side])


def steps_made(b: Board, s: State, side: int) -> int:
    """Return the number of steps that a side's coins have gone."""
    steps = b.goal * s.home[side]
    rest = s.coins[side]
    while rest != 0:
        steps += lowest(rest)
        rest &= rest - 1
    return steps


def capturable(b: Board, s: State, side: int) -> int:
    """Return the steps at which a side's coins can be captured."""
    open_steps = b.shared & ~b.rosettes if b.safe == 1 else b.shared  # UR-5, UR-6
    return s.coins[side] & open_steps


def throws_onto(b: Board, s: State, side: int, step: int) -> int:
    """Return with how many throws in 16 a coin of this side gets to a step of its way, of 5 or more."""
    start = s.coins[side]
    if waiting(b, s, side) > 0:
        start |= bit(WAITING)
    throws = 0
    for heads in range(1, 5):
        if start & bit(step - heads) != 0:
            throws += WEIGHTS[b.dice][heads]
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
        taken |= across(b, s.coins[1 - s.mover] & b.rosettes)  # UR-6
    in_reach = bit(b.goal + 1 - s.heads) - 1  # UR-8
    return start & in_reach & ~(taken >> s.heads)


def legal(b: Board, s: State, out: list[int]) -> int:
    places = 0
    rest = movable(b, s)
    while rest != 0:
        places |= bit(place(b, s.mover, lowest(rest)))
        rest &= rest - 1
    n = 0
    while places != 0:
        out[n] = MOVE + lowest(places)
        places &= places - 1
        n += 1
    return n


def odds(b: Board, s: State, out: list[int], weights: list[int]) -> int:
    n = 0
    for heads in range(b.dice, 5):  # UR-1, UR-13
        out[n] = heads
        weights[n] = WEIGHTS[b.dice][heads]
        n += 1
    return n


def source(b: Board, s: State) -> int:
    return s.mover


def play(b: Board, s: State, a: int) -> None:
    if a < MOVE:
        throw(b, s, a)
    else:
        move(b, s, step_at(b, s.mover, a - MOVE))


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
    if end == b.goal:
        s.home[side] += 1
        if s.home[side] == b.coins:
            finish(s, ALL_HOME)  # UR-9
        else:
            next_throw(s, 1 - side)
        return
    s.coins[side] |= bit(end)
    captured = s.coins[1 - side] & across(b, bit(end))  # UR-5
    s.coins[1 - side] &= ~captured
    again = b.rosettes & bit(end) != 0 or (captured != 0 and b.capture_again == 1)  # UR-7, UR-14
    next_throw(s, side if again else 1 - side)


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
