"""Features of Coin Age for learning: leads in regions, the banks, the turns that are left."""

from smallchange.core.state import bit, count

from ..model import Board, State
from ..rules import PLACES, bank_value, controlled_spaces, empty, occupied_spaces

TOPS = 0  # 20 for each side, + 4 * lead + rank: coins on top, by the lead of their region
OPEN = 40  # 4 for each side: coins on top that the other may cover by how many of its kinds
PIVOTS = 48  # 4 for each side: .. in regions where one space decides
UNDER = 56  # 8 for each side, + 4 for the other's on top + rank: coins under one
DEEP = 72  # 4 for each side: coins under two or three, by rank
AHEAD = 80  # points more than the other; the total of the bank; quiet turns
MATCHING = 83  # in one's own turn: by rank, does its coin match?
FEATURES = 87

HELD = FEATURES  # flags, one of each kind below: 5 for each bank
WHOLE = HELD + 10  # 8 for the whole board
EACH = HELD + 18  # 3 for each region
FLAGS = 66

BANKS = 87  # 24 for each side, + 6 * rank: how many coins, 0 to 5
TOTAL = 135  # 13 for each side: coins in the bank, 0 to 12
KINDS = 161  # 16 for each side: the set of ranks in its bank
HUSH = 193  # quiet turns left: 1 to 4
LEFT = 197  # in one's own turn: placings left, 0 to 3
CLOSE = 201  # + 16 * empty spaces, 0 to 16, + the set of ranks in the other's bank
LEADS = 473  # + 25 * empty spaces, 0 to 5, + lead in points, -12 to 12
SPARE = 623  # 125 for each side, + 25 * coins in the bank, 0 to 4, + lead in points
SWINGS = 873  # + 9 * lead + 3 * own coins on top that the other may cover + the reverse, 0 to 2: a region
SHARES = 918  # + 16 * own + 4 * the other's + empty spaces, each 0 to 3: a region
SHAPES = 982  # 714: a region of one to four spaces by the coins on top there, see `shape`
ROWS = 1696


def is_afterstate(b: Board, s: State) -> bool:
    """Return whether an action can be judged by this state. Turns with a payment take too long to try out."""
    return s.paid == 1


def features(b: Board, s: State, seat: int, out: list[int]) -> None:
    """Write what describes a state to a seat: FEATURES numbers, then up to FLAGS flags."""
    for i in range(FEATURES + FLAGS):
        out[i] = 0
    free = empty(b, s)
    rooms = count(free)
    mine = kinds(s, seat)
    theirs = kinds(s, 1 - seat)
    lead = regions(b, s, seat, free, mine, theirs, out)
    under(s, seat, out)
    own = describe_bank(s, 0, seat, out)
    other = describe_bank(s, 1, 1 - seat, out)
    lead += own - other
    out[AHEAD] = lead
    out[AHEAD + 1] = bank_value(s, seat) - bank_value(s, 1 - seat)
    out[AHEAD + 2] = s.quiet
    out[WHOLE] = KINDS + mine
    out[WHOLE + 1] = KINDS + 16 + theirs
    out[WHOLE + 2] = CLOSE + 16 * rooms + theirs
    step = 12 + min(12, max(-12, lead))
    out[WHOLE + 3] = LEADS + 25 * min(5, rooms) + step
    out[WHOLE + 4] = SPARE + 25 * min(4, own) + step
    out[WHOLE + 5] = SPARE + 125 + 25 * min(4, other) + step
    rest = b.quiet_limit - s.quiet
    if rest < 5:
        out[WHOLE + 6] = HUSH + max(0, rest - 1)
    if s.turn == seat:
        out[WHOLE + 7] = LEFT + max(0, PLACES[s.matches] + s.paid - s.placed)
        for rank in range(4):
            out[MATCHING + rank] = (s.match >> rank) & 1


def kinds(s: State, side: int) -> int:
    """Return the set of ranks in a side's bank."""
    found = 0
    for rank in range(4):
        if s.bank[4 * side + rank] > 0:
            found |= bit(rank)
    return found


def describe_bank(s: State, i: int, side: int, out: list[int]) -> int:
    """Describe a side's bank as side `i` of the description, and return the number of coins in it."""
    total = 0
    for rank in range(4):
        coins = s.bank[4 * side + rank]
        out[HELD + 5 * i + rank] = BANKS + 24 * i + 6 * rank + min(5, coins)
        total += coins
    out[HELD + 5 * i + 4] = TOTAL + 13 * i + min(12, total)
    return total


