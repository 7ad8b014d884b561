"""The delay of spectators: they see a match some moves behind its players, until it is over.

Spectators see the events before the last moves, as many as `Head.delay` says. Pages, streams and lists for spectators
are made from those events alone, so they tell nothing of later ones.
"""

from __future__ import annotations

from smallchange.server.table.history import STEP, History

MAX_DELAY = 20  # moves
DELAYS = (0, 2, 4, 10)  # offered on forms


def visible_ply(history: History) -> int:
    """Return the number of events that spectators see.

    The last `delay` moves are hidden, with everything that followed them. A move that was taken back is a move.
    """
    if not history.head.delay or history.ending:
        return history.ply
    moves = [i for i, event in enumerate(history.events) if event.kind == STEP and event.seat >= 0]
    if not moves:
        return history.ply
    return moves[-min(history.head.delay, len(moves))]
