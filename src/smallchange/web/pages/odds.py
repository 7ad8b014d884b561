"""Measures how a simple player does in each game for one, and writes it into the game's folder:

python -m smallchange.web.pages.odds
"""

from __future__ import annotations

import json

from smallchange.game import Game, games
from smallchange.lab.measure import Spread
from smallchange.lab.simulate import simulate

from .measured import MEASURED, Odds

GAMES = 100_000


def measure(game: Game) -> Odds:
    run = simulate(game, GAMES, "greedy", seed=1)
    assert isinstance(run.score, Spread)
    won = sum(n for label, n in run.outcomes.items() if label.startswith("won"))
    scores = {str(score): n for score, n in run.score.counts.items()}
    return Odds(run.n, won, scores, run.version, run.command)


if __name__ == "__main__":
    for game in map(Game, games()):
        if len(game.seats) == 1:
            text = json.dumps(measure(game)._asdict(), indent=1) + "\n"
            (game.folder / MEASURED).write_text(text, encoding="utf-8")
