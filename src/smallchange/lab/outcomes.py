"""The endings of games, in a word or two each, counted by the million without looking at every one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from smallchange import engine
from smallchange.core.game import Game, Position


class Outcomes:
    """The endings of games played in bulk: `counts` by label, and `wins` by player."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.counts: Counter[str] = Counter()
        self.wins: Counter[str] = Counter(dict.fromkeys(game.seats, 0))

    def add(self, games: engine.Games) -> None:
        """Count the endings of these games, all of which are over."""
        kinds, which = endings(self.game, games)
        for (label, winner), n in zip(kinds, np.bincount(which).tolist(), strict=True):
            self.counts[label] += n
            if winner is not None:
                self.wins[winner] += n


def endings(game: Game, games: engine.Games) -> tuple[list[tuple[str, str | None]], Any]:
    """Return the kinds of endings, label and winner, and which[n] of them each game had.

    The games must be over. A label is made of a game's own result. Games with equal scores and an equal field
    `reason` of their last states (where a game has one) end alike, so one of them is asked for all.
    """
    columns = list(games.scores.T)
    if "reason" in game.state_type.ranges:
        columns.append(games.states["reason"])
    levels = [column - column.min() for column in columns]
    kinds = np.ravel_multi_index(levels, [int(level.max()) + 1 for level in levels])
    _, first, which = np.unique(kinds, return_index=True, return_inverse=True)
    lasts = [Position(game, engine.to_plain(game.state_type, games.states[i])) for i in first.tolist()]
    return [ending(last.result or {}, game.seats) for last in lasts], which


def ending(result: dict[str, Any], seats: tuple[str, ...]) -> tuple[str, str | None]:
    """Return the label of a result, and the player who won, if one did.

    >>> ending({"winner": "draw", "reason": "quiet", "plies": 66}, ("red", "green"))
    ('draw (quiet)', None)
    >>> ending({"won": True, "score": 24}, ("player",))
    ('won', 'player')
    """
    if "winner" in result:
        label = str(result["winner"])
        winner = label if label in seats else None
    else:
        label = "won" if result.get("won") else "lost"
        winner = seats[0] if result.get("won") else None
    return (f"{label} ({result['reason']})" if "reason" in result else label), winner
