"""The margin of the Royal Game of Ur: coins."""

from .model import Board, State


def margin(b: Board, s: State, seat: int) -> int:
    """Return how many more coins of a seat are home than of the other seat."""
    return s.home[seat] - s.home[1 - seat]
