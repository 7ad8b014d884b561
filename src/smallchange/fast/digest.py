"""Positions told from one another by a digest of their bytes, in the dialect of the rules."""

from typing import Any

from .luck import ALL, GOLDEN, mixed
from .twins import whole, word


def digest(words: Any) -> int:
    """63 bits that tell one position from another."""
    z = word(0)
    for i in range(len(words)):
        z = mixed((z + word(words[i]) + GOLDEN) & ALL)
    return int(whole(z >> word(1)))
