"""What the search makes as great as it can, for a game that does not say so itself in an `aim.py`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .calls import score


def aim(b: Any, s: Any, seat: int) -> int:
    """What a state is worth to a seat, from 0 to 1000; more than half is a win: here, a score above 0."""
    lead = score(b, s, seat)
    return 1000 if lead > 0 else 500 if lead == 0 else 0
