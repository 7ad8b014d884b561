"""A lesson: one step of a guided first game."""

from __future__ import annotations

from dataclasses import dataclass

from smallchange.i18n.text import Text

__all__ = ["Lesson"]


@dataclass(frozen=True, slots=True)
class Lesson:
    """One step of a guided game.

    `say` is the text for the learner. `shows` are the ids of the spots and pieces that it speaks of; they stay
    bright while the rest of the table is dimmed. `move` is the token that the learner plays; "" where there is
    only something to read. `answers` are the tokens that the other players play after it.
    """

    say: Text
    shows: tuple[str, ...] = ()
    move: str = ""
    answers: tuple[str, ...] = ()
