"""In the browser: what the views ask of bots, statistics and documents, which are not there."""

from __future__ import annotations


def install_advice() -> str:
    """Return that there are no bots."""
    return "offline"


def reference_title(game: str) -> None:
    """Return that there is no page of reference."""


def baseline(game: str) -> None:
    """Return that nothing was measured."""
