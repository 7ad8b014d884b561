"""The rules of Coin Age.

Ranks are 0 to 3, a space is its number on the board. Actions: END; MAP + map; TOSS + 2 * rank + side;
PAY + rank; CAPTURE + space; PLACE + 16 * rank + space; MOVE + 16 * start + end.
"""

from smallchange.core.state import CHANCE, OVER, bit, count, lowest

from .model import Board, State

VERSION = 2
END, MAP, TOSS, PAY, CAPTURE, PLACE, MOVE = 0, 1, 5, 13, 17, 33, 97
ACTIONS = 353
MOST = 69  # four coins on any of 16 spaces, four to pay, and the end
FULL, BANK, QUIET = 1, 2, 3
START = (4, 3, 2, 1)  # by rank: coins in a bank at the start
PLACES = (0, 1, 2, 2, 2)  # by matches: how many coins may be placed


def setup(b: Board, s: State) -> None:
    for rank in range(4):
        s.bank[rank] = START[rank]
        s.bank[4 + rank] = START[rank]
    s.map = 0 if b.maps == 1 else -1
    s.turn = CHANCE


def occupied_spaces(s: State, ranks: int) -> int:
    """Return the spaces with a coin of one of the smallest `ranks` ranks."""
    spaces = 0
    for rank in range(ranks):
        spaces |= s.coins[rank] | s.coins[4 + rank]
    return spaces


def empty(b: Board, s: State) -> int:
    return b.on[s.map] & ~occupied_spaces(s, 4)


def controlled_spaces(s: State, side: int) -> int:
    """Return the spaces whose top coin shows this side."""
    spaces = 0
    for rank in range(4):
        spaces |= s.coins[4 * side + rank] & ~occupied_spaces(s, rank)
    return spaces


def payable(s: State) -> int:
    """Return the ranks that may be paid now."""
    return s.match if s.matches == 4 and s.paid == 0 else 0  # CA-5


def capturable(s: State) -> int:
    """Return the spaces whose top coin may be captured now."""
    return occupied_spaces(s, 4) if s.matches == 0 and s.captured == 0 else 0  # CA-1


def placeable(b: Board, s: State, rank: int) -> int:
    """Return the spaces where a coin of this rank may be placed now."""
    if s.match & bit(rank) == 0 or s.placed >= PLACES[s.matches] + s.paid:  # CA-5
        return 0
    return b.on[s.map] & ~occupied_spaces(s, rank + 1)  # CA-3


def movable(b: Board, s: State) -> int:
    """Return the spaces whose coins may move now."""
    spaces = 0
    if s.matches < 2 and s.moved == 0:
        free = empty(b, s)
        rest = occupied_spaces(s, 4)  # CA-1
        while rest != 0:
            space = lowest(rest)
            rest ^= bit(space)
            if b.near[16 * s.map + space] & free != 0:
                spaces |= bit(space)
    return spaces


def append_spaces(out: list[int], n: int, first: int, mask: int) -> int:
    """Write `first` + each element of the mask into `out` from place `n` on; the new end."""
    rest = mask
    while rest != 0:
        element = lowest(rest)
        rest ^= bit(element)
        out[n] = first + element
        n += 1
    return n


def legal(b: Board, s: State, out: list[int]) -> int:
    out[0] = END
    n = append_spaces(out, 1, PAY, payable(s))
    n = append_spaces(out, n, CAPTURE, capturable(s))
    for rank in range(4):
        n = append_spaces(out, n, PLACE + 16 * rank, placeable(b, s, rank))
    free = empty(b, s)
    starts = movable(b, s)
    while starts != 0:
        space = lowest(starts)
        starts ^= bit(space)
        n = append_spaces(out, n, MOVE + 16 * space, b.near[16 * s.map + space] & free)
    return n


def must_end_turn(b: Board, s: State) -> bool:
    """Return whether the mover can only end the turn."""
    left = payable(s) | capturable(s) | movable(b, s)
    for rank in range(4):
        left |= placeable(b, s, rank)
    return left == 0


def next_toss(s: State) -> int:
    """Return the smallest rank in the mover's bank that is not tossed yet, or 4."""
    for rank in range(4):
        if s.bank[4 * s.mover + rank] > 0 and s.tossed & bit(rank) == 0:  # CA-4
            return rank
    return 4


def odds(b: Board, s: State, out: list[int], weights: list[int]) -> int:
    first = MAP if s.map == -1 else TOSS + 2 * next_toss(s)
    n = 4 if s.map == -1 else 2
    for i in range(n):
        out[i] = first + i
        weights[i] = 1
    return n


