"""Which states of Solo can be: the setup is the drawn one, and of each suit six coins lie or were found."""

from collections.abc import Iterator

from smallchange.core.state import CHANCE, OVER, bit, count

from .model import TILES, Board, State
from .notation import square
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

BY_CHANCE = (ORDER, LAY, THROW, COIN)


def violations(b: Board, s: State) -> Iterator[str]:
    """Describe each contradiction in a state; each check relies on those before it."""
    for name, drawn in (("order", s.order), ("tile", s.tile)):
        known = [x for x in drawn if x != -1]
        if len(set(known)) < len(known) or drawn[len(known) :] != [-1] * (len(drawn) - len(known)):
            yield f"{name} is {','.join(map(str, drawn))}"
    if -1 in s.order and s.tile[0] != -1:
        yield "a tile is laid before the order of the pawns is drawn"
    laid = replay_setup(b, s)
    if -1 in s.tile:
        for name in s.ranges:
            if getattr(s, name) != getattr(laid, name):
                yield f"{name} is not what it is during setup"
        return
    if s.step <= LAY:
        yield f"step is {s.step} after all tiles are laid"
    if s.turn != OVER and (s.turn == CHANCE) != (s.step in BY_CHANCE):
        yield f"turn is {s.turn} in step {s.step}"
    yield from coin_violations(b, s, laid)
    yield from running_violations(s) if s.step != FREE else free_move_violations(s, laid)
    if s.turn != OVER:
        yield from turn_violations(s)
    elif s.step == FREE or s.why or (s.pawn < 4 and coins_left(s) > 0):
        yield "it is over, with coins on the board and a pawn to play"


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


def coin_violations(b: Board, s: State, laid: State) -> Iterator[str]:
    """Describe each contradiction in the coins on the board; `laid` are those at the start."""
    for i in range(TILES):
        stack = [coins >> i & 1 for coins in s.coins]
        suits = [suit for suit in range(4) if s.suit[suit] >> i & 1]
        if stack != sorted(stack, reverse=True) or len(suits) != stack[0]:
            yield f"a coin hangs over {square(b, i)} or is of no one suit"
        few = all(coins >> i & 1 == 0 for coins in laid.coins)
        if (sum(stack) > 1 and few and not b.stack) or (
            not few and any(s.coins[n] & ~laid.coins[n] & bit(i) for n in (1, 2))
        ):
            yield f"{sum(stack)} coins lie on {square(b, i)}, more than at the start"
        if suits and not few and suits[0] != kind(laid, i):
            yield f"the coins on {square(b, i)} are of another suit than its tile"
    for suit in range(4):
        lie, seen = sum(count(coins & s.suit[suit]) for coins in s.coins), count(s.seen[suit])
        if lie + seen != 6:
            yield f"of suit {suit} {lie} coins lie on the board and {seen} were found, not six"
    moved = sum(count(level & ~laid.coins[0]) for level in s.coins)
    if moved > b.free_moves or (s.step == FREE and moved + s.free != b.free_moves):
        yield f"{moved} coins were moved, with free={s.free}"


def free_move_violations(s: State, laid: State) -> Iterator[str]:
    """Yield what changed before the first pawn entered, other than where coins lie."""
    for name in s.ranges:
        if name not in ("turn", "step", "free", "coins", "suit") and getattr(s, name) != getattr(laid, name):
            yield f"{name} is not what it is before the first pawn enters"
    if not s.free:
        yield "free is 0 where a free move may be made"


def running_violations(s: State) -> Iterator[str]:
    """Describe each contradiction once the pawns are in play."""
    if s.free:
        yield f"free is {s.free} after the free moves"
    n = aces_found(s)
    aces = [suit for suit in range(4) if s.seen[suit] & bit(1)]
    if sorted(s.aces[:n]) != aces or s.aces[n:] != [-1] * (4 - n):
        yield f"aces is {','.join(map(str, s.aces))}, and those seen are of {aces}"
    if s.spent > n - (s.turn != OVER and s.step == PLIGHT):
        yield f"{s.spent} aces were spent of {n}"
    if not any(seen >> s.flipped & 1 for seen in s.seen) and (s.flipped or any(s.seen)):
        yield f"flipped is {s.flipped}, which was not seen"
    if s.at == -1 and (s.pawn or any(s.seen)):
        yield "no square was entered, and yet something has happened"


def turn_violations(s: State) -> Iterator[str]:
    if s.pawn == 4 or coins_left(s) == 0:
        yield "it goes on without a pawn or a coin"
    if (s.why > 0) != (s.step == PLIGHT):
        yield f"why is {s.why} in step {s.step}"
    if s.step in (COIN, MOVE, PLIGHT, ENTER) and s.at == -1:
        yield f"at is -1 in step {s.step}"
    if s.step == COIN and not s.coins[0] >> s.at & 1:
        yield f"no coin lies where one is to be flipped, at={s.at}"
    if s.step == MOVE and not s.flipped:
        yield "a null coin moves a pawn"
