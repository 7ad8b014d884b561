"""Deals that are the same at every run: they follow from the test that plays, and from how many were made before in it.

`TEST_DEALS` chooses others: a test must pass with any.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import shake_256
from pathlib import Path

from smallchange.core import commitment


class RepeatableDeals:
    """A stand-in for `secrets` where deals are made. `test_name` returns the name of the test that runs."""

    def __init__(self, test_name: Callable[[], str]) -> None:
        self._test_name = test_name
        self._made: dict[str, int] = {}
        self._chosen = os.environ.get("TEST_DEALS", "")

    def token_bytes(self, n: int) -> bytes:
        """Return the next n bytes of the test that runs."""
        test = self._test_name()
        self._made[test] = self._made.get(test, 0) + 1
        return shake_256(f"{self._chosen}:{test}:{self._made[test]}".encode()).digest(n)


def use_repeatable_deals(test_file: Path) -> None:
    """Let this process, a server of the tests, make its deals by the test whose name is in the file."""
    commitment.secrets = RepeatableDeals(lambda: test_file.read_text(encoding="utf-8"))  # type: ignore[assignment, attr-defined]
