"""Dodg'em with a real piecepack: tiles with their grids up, four squares each.

On a board with an odd number of squares, the tiles of the last column and of the top row reach beyond it.
"""

from .model import Board

SQUARE_INCHES = {"board": 1}


def tile_backs(b: Board) -> tuple[tuple[str, int, int], ...]:
    """Return the tiles that cover the board, from its lower left corner."""
    corners = range(0, b.width, 2)
    return tuple(("board", 100 * x, 100 * (b.width - 2 - y)) for y in corners for x in corners)
