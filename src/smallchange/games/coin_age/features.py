"""What a learner sees of Coin Age: who leads regions with which coins, the banks, how near the end is."""

from smallchange.state import bit, count

from .board import Board, State
from .rules import PLACES, bank_value, controlled, empty, occupied

SWINGS = 0  # + 9 * lead + 3 * own coins on top that the other may cover + the reverse, 0 to 2: regions
SHARES = 45  # + 16 * own + 4 * the other's + empty spaces, each 0 to 3: regions
TOPS = 109  # 20 for each side, + 4 * lead + rank: coins on top, by the lead of their region
OPEN = 149  # 4 for each side: coins on top that the other may cover by how many of its kinds
PIVOTS = 157  # 4 for each side: .. in regions where one space decides
UNDER = 165  # 8 for each side, + 4 for the other's on top + rank: coins under one
DEEP = 181  # 4 for each side: coins under two or three, by rank
AHEAD = 189  # points more than the other; the total of the bank; quiet turns
KINDS = 192  # 16 for each side: the set of ranks in its bank
BANKS = 224  # 24 for each side, + 6 * rank: how many coins, 0 to 5
TOTAL = 272  # 9 for each side: coins in the bank, 0 to 8
HUSH = 290  # quiet turns left: 1 to 4
LEFT = 294  # in one's own turn: placings left, 0 to 3; matching coins by rank
CLOSE = 302  # + 16 * empty spaces, 0 to 4, + the set of ranks in the other's bank
LEADS = 382  # + 17 * empty spaces, 0 to 5, + lead in points, -8 to 8
SPARE = 484  # 85 for each side, + 17 * coins in the bank, 0 to 4, + lead in points
FEATURES = 654


def settled(b: Board, s: State) -> bool:
    """Can a player's action be judged by what it led to? Turns with a payment take too long to try out."""
    return s.paid == 1


def features(b: Board, s: State, seat: int, out: list[int]) -> None:
    """Write the FEATURES numbers that describe a state to a seat."""
    for i in range(FEATURES):
        out[i] = 0
    free = empty(b, s)
    rooms = count(free)
    mine = kinds(s, seat)
    theirs = kinds(s, 1 - seat)
    lead = regions(b, s, seat, free, mine, theirs, out)
    under(s, seat, out)
    own = banked(s, 0, seat, out)
    other = banked(s, 1, 1 - seat, out)
    lead += own - other
    out[AHEAD] = lead
    out[AHEAD + 1] = bank_value(s, seat) - bank_value(s, 1 - seat)
    out[AHEAD + 2] = s.quiet
    out[KINDS + mine] = 1
    out[KINDS + 16 + theirs] = 1
    out[CLOSE + 16 * min(4, rooms) + theirs] = 1
    step = 8 + min(8, max(-8, lead))
    out[LEADS + 17 * min(5, rooms) + step] = 1
    out[SPARE + 17 * min(4, own) + step] = 1
    out[SPARE + 85 + 17 * min(4, other) + step] = 1
    rest = b.quiet_limit - s.quiet
    if rest < 5:
        out[HUSH + max(0, rest - 1)] = 1
    if s.turn == seat:
        out[LEFT + max(0, PLACES[s.matches] + s.paid - s.placed)] = 1
        for rank in range(4):
            out[LEFT + 4 + rank] = (s.match >> rank) & 1


def kinds(s: State, side: int) -> int:
    """The set of ranks in a side's bank."""
    found = 0
    for rank in range(4):
        if s.bank[4 * side + rank] > 0:
            found |= bit(rank)
    return found


def banked(s: State, i: int, side: int, out: list[int]) -> int:
    """A side's bank, as side `i` of the description; how many coins."""
    total = 0
    for rank in range(4):
        coins = s.bank[4 * side + rank]
        out[BANKS + 24 * i + 6 * rank + min(5, coins)] = 1
        total += coins
    out[TOTAL + 9 * i + min(8, total)] = 1
    return total


def regions(b: Board, s: State, seat: int, free: int, own: int, other: int, out: list[int]) -> int:
    """Regions by their lead, and the coins on top in them; the lead in points on the map.

    own and other: the kinds in the banks.
    """
    mine = controlled(s, seat)
    theirs = controlled(s, 1 - seat)
    bare = mine & coverable(s, other)
    weak = theirs & coverable(s, own)
    points = 0
    for k in range(b.regions[s.map]):
        region = b.region[16 * s.map + k]
        ours = count(mine & region)
        others = count(theirs & region)
        lead = ours - others
        place = 2 + min(2, max(-2, lead))
        out[SWINGS + 9 * place + 3 * min(2, count(bare & region)) + min(2, count(weak & region))] += 1
        out[SHARES + 16 * min(3, ours) + 4 * min(3, others) + min(3, count(free & region))] += 1
        points += tops(s, 0, seat, region & mine, place, lead, other, out)
        points -= tops(s, 1, 1 - seat, region & theirs, 4 - place, -lead, own, out)
    return points


def tops(s: State, i: int, side: int, spaces: int, place: int, lead: int, foes: int, out: list[int]) -> int:
    """A side's coins on top in a region where it leads so, against such kinds of coins; their points."""
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
    """The coins that are covered: by whose on top, or by more than one."""
    once = 0
    twice = 0
    mine = controlled(s, seat)
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
    """The spaces whose top coin may be covered with these kinds of coins."""
    rank = 0
    while rank < 4 and kinds & bit(rank) == 0:
        rank += 1
    return occupied(s, 4) & ~occupied(s, min(4, rank + 1))
