"""Coin Collectors for programs: its tokens and its result."""

from functools import cache

from smallchange.render.piece_names import SUITS, VALUES, place

from .model import Board, State
from .rules import COIN, DIE, GIVE_UP, HOLE, ROLL, TILE, score


def square(i: int) -> str:
    """Return the name of a square.

    >>> square(0), square(1), square(24)
    ('a1', 'b1', 'e5')
    """
    return place(i % 5, i // 5)


def token(b: Board, a: int) -> str | None:
    """Return the token of an action, or None if this board has no such action.

    >>> b = Board()
    >>> token(b, 7), token(b, ROLL), token(b, ROLL + 3), token(b, GIVE_UP), token(b, DIE + 4)
    ('Sc2', 'keep', 'roll:SM', 'xS', 'S=4')
    >>> token(b, TILE + 3), token(b, COIN + 6), token(b, HOLE)
    ('a1=S3', 'b1:n', None)
    """
    if a >= COIN:
        at, value = divmod(a - COIN, 6)
        return f"{square(at)}:{VALUES[value]}" if at != HOLE else None
    if a >= TILE:
        at, tile = divmod(a - TILE, 24)
        return f"{square(at)}={SUITS[tile // 6]}{VALUES[tile % 6]}" if at != HOLE else None
    if a >= DIE:
        return f"{SUITS[(a - DIE) // 6]}={VALUES[(a - DIE) % 6]}"
    if a >= GIVE_UP:
        return f"x{SUITS[a - GIVE_UP]}"
    if a >= ROLL:
        return f"roll:{dice(a - ROLL)}" if a > ROLL else "keep"
    return f"{SUITS[a // 25]}{square(a % 25)}" if a % 25 != HOLE else None


@cache
def dice(mask: int) -> str:
    """Return the letters of a mask of dice.

    >>> dice(0b1011)
    'SMA'
    """
    return "".join(suit for i, suit in enumerate(SUITS) if mask >> i & 1)


def rating(coins: int) -> str:
    return "win" if coins == 24 else "above average" if coins >= 20 else "sad"


def result(b: Board, s: State) -> dict[str, object]:
    coins = score(b, s, 0)
    return {"score": coins, "won": coins == 24, "rating": rating(coins)}
