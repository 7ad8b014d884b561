"""Measures the figures behind the lobby's difficulty, and writes them into each game's folder:

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


def measured(game: Game) -> dict[str, object]:
    """n, the games won, and the command that plays them again."""
    run = simulate(game, GAMES, "greedy", seed=1)
    won = sum(n for label, n in run.outcomes.items() if label.startswith("won"))
    return {"n": run.n, "won": won, "rules": run.version, "command": run.command}


if __name__ == "__main__":
    for game in map(Game, games()):
        if len(game.seats) == 1:
            text = json.dumps(measured(game), indent=1) + "\n"
            (game.folder / MEASURED).write_text(text, encoding="utf-8")
