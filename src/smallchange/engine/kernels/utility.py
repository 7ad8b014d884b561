"""The default utility, for a game without an `ai/utility.py`: a win is a score above 0."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .calls import score


def utility(b: Any, s: Any, seat: int) -> int:
    """Return the value of an ended game to a seat, from 0 to 1000; more than 500 is a win."""
    lead = score(b, s, seat)
    return 1000 if lead > 0 else 500 if lead == 0 else 0
