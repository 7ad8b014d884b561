"""The hash key of a position, from the bytes of its state (the transposition tables' key).

Each 64-bit word is mix into the key by the finaliser of SplitMix64 (`random_streams.py`).
"""

from typing import Any

from smallchange.engine.compile.runtime_python import whole, word

from .random_streams import ALL, GOLDEN, mix


def hash_key(words: Any) -> int:
    """Return 63 bits that tell a position, given as the words of its record, from all others."""
    z = word(0)
    for i in range(len(words)):
        z = mix((z + word(words[i]) + GOLDEN) & ALL)
    return int(whole(z >> word(1)))
