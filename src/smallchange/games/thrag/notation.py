"""One Man: Thrag! for programs: its tokens and its result."""

from smallchange.render.piece_names import VALUES

from .model import SUITS, Board, State
from .rules import (
    BREAKFAST,
    COIN,
    EXHAUSTED,
    FIGHT,
    HEAL,
    HOURS,
    KILLED,
    PAY,
    REST,
    ROLL,
    SLAIN,
    WEAPON,
    beasts,
    score,
)

REASONS = {SLAIN: "slain", KILLED: "killed", EXHAUSTED: "exhausted", BREAKFAST: "breakfast"}


def token(b: Board, a: int) -> str | None:
    """Return the token of an action, or None if this board has no such action.

    >>> from smallchange import game
    >>> b = game("thrag", weapons="SC").board
    >>> [token(b, a) for a in (5, ROLL + 18, COIN + 1, HEAL + 4, FIGHT, FIGHT + 6, REST)]
    ['S:5', 'M=n', 'coin:a', 'heal:4', 'fight:S', 'fight:C+C', 'rest']
    >>> [token(b, a) for a in (WEAPON, WEAPON + 4, WEAPON + 2, PAY + 0b11, PAY, 0)]
    ['weapon:S', 'weapon:C>M', None, 'pay:a2', None, None]
    """
    if a < ROLL:
        return f"{SUITS[a // 6]}:{VALUES[a % 6]}" if a % 6 else None
    if a < COIN:
        return f"{SUITS[(a - ROLL) // 6]}={VALUES[(a - ROLL) % 6]}"
    if a < HEAL:
        return f"coin:{VALUES[a - COIN]}"
    if a < FIGHT:
        return f"heal:{VALUES[a - HEAL]}" if a > HEAL else None
    if a < WEAPON:
        x, coin = divmod(a - FIGHT, 4)
        return f"fight:{SUITS[x]}+{SUITS[coin - 1]}" if coin else f"fight:{SUITS[x]}"
    if a < REST:
        black, x = divmod(a - WEAPON, 3)
        return f"weapon:{SUITS[x]}{'>M' * black}" if b.weapons >> x & 1 else None
    if a == REST:
        return "rest"
    return "pay:" + "".join(VALUES[i] for i in payment_values(a)) if a > PAY else None


def payment_values(a: int) -> list[int]:
    """Return the values of the coins of a payment, ascending.

    >>> payment_values(PAY + 0b1001)
    [1, 4]
    """
    return [i for i in range(1, 6) if (a - PAY) << 1 >> i & 1]


def result(b: Board, s: State) -> dict[str, object]:
    return {
        "won": s.reason == SLAIN,
        "reason": REASONS[s.reason],
        "turn": min(s.hour + 1, HOURS),
        "beasts_left": beasts(s),
        "weapons_left": s.pawns.bit_count(),
        "score": score(b, s, 0),
    }
