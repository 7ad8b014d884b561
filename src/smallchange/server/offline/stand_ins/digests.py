"""In the browser: `hmac`."""

from __future__ import annotations

import hashlib

BLOCK = 64  # bytes


def digest(key: bytes, message: bytes, name: str) -> bytes:
    """Return the HMAC of a message with SHA-256, by a key of at most a block.

    >>> digest(b"key", b"The quick brown fox jumps over the lazy dog", "sha256").hex()[:16]
    'f7bc83f430538424'
    """
    block = key + bytes(BLOCK - len(key))
    inside, outside = (bytes([byte ^ pad for byte in block]) for pad in (0x36, 0x5C))
    return hashlib.sha256(outside + hashlib.sha256(inside + message).digest()).digest()
