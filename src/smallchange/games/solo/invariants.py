"""Which states of Solo can be: the setup is the drawn one, and of each suit six coins lie or were found."""

from smallchange.core.state import CHANCE, OVER, bit, count

from .model import TILES, Board, State
from .rules import (
    COIN,
    ENTER,
    FREE,
    LAID,
    LAY,
    MOVE,
    ORDER,
    PLIGHT,
    THROW,
    aces_found,
    coins_left,
    kind,
    play,
    setup,
)


def can_be(b: Board, s: State) -> bool:
    """Return whether a state within its bounds can come up."""
    for drawn in (s.order, s.tile):
        known = [x for x in drawn if x != -1]
        if len(set(known)) < len(known) or drawn != known + [-1] * (len(drawn) - len(known)):
            return False
    if -1 in s.order and s.tile[0] != -1:
        return False
    laid = replay_setup(b, s)
    if -1 in s.tile:
        return s == laid
    chances = s.turn == CHANCE
    if s.step <= LAY or (s.turn != OVER and chances != (s.step in (ORDER, LAY, THROW, COIN))):
        return False
    if not coins_fit(b, s, laid) or not (in_play(s) if s.step != FREE else before_play(s, laid)):
        return False
    if s.turn == OVER:
        return s.step != FREE and not s.why and (s.pawn == 4 or coins_left(s) == 0)
    return not (
        s.pawn == 4
        or coins_left(s) == 0
        or (s.why > 0) != (s.step == PLIGHT)
        or (s.step in (COIN, MOVE, PLIGHT, ENTER) and s.at == -1)
        or (s.step == COIN and not s.coins[0] >> s.at & 1)
        or (s.step == MOVE and not s.flipped)
    )


def replay_setup(b: Board, s: State) -> State:
    """Return the state that the start leads to if these pawns and tiles are drawn."""
    t = State()
    setup(b, t)
    for pawn in s.order:
        if pawn != -1:
            play(b, t, pawn)
    for i, tile in enumerate(s.tile):
        if tile != -1:
            play(b, t, LAID + TILES * i + tile)
    return t


def coins_fit(b: Board, s: State, laid: State) -> bool:
    """Return whether coins lie on each other and of each suit as they can; `laid` has those at the start."""
    for i in range(TILES):
        stack = [coins >> i & 1 for coins in s.coins]
        suits = [suit for suit in range(4) if s.suit[suit] >> i & 1]
        at_start = [coins >> i & 1 for coins in laid.coins]
        if stack != sorted(stack, reverse=True) or len(suits) != stack[0]:
            return False
        if any(at_start):
            if stack > at_start or (suits and suits[0] != kind(laid, i)):
                return False
        elif sum(stack) > 1 and not b.stack:
            return False
    lie = [sum(count(coins & s.suit[suit]) for coins in s.coins) for suit in range(4)]
    moved = sum(count(level & ~laid.coins[0]) for level in s.coins)
    return (
        all(lie[suit] + count(s.seen[suit]) == 6 for suit in range(4))
        and moved <= b.free_moves
        and (s.step != FREE or moved + s.free == b.free_moves)
    )


def before_play(s: State, laid: State) -> bool:
    """Return whether only coins have moved since the start, by free moves of which one is left."""
    kept = [name for name in s.ranges if name not in ("turn", "step", "free", "coins", "suit")]
    return s.free > 0 and all(getattr(s, name) == getattr(laid, name) for name in kept)


def in_play(s: State) -> bool:
    n, seen = aces_found(s), any(s.seen)
    aces = [suit for suit in range(4) if s.seen[suit] & bit(1)]
    return not (
        s.free
        or sorted(s.aces[:n]) != aces
        or s.aces[n:] != [-1] * (4 - n)
        or s.spent > n - (s.turn != OVER and s.step == PLIGHT)
        or (not any(found >> s.flipped & 1 for found in s.seen) and (s.flipped or seen))
        or (s.at == -1 and (s.pawn or seen))
    )
