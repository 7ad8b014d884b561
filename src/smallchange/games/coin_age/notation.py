"""Coin Age for programs: its tokens and its result."""

from smallchange.render.piece_names import place

from .model import MAPS, SEATS, Board, State
from .rules import (
    BANK,
    CAPTURE,
    END,
    FULL,
    MAP,
    MOVE,
    PAY,
    PLACE,
    QUIET,
    TOSS,
    bank_value,
    points,
    score,
)

REASONS = {FULL: "full", BANK: "bank", QUIET: "quiet"}


def space(b: Board, i: int) -> str:
    """Return the name of a space.

    >>> from .model import build
    >>> b = build({"map": "forest", "quiet_limit": 20})
    >>> [space(b, i) for i in range(b.spaces)]
    ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'd2', 'a3', 'b3', 'c3']
    """
    return place(b.place[i], b.row[i] - 1)


def token(b: Board, a: int) -> str | None:
    """Return the token of an action, or None if this board has no such action.

    >>> from .model import build
    >>> b = build({"map": "forest", "quiet_limit": 20})
    >>> token(b, END), token(b, TOSS + 2), token(b, PAY + 1), token(b, CAPTURE + 8)
    ('end', '2=H', 'pay2', 'xb3')
    >>> token(b, PLACE + 16 * 1 + 8), token(b, MOVE + 16 * 1 + 4), token(b, MOVE + 16 * 1 + 8)
    ('2@b3', 'b1>b2', None)
    >>> token(b, MAP), token(build({"map": "random", "quiet_limit": 20}), MAP)
    (None, 'map=forest')
    """
    if a == END:
        return "end"
    if a < TOSS:
        return f"map={MAPS[a - MAP]}" if b.maps > 1 else None
    if a < PAY:
        rank, side = divmod(a - TOSS, 2)
        return f"{rank + 1}={'HT'[side]}"
    if a < CAPTURE:
        return f"pay{a - PAY + 1}"
    first, end = divmod(a - (CAPTURE if a < PLACE else PLACE if a < MOVE else MOVE), 16)
    if end >= b.spaces:
        return None
    if a < PLACE:
        return f"x{space(b, end)}"
    if a < MOVE:
        return f"{first + 1}@{space(b, end)}"
    beside = any(b.near[16 * k + first] >> end & 1 for k in range(b.maps))
    return f"{space(b, first)}>{space(b, end)}" if beside else None


def result(b: Board, s: State) -> dict[str, object]:
    return {
        "winner": ("draw", *SEATS)[score(b, s, 0)],  # -1: tails
        "reason": REASONS[s.reason],
        "score": {seat: points(b, s, i) for i, seat in enumerate(SEATS)},
        "bank_value": {seat: bank_value(s, i) for i, seat in enumerate(SEATS)},
    }
