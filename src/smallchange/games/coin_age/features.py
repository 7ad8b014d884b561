"""What a learner sees of Coin Age: who leads regions with which coins, the banks, how near the end is."""

from smallchange.state import count

from .board import Board, State
from .rules import PLACES, bank_value, controlled, empty, occupied

TOPS = 0  # 20 for each side, + 4 * lead + rank: coins on top, by the lead of their region
ROOMS = 40  # + 3 * lead + empty spaces (none, one, more): regions
EMPTY = 55  # empty spaces: 0 to 11
BANKS = 67  # 4 for each side: coins of each rank
KINDS = 75  # 4 for each side: has it any of the rank
FEW = 83  # 5 for each side: coins in the bank, 0 to 4
AHEAD = 93  # points more than the other; the total of the bank
OPEN = 95  # 4 for each side: coins on top that the other may cover by how many of its kinds
PIVOTS = 103  # 4 for each side: .. in regions where one space decides
UNDER = 111  # each side: the total of its covered coins
HUSH = 113  # quiet turns left: 1 to 4
LEFT = 117  # in one's own turn: placings left, 0 to 3; matching coins by rank
SHARES = 125  # + 16 * own + 4 * the other's + empty spaces, each 0 to 3: regions
SWINGS = 189  # + 9 * lead + 3 * own coins on top that the other may cover + the reverse, 0 to 2: regions
FEATURES = 234


def settled(b: Board, s: State) -> bool:
    """Can a player's action be judged by what it led to? Turns of four matches take too long to try out."""
    return s.matches == 4


def features(b: Board, s: State, seat: int, out: list[int]) -> None:
    """Write the FEATURES numbers that describe a state to a seat."""
    for i in range(FEATURES):
        out[i] = 0
    free = empty(b, s)
    out[EMPTY + min(11, count(free))] = 1
    lead = regions(b, s, seat, free, out)
    for i in range(2):
        lead += (1 - 2 * i) * banked(s, i, seat if i == 0 else 1 - seat, out)
    out[AHEAD] = lead
    out[AHEAD + 1] = bank_value(s, seat) - bank_value(s, 1 - seat)
    rest = b.quiet_limit - s.quiet
    if rest < 5:
        out[HUSH + max(0, rest - 1)] = 1
    if s.turn == seat:
        out[LEFT + max(0, PLACES[s.matches] + s.paid - s.placed)] = 1
        for rank in range(4):
            out[LEFT + 4 + rank] = (s.match >> rank) & 1


def banked(s: State, i: int, side: int, out: list[int]) -> int:
    """A side's bank, as side `i` of the description; how many coins."""
    total = 0
    for rank in range(4):
        coins = s.bank[4 * side + rank]
        out[BANKS + 4 * i + rank] = coins
        out[KINDS + 4 * i + rank] = min(1, coins)
        total += coins
    if total < 5:
        out[FEW + 5 * i + total] = 1
    return total


def regions(b: Board, s: State, seat: int, free: int, out: list[int]) -> int:
    """Regions by their lead, and the coins on top in them; the lead in points on the map."""
    mine = controlled(s, seat)
    theirs = controlled(s, 1 - seat)
    points = 0
    for k in range(b.regions[s.map]):
        region = b.region[16 * s.map + k]
        lead = count(mine & region) - count(theirs & region)
        place = 2 + min(2, max(-2, lead))
        out[ROOMS + 3 * place + min(2, count(free & region))] += 1
        share = 16 * min(3, count(mine & region)) + 4 * min(3, count(theirs & region))
        out[SHARES + share + min(3, count(free & region))] += 1
        bare = min(2, count(mine & region & coverable(s, 1 - seat)))
        out[SWINGS + 9 * place + 3 * bare + min(2, count(theirs & region & coverable(s, seat)))] += 1
        points += tops(s, 0, seat, region & mine, place, lead, out)
        points -= tops(s, 1, 1 - seat, region & theirs, 4 - place, -lead, out)
    return points


def tops(s: State, i: int, side: int, spaces: int, place: int, lead: int, out: list[int]) -> int:
    """A side's coins on top in a region where it leads so; their points."""
    total = 0
    kinds = 0
    covered = 0
    for rank in range(4):
        seen = s.coins[4 * side + rank] & spaces & ~covered
        covered |= (s.coins[rank] | s.coins[4 + rank]) & spaces
        n = count(seen)
        if n > 0:
            out[TOPS + 20 * i + 4 * place + rank] += n
            total += n * (rank + 1)
            if kinds > 0:
                out[OPEN + 4 * i + kinds] += n * (rank + 1)
                if lead == 1 or lead == 0:
                    out[PIVOTS + 4 * i + kinds] += n
        if s.bank[4 * (1 - side) + rank] > 0:
            kinds += 1
    return 2 * total if lead > 0 else total


def coverable(s: State, side: int) -> int:
    """The spaces whose top coin a side has a smaller coin for."""
    rank = 0
    while rank < 4 and s.bank[4 * side + rank] == 0:
        rank += 1
    return occupied(s, 4) & ~occupied(s, min(4, rank + 1))
