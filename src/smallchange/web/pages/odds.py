"""Measures the figures behind the lobby's difficulty, and writes them beside the pages:

    python -m smallchange.web.pages.odds

How often the simple player of a game for one wins its base game. A game for two has none: its
difficulty is the opponent's.
"""

from __future__ import annotations

import json

from smallchange.game import Game, games
from smallchange.lab.simulate import simulate

from .lobby import MEASURED

GAMES = 100_000


def measured() -> dict[str, dict[str, object]]:
    """By game: n, the games won, and the command that plays them again."""
    figures: dict[str, dict[str, object]] = {}
    for id in games():
        game = Game(id)
        if len(game.seats) == 1:
            run = simulate(game, GAMES, "greedy", seed=1)
            won = sum(n for label, n in run.outcomes.items() if label.startswith("won"))
            figures[id] = {"n": run.n, "won": won, "rules": run.version, "command": run.command}
    return figures


if __name__ == "__main__":
    MEASURED.write_text(json.dumps(measured(), indent=1) + "\n", encoding="utf-8")