def source(b: Board, s: State) -> int:
    return 8 if s.map == -1 else 4 * s.mover + next_toss(s)


def play(b: Board, s: State, a: int) -> None:
    if a == END:
        end_turn(b, s)
    elif a < TOSS:
        s.map = a - MAP
    elif a < PAY:
        toss(s, (a - TOSS) // 2, (a - TOSS) % 2)
    elif a < CAPTURE:
        pay(s, a - PAY)
    elif a < PLACE:
        capture(s, a - CAPTURE)
    elif a < MOVE:
        place(b, s, (a - PLACE) // 16, (a - PLACE) % 16)
    else:
        move(s, (a - MOVE) // 16, (a - MOVE) % 16)
    if s.turn >= 0 and must_end_turn(b, s):
        end_turn(b, s)  # CA-6


def toss(s: State, rank: int, side: int) -> None:
    s.tossed |= bit(rank)
    if side == 1:
        s.tails |= bit(rank)
    if side == s.mover:
        s.match |= bit(rank)
        s.matches += 1
    if next_toss(s) == 4:
        s.turn = s.mover


def pay(s: State, rank: int) -> None:
    s.match ^= bit(rank)
    s.paid = 1
    s.bank[4 * s.mover + rank] -= 1
    s.bank[4 * (1 - s.mover) + rank] += 1  # CA-2


def capture(s: State, space: int) -> None:
    s.captured = 1
    coin = bit(space)
    for rank in range(4):
        if (s.coins[rank] | s.coins[4 + rank]) & coin != 0:
            s.coins[rank] &= ~coin
            s.coins[4 + rank] &= ~coin
            s.bank[4 * s.mover + rank] += 1  # CA-2
            return


def place(b: Board, s: State, rank: int, space: int) -> None:
    s.match ^= bit(rank)
    s.placed += 1
    s.bank[4 * s.mover + rank] -= 1
    s.coins[4 * s.mover + rank] |= bit(space)
    left = 0
    for kind in range(4):
        left += s.bank[4 * s.mover + kind]
    if empty(b, s) == 0:  # CA-7
        finish(s, FULL)
    elif left == 0:
        finish(s, BANK)


def move(s: State, start: int, end: int) -> None:
    s.moved = 1
    for i in range(8):
        if s.coins[i] & bit(start) != 0:
            s.coins[i] ^= bit(start) | bit(end)


def end_turn(b: Board, s: State) -> None:
    s.quiet = 0 if s.placed > 0 else s.quiet + 1  # CA-10
    if s.quiet == b.quiet_limit:
        finish(s, QUIET)
        return
    s.turn = CHANCE
    s.mover = 1 - s.mover
    s.tossed = 0
    s.tails = 0
    s.match = 0
    s.matches = 0
    s.placed = 0
    s.paid = 0
    s.captured = 0
    s.moved = 0


def finish(s: State, reason: int) -> None:
    s.reason = reason
    s.turn = OVER


def owned_spaces(b: Board, s: State, side: int) -> int:
    """Return the spaces in regions that belong to this side."""
    mine = controlled_spaces(s, side)
    theirs = controlled_spaces(s, 1 - side)
    spaces = 0
    for i in range(b.regions[s.map]):
        region = b.region[16 * s.map + i]
        if count(mine & region) > count(theirs & region):  # CA-8
            spaces |= region
    return spaces


def points(b: Board, s: State, side: int) -> int:
    """Return the points of a side if the game ended now."""
    total = points_on(b, s, side, b.on[s.map])
    for rank in range(4):
        total += s.bank[4 * side + rank]
    return total


def points_on(b: Board, s: State, side: int, spaces: int) -> int:
    """Return the points of a side on these spaces if the game ended now."""
    doubled = owned_spaces(b, s, side)
    total = 0
    for rank in range(4):
        seen = spaces & s.coins[4 * side + rank] & ~occupied_spaces(s, rank)  # CA-9
        total += (rank + 1) * (count(seen) + count(seen & doubled))
    return total


def bank_value(s: State, side: int) -> int:
    """Return the total rank of the coins in a bank."""
    total = 0
    for rank in range(4):
        total += (rank + 1) * s.bank[4 * side + rank]
    return total


def score(b: Board, s: State, seat: int) -> int:
    """1 for a win, 0 for a draw, -1 for a loss."""
    lead = points(b, s, seat) - points(b, s, 1 - seat)
    if lead == 0:
        lead = bank_value(s, seat) - bank_value(s, 1 - seat)  # CA-9
    return min(max(lead, -1), 1)
