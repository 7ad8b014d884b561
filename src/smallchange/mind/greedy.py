"""The move that the game's own rule of thumb promises most for, looking one step ahead."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from smallchange.game import Position
from smallchange.text import Text

ABOUT = Text("the game’s rule of thumb, one step ahead", "1手先だけを見る簡単な目安")


def choose(position: Position, legal: Sequence[str], seconds: float, luck: Random) -> str:
    """One of those legal moves that promise most; in no time, whatever the seconds."""
    game, s = position.game, position.s

    def promise(token: str) -> int:
        a = game.actions[token]
        after = s.copy()
        game.rules.play(game.board, after, a)
        worth: int = game.greedy.promise(game.board, s, a, after)
        return worth

    promises = [promise(token) for token in legal]
    most = max(promises)
    return luck.choice([token for token, worth in zip(legal, promises, strict=True) if worth == most])
