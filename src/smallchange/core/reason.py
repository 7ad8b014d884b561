"""A reason: a feature of a move that a player understands."""

from __future__ import annotations

from dataclasses import dataclass

from smallchange.i18n.text import Text


@dataclass(frozen=True, slots=True)
class Reason:
    """A feature that says in words why a move is better than another.

    `text` says its number {n} of a move, as a part of a sentence. `better` is 1 if more is better, -1 if less is.
    `theme` is the field's word for a move that is best by this feature, in a word or two.
    """

    text: Text
    better: int = 1
    theme: Text | None = None
