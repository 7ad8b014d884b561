"""The margin of Coin Age: points."""

from .model import Board, State
from .rules import points


def margin(b: Board, s: State, seat: int) -> int:
    """Return by how many points a seat is ahead. A game that the banks decide has margin 0."""
    return points(b, s, seat) - points(b, s, 1 - seat)
