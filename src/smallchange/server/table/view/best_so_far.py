"""The result of a match beside the player's others of the same game and options: nothing where it is the first."""

from __future__ import annotations

from smallchange.core.protocols import Words
from smallchange.i18n.text import Text
from smallchange.server.table.view.ending import score_text

BEST = Text("Your best so far. Before: {best}.")
EQUAL = Text("As good as your best so far.")
LESS = Text("Your best so far: {best}.")
AGAINST = Text("Against {who} so far: {won} won, {lost} lost.")
AGAINST_DRAWN = Text("Against {who} so far: {won} won, {drawn} drawn, {lost} lost.")


def compare_scores(words: Words, score: int, best: int | None) -> Text | None:
    """Compare the score of a match for one with the best of the others, None where it is the first."""
    if best is None:
        return None
    if best == score:
        return EQUAL
    return (BEST if score > best else LESS).fill(best=score_text(words, best))


def tally_text(who: Text, won: int, drawn: int, lost: int) -> Text | None:
    """Count the matches against the same opponent."""
    if won + drawn + lost < 2:
        return None
    if drawn:
        return AGAINST_DRAWN.fill(who=who, won=won, drawn=drawn, lost=lost)
    return AGAINST.fill(who=who, won=won, lost=lost)
