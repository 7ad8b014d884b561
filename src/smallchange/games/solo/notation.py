"""Solo for programs: its tokens and its result."""

from smallchange.render.piece_names import SUITS, VALUES, place

from .model import Board, State
from .rules import CHOOSE, DIE, DONE, FLIP, LAID, RESCUE, RETIRE, SHIFT, TO, aces_found, score


def square(b: Board, i: int) -> str:
    """Return the name of a tile square.

    >>> from smallchange import game
    >>> square(game("solo").board, 0), square(game("solo", board="galaxy").board, 19)
    ('a1', 'e7')
    """
    return place(b.column[i], b.row[i])


def tile_name(tile: int) -> str:
    """Return the short name of a tile.

    >>> tile_name(0), tile_name(19)
    ('Sa', 'A5')
    """
    return SUITS[tile // 5] + VALUES[1 + tile % 5]


def token(b: Board, a: int) -> str | None:
    """Return the token of an action, or None if this board has no such action.

    >>> from smallchange import game
    >>> b = game("solo").board
    >>> [token(b, a) for a in (0, LAID + 1, SHIFT + 1, DIE, CHOOSE, FLIP + 1, TO + 19)]
    ['pawn=S', 'a1=S2', 'a1>b1', 'S=n', '@a1', 'flip:a', 'to:e4']
    >>> [token(b, a) for a in (RETIRE, RETIRE + 1, RESCUE, SHIFT + 2)]
    ['retire', 'rescue:?', 'rescue:a1', None]
    """
    if a < LAID:
        return f"pawn={SUITS[a]}"
    if a < SHIFT:
        return f"{square(b, (a - LAID) // 20)}={tile_name((a - LAID) % 20)}"
    if a < DONE:
        start, end = divmod(a - SHIFT, 20)
        return f"{square(b, start)}>{square(b, end)}" if b.near[start] >> end & 1 else None
    if a == DONE:
        return "done"
    if a < CHOOSE:
        return f"{SUITS[(a - DIE) // 6]}={VALUES[(a - DIE) % 6]}"
    if a < FLIP:
        return f"@{square(b, a - CHOOSE)}"
    if a < TO:
        return f"flip:{VALUES[a - FLIP]}"
    if a < RETIRE:
        return f"to:{square(b, a - TO)}"
    if a < RESCUE:
        return "retire" if a == RETIRE else "rescue:?"
    return f"rescue:{square(b, a - RESCUE)}"


def result(b: Board, s: State) -> dict[str, object]:
    coins = -score(b, s, 0)
    return {"score": coins, "won": coins == 0, "aces_left": aces_found(s) - s.spent}
