"""Chance that can be repeated and proven.

A match has a deal of 128 bits. The result of a physical object ("suns die", "tile stack") the k-th time it
is asked is a function of the deal, the object and k alone. So two people given the same deal meet the
same throws object by object, and a finished match can be verified.

A server that holds the deal while others play commits to it first: the Envelope says how.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["DEAL_BYTES", "Envelope", "choose", "new_deal"]

DEAL_BYTES = 16


def new_deal() -> bytes:
    """Return a fresh deal of 128 bits, from the operating system's randomness."""
    return secrets.token_bytes(DEAL_BYTES)


def draw(deal: bytes, source: str, k: int, total: int) -> int:
    """Return a whole number from 0 to total - 1: the answer of `source` at its k-th asking (from 0).

    HMAC-SHA256(deal, "source:k") read as four 64-bit big-endian words; the first word below the largest
    multiple of `total` counts, modulo `total`. Should all four be rejected (less than once in 10^70 for the
    totals of these games), the message continues with ":1", ":2", ...

    >>> [draw(bytes(16), "suns die", k, 6) for k in range(5)]
    [5, 4, 2, 3, 0]
    """
    bound = (1 << 64) // total * total
    message = f"{source}:{k}"
    attempt = 0
    while True:
        digest = hmac.digest(deal, message.encode(), "sha256")
        for i in range(0, 32, 8):
            word = int.from_bytes(digest[i : i + 8], "big")
            if word < bound:
                return word % total
        attempt += 1
        message = f"{source}:{k}:{attempt}"


def choose(deal: bytes, source: str, k: int, weights: Sequence[int]) -> int:
    """Return the index of the outcome that `source` gives at its k-th asking, by integer weights.

    >>> choose(bytes(16), "coins", 0, [0, 3, 0])
    1
    """
    rest = draw(deal, source, k, sum(weights))
    for i, weight in enumerate(weights):
        if rest < weight:
            return i
        rest -= weight
    raise AssertionError("a draw lies below the sum of the weights")


@dataclass(frozen=True, slots=True)
class Envelope:
    """A deal that was fixed before the first step and opened after the last.

    The server draws a secret of 32 bytes and shows its seal, SHA-256(secret), before the first step. Each
    player may add words of their own. The deal is the first 16 bytes of
    HMAC-SHA256(secret, "player=words" lines joined by newlines): nobody can change it later, and where
    words came from somebody who had seen the seal, nobody could choose it beforehand.
    `secret` is None until the envelope is opened.
    """

    seal: str
    words: tuple[tuple[str, str], ...] = ()
    secret: bytes | None = None

    @classmethod
    def create(cls) -> Envelope:
        """Create a new secret of 256 bits with its seal, and no words of players yet."""
        secret = secrets.token_bytes(32)
        return cls(hashlib.sha256(secret).hexdigest(), (), secret)

    def without_secret(self) -> Envelope:
        """Return the envelope as everybody may see it before the end."""
        return Envelope(self.seal, self.words)

    @property
    def is_valid(self) -> bool:
        """True where the envelope is open and its secret fits the seal."""
        return self.secret is not None and hashlib.sha256(self.secret).hexdigest() == self.seal

    def deal(self) -> bytes:
        """Return the deal that the secret and the players' words make. ValueError while it is closed."""
        if self.secret is None:
            raise ValueError("the envelope is still closed")
        message = "\n".join(f"{player}={words}" for player, words in self.words)
        return hmac.digest(self.secret, message.encode(), "sha256")[:DEAL_BYTES]
