"""What a search that cannot see the end goes by, for a game that does not say so itself in a `worth.py`."""

from typing import Any


def worth(b: Any, s: Any, seat: int) -> int:
    """An estimate of a position for a seat, the other's being its opposite; at most 400,000."""
    return 0


def patience(b: Any, s: Any) -> int:
    """How many more steps there are at least before a rule may end long play."""
    return 0


def blur(b: Any, s: Any) -> None:
    """Make alike what differs only by what such a rule counts, or by how the match came here."""