def regions(b: Board, s: State, seat: int, free: int, own: int, other: int, out: list[int]) -> int:
    """Regions by their lead, and the coins on top in them; the lead in points on the map.

    own and other: the kinds in the banks.
    """
    mine = controlled_spaces(s, seat)
    theirs = controlled_spaces(s, 1 - seat)
    bare = mine & coverable(s, other)
    weak = theirs & coverable(s, own)
    points = 0
    for k in range(b.regions[s.map]):
        region = b.region[16 * s.map + k]
        ours = count(mine & region)
        others = count(theirs & region)
        lead = ours - others
        place = 2 + min(2, max(-2, lead))
        flag = EACH + 3 * k
        out[flag] = SWINGS + 9 * place + 3 * min(2, count(bare & region)) + min(2, count(weak & region))
        out[flag + 1] = SHARES + 16 * min(3, ours) + 4 * min(3, others) + min(3, count(free & region))
        if count(region) <= 4:
            out[flag + 2] = SHAPES + shape(s, seat, region)
        points += tops(s, 0, seat, region & mine, place, lead, other, out)
        points -= tops(s, 1, 1 - seat, region & theirs, 4 - place, -lead, own, out)
    return points


def tops(s: State, i: int, side: int, spaces: int, place: int, lead: int, foes: int, out: list[int]) -> int:
    """Describe a side's top coins on `spaces` of a region, where it leads by `lead`; return their points.

    `foes` are the ranks in the other side's bank.
    """
    total = 0
    smaller = 0
    covered = 0
    for rank in range(4):
        seen = s.coins[4 * side + rank] & spaces & ~covered
        covered |= (s.coins[rank] | s.coins[4 + rank]) & spaces
        n = count(seen)
        if n > 0:
            out[TOPS + 20 * i + 4 * place + rank] += n
            total += n * (rank + 1)
            if smaller > 0:
                out[OPEN + 4 * i + smaller] += n * (rank + 1)
                if lead == 1 or lead == 0:
                    out[PIVOTS + 4 * i + smaller] += n
        smaller += (foes >> rank) & 1
    return 2 * total if lead > 0 else total


def under(s: State, seat: int, out: list[int]) -> None:
    """Describe the covered coins, by the side of the top coin, and those under more than one coin."""
    once = 0
    twice = 0
    mine = controlled_spaces(s, seat)
    for rank in range(4):
        for i in range(2):
            coins = s.coins[4 * (seat if i == 0 else 1 - seat) + rank]
            second = coins & once & ~twice
            out[UNDER + 8 * i + rank] += count(second & mine)
            out[UNDER + 8 * i + 4 + rank] += count(second & ~mine)
            out[DEEP + 4 * i + rank] += count(coins & twice)
        both = s.coins[rank] | s.coins[4 + rank]
        twice |= once & both
        once |= both


def coverable(s: State, kinds: int) -> int:
    """Return the spaces whose top coin may be covered with coins of these ranks."""
    rank = 0
    while rank < 4 and kinds & bit(rank) == 0:
        rank += 1
    return occupied_spaces(s, 4) & ~occupied_spaces(s, min(4, rank + 1))


def shape(s: State, seat: int, region: int) -> int:
    """Return the number, 0 to 713, of the set of top coins in a region of one to four spaces.

    The number does not depend on which spaces the coins lie in. Sets of at most four coins of eight kinds are
    numbered by the combinatorial number system, smaller regions first: 9 sets for one space, 45, 165 and 495
    for four.
    """
    left = count(region)
    number = choose(8 + left, left - 1) - 1
    kind = 8
    covered = 0
    for rank in range(4):
        for i in range(2):
            side = seat if i == 0 else 1 - seat
            for _ in range(count(s.coins[4 * side + rank] & region & ~covered)):
                number += choose(kind + left - 1, left)
                left -= 1
            kind -= 1
        covered |= (s.coins[rank] | s.coins[4 + rank]) & region
    return number


def choose(n: int, k: int) -> int:
    """In how many ways k of n can be chosen, k at most 4; divided by constants, which costs little."""
    if k == 0:
        return 1
    if k == 1:
        return n
    if k == 2:
        return n * (n - 1) // 2
    if k == 3:
        return n * (n - 1) * (n - 2) // 6
    return n * (n - 1) * (n - 2) * (n - 3) // 24
