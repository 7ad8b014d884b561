"""One Man: Thrag! with a real piecepack: the clock is the grids of the four null tiles."""

from .model import Board

SQUARE_INCHES = {"board": 2, "healing": 2}


def tile_backs(b: Board) -> tuple[tuple[str, int, int], ...]:
    """Return the four null tiles of the clock, two by two."""
    return tuple(("clock", x, y) for y in (0, 200) for x in (0, 200))
