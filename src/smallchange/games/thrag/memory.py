"""The log of One Man: Thrag! as a thing to remember."""

from .model import Board

UNSEEN = ("coins",)


def is_by_memory(b: Board) -> bool:
    """Return whether the log, which names the used attack coins, is out of sight until the end."""
    return b.by_memory == 1
