"""One Man: Thrag! in words: tokens, results, and what is said at each step."""

from smallchange.draw.words import VALUES

from .board import SUITS, Board, State
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
    """The token of an action; None where there is no such action."""
    if a < ROLL:
        return f"{SUITS[a // 6]}:{VALUES[a % 6]}" if a % 6 else None
    if a < COIN:
        a -= ROLL
        return f"{SUITS[a // 6]}={VALUES[a % 6]}"
    if a < HEAL:
        return f"coin:{VALUES[a - COIN]}"
    if a < FIGHT:
        return f"heal:{VALUES[a - HEAL]}" if a != HEAL else None
    if a < WEAPON:
        x, coin = divmod(a - FIGHT, 4)
        return f"fight:{SUITS[x]}" + (f"+{SUITS[coin - 1]}" if coin else "")
    if a < REST:
        x, black = (a - WEAPON) % 3, a >= WEAPON + 3
        return f"weapon:{SUITS[x]}{'>M' * black}" if b.weapons >> x & 1 else None
    if a == REST:
        return "rest"
    paid = "".join(v for i, v in enumerate(VALUES) if (a - PAY) << 1 >> i & 1)
    return f"pay:{paid}" if paid else None


def result(b: Board, s: State) -> dict[str, object]:
    return {
        "won": s.reason == SLAIN,
        "reason": REASONS[s.reason],
        "turn": min(s.hour + 1, HOURS),
        "beasts_left": beasts(s),
        "weapons_left": s.pawns.bit_count(),
        "score": score(b, s, 0),
    }
