"""Coin Collectors with a real piecepack: each square of the board is a tile, the dice lie beside it."""

from .model import Board

SQUARE_INCHES = {"board": 2}


def tile_backs(b: Board) -> tuple[()]:
    """Return no tile: all lie face up and are pieces of the layout."""
    return ()
