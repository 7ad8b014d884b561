"""The win rates of the best bot with each set of options, from an experiment's results."""

from __future__ import annotations

import json

from smallchange.bots.levels import LEVELS, best_bot
from smallchange.core.game import Game
from smallchange.lab.results import Results


def win_rates_json(results: Results, id: str, command: str) -> str:
    """Return the text of a game's win_rates.json: how often the best bot won each variant.

    Wins are by seat; in a game for two the bot plays itself. Raise ValueError if it played no game.
    """
    samples = [sample for sample in results.of(id) if sample.policy == LEVELS[-1]]
    if not samples:
        raise ValueError(f"the experiment has no games of {id} by {LEVELS[-1]}")
    rows = [json.dumps({"options": one.options, "n": one.n, "wins": one.wins}) for one in samples]
    bot = json.dumps(best_bot(id).identity(Game(id)))
    head = f'{{"rules": {Game(id).version}, "bot": {bot}, "command": {json.dumps(command)}, "variants": [\n '
    return head + ",\n ".join(rows) + "\n]}\n"
