"""What a learner sees of Solo: the coins left and how they lead on to each other, pawns, the next flip."""

from smallchange.state import bit, count, lowest

from .board import Board, State
from .rules import COIN, MOVE, PICK, PLIGHT, found, kind, left

REST = 0  # coins left, 0 to 24
PLAYER = 25  # which pawn plays, 0 to 4
HELD = 30  # aces to rescue with, 0 to 4
STAGE = 35  # which step, 0 to 8
CAUSE = 44  # why the pawn must be retired, 0 to 3
SPARE = 48  # free moves left, 0 to 4
HIGH = 53  # squares with coins; with two; with three
EXITS = 56  # .. + numbers (0 to 5) that lead on from a square with coins: how many squares
HOPE = 62  # .. + sixths of its unseen coins that lead on (0 to 6)
ENTRANCES = 69  # .. + squares (0 to 5) that lead to it
PAIRS = 75  # numbers that lead on, over all squares
SEEN = 76  # coins seen, over the suits; nulls; aces
NEXT = 79  # pawns to come with no tile of theirs left that has a coin; with one; with more
COMING = 82  # the next pawn's tiles with coins, 0 to 4
TOP = 87  # of the coin about to be flipped: sixths that lead on (0 to 6)
NULL_LIKELY = 94  # .. sixths that are null, 0 to 6
CHOICE = 101  # .. coins it leads on to, summed over the numbers
LAST = 102  # .. is it the last coin of its square, and does that cut a square off?
LONE = 104  # squares with coins that none leads to, 0 to 4
FEATURES = 109


def settled(b: Board, s: State) -> bool:
    """Can a player's action be judged by what it led to? Where another choice follows that is tried first."""
    return s.step != PLIGHT and s.step != MOVE and s.step != PICK


def features(b: Board, s: State, seat: int, out: list[int]) -> None:
    """Write the FEATURES numbers that describe a state."""
    for i in range(FEATURES):
        out[i] = 0
    out[REST + left(s)] = 1
    out[PLAYER + s.pawn] = 1
    out[HELD + min(4, max(0, found(s) - s.spent))] = 1
    out[STAGE + s.step] = 1
    out[CAUSE + s.why] = 1
    out[SPARE + min(4, s.free)] = 1
    for level in range(3):
        out[HIGH + level] = count(s.coins[level])
    for suit in range(4):
        out[SEEN] += count(s.seen[suit])
        out[SEEN + 1] += s.seen[suit] & 1
        out[SEEN + 2] += (s.seen[suit] >> 1) & 1
    web(b, s, out)
    coming(s, out)
    if s.step == COIN and s.at >= 0:
        next_flip(b, s, out)


def web(b: Board, s: State, out: list[int]) -> None:
    """How the squares with coins lead on to each other."""
    lone = 0
    rest = s.coins[0]
    while rest != 0:
        square = lowest(rest)
        rest ^= bit(square)
        exits = ways_from(b, s.coins[0] & ~bit(square), square)
        unseen = 63 & ~s.seen[kind(s, square)]
        out[EXITS + count(exits)] += 1
        out[PAIRS] += count(exits)
        out[HOPE + 6 * count(unseen & (exits << 1)) // max(1, count(unseen))] += 1
        entrances = 0
        others = s.coins[0] & ~bit(square)
        while others != 0:
            if ways_from(b, bit(square), lowest(others)) != 0:
                entrances += 1
            others &= others - 1
        out[ENTRANCES + min(5, entrances)] += 1
        if entrances == 0:
            lone += 1
    out[LONE + min(4, lone)] = 1


def ways_from(b: Board, goal: int, square: int) -> int:
    """The numbers, bit 0 the ace, that lead from a square to one of the goal."""
    found_ways = 0
    for k in range(5):
        if b.reach[20 * k + square] & goal != 0:
            found_ways |= bit(k)
    return found_ways


def coming(s: State, out: list[int]) -> None:
    """The pawns to come, by their tiles that still have coins."""
    first = True
    for i in range(s.pawn + 1, 4):
        if s.order[i] < 0:
            continue
        tiles = 0
        for square in range(20):
            if s.tile[square] >= 0 and s.tile[square] // 5 == s.order[i] and s.coins[0] & bit(square) != 0:
                tiles += 1
        out[NEXT + min(2, tiles)] += 1
        if first:
            out[COMING + min(4, tiles)] = 1
            first = False


def next_flip(b: Board, s: State, out: list[int]) -> None:
    """What the coin about to be flipped may bring."""
    unseen = 63 & ~s.seen[kind(s, s.at)]
    n = max(1, count(unseen))
    last = s.coins[1] & bit(s.at) == 0
    goal = s.coins[0] & ~bit(s.at) if last else s.coins[0]
    out[TOP + 6 * count(unseen & (ways_from(b, goal, s.at) << 1)) // n] = 1
    out[NULL_LIKELY + 6 * (unseen & 1) // n] = 1
    for k in range(5):
        if unseen & bit(k + 1) != 0:
            out[CHOICE] += count(b.reach[20 * k + s.at] & goal)
    if last:
        out[LAST] = 1
