"""The rule of thumb: the move with the highest score by the game's own heuristic, one step ahead."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from smallchange.core.game import Position
from smallchange.i18n.text import Text

ABOUT = Text("the game’s rule of thumb, one step ahead")


def choose(position: Position, legal: Sequence[str], seconds: float, luck: Random) -> str:
    """Return one of the legal moves with the highest score; `seconds` are not needed."""
    game, s = position.game, position.s

    def score(token: str) -> int:
        a = game.actions[token]
        after = s.copy()
        game.rules.play(game.board, after, a)
        value: int = game.heuristic.move_score(game.board, s, a, after)
        return value

    scores = [score(token) for token in legal]
    best = max(scores)
    return luck.choice([token for token, it in zip(legal, scores, strict=True) if it == best])
