"""The scores of the rule of thumb in a game for one, which say how difficult the game is."""

from __future__ import annotations

import json

from smallchange.core.game import Game
from smallchange.lab.simulate import simulate

GAMES = 100_000


def measure_baseline(game: Game, n: int = GAMES, seed: int = 1) -> str:
    """Play n games by the rule of thumb, and return the text of baseline_scores.json.

    It has the number of games, how many were won, how often each score came up, the version of the rules, and
    the command that plays the same games again. Raise ValueError for a game for two.
    """
    if len(game.seats) > 1:
        raise ValueError(f"{game.id} is a game for two: a baseline is for games for one")
    run = simulate(game, n, "greedy", seed)
    [spread] = run.score.values()
    won = sum(games for label, games in run.outcomes.items() if label.startswith("won"))
    scores = {str(score): games for score, games in spread.counts.items()}
    row = {"n": run.n, "won": won, "scores": scores, "rules": run.rules, "command": run.command}
    return json.dumps(row, indent=1) + "\n"
