"""Why a move is better than others: the features that its game declares, compared."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean
from typing import NamedTuple

from smallchange.core.game import Position
from smallchange.i18n.text import SEMICOLON, Text, join_texts

__all__ = ["Advantage", "advantages", "comparison_text", "reasons_text"]

MAX_REASONS = 2  # said of a move
OTHERS_ALIKE = Text("{what} (other moves: {low})")
OTHERS = Text("{what} (other moves: {low} to {high})")
THAN_PLAYED = Text("{what} (the move played: {low})")


class Advantage(NamedTuple):
    """A feature in which a move is better than others: its number, the least and greatest of the others, its theme."""

    text: Text
    n: int
    low: int
    high: int
    theme: Text | None = None


def advantages(position: Position, token: str, others: Iterable[str] | None = None) -> list[Advantage]:
    """Return the features in which a move is better than the other moves on average, the clearest first.

    `others` are the tokens to compare it with, by default all other legal ones. Return [] where a game declares
    no reasons.
    """
    found, reasons = list[tuple[float, Advantage]](), position.game.reasons
    if reasons is None:
        return []
    rest = [one for one in position.legal() if one != token] if others is None else list(others)
    own, *compared = [_measure(position, one) for one in (token, *rest)]
    for i, reason in enumerate(reasons.REASONS):
        n, ns = own[i], [m for row in compared if (m := row[i]) is not None]
        if n is None or not ns:
            continue
        ahead = reason.better * (n - fmean(ns))
        if ahead > 0:
            spread = max(n, *ns) - min(n, *ns)
            found.append(
                (ahead / spread, Advantage(reason.text.fill(n=n), n, min(ns), max(ns), reason.theme))
            )
    return [one for _, one in sorted(found, key=lambda pair: -pair[0])][:MAX_REASONS]


def _measure(position: Position, token: str) -> list[int | None]:
    game = position.game
    assert game.reasons is not None
    after = position.played(token)
    return list(game.reasons.measure(game.board, position.s, game.actions[token], after.s))


def reasons_text(position: Position, token: str) -> Text | None:
    """Say in which features a move is better than the others; None if it is in none."""
    found = advantages(position, token)
    each = [
        (OTHERS_ALIKE if one.low == one.high else OTHERS).fill(what=one.text, low=one.low, high=one.high)
        for one in found
    ]
    return join_texts(each, SEMICOLON) if each else None


def comparison_text(position: Position, better: str, played: str) -> Text | None:
    """Say in which features a better move is ahead of the one that was played; None if it is in none."""
    found = advantages(position, better, [played])
    each = [THAN_PLAYED.fill(what=one.text, low=one.low) for one in found]
    return join_texts(each, SEMICOLON) if each else None
