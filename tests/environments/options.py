"""The environments that the checkers of other libraries look at: every game, and some options of each kind."""

from typing import Any

import smallchange

OTHER_OPTIONS: dict[str, dict[str, Any]] = {
    "coin-age": {"map": "random", "quiet_limit": 6},
    "coin-collectors": {"acceptable_losses": True, "rolls": 3},
    "dodgem": {"size": 3, "blocked": "loses", "start": "crosswise"},
    "solo": {"board": "galaxy", "hole": "fly", "whip": True, "entry": "choose", "stack_free_moves": True},
    "thrag": {"weapons": "none", "exhausted": "fight_on", "show_used": True},
}
CASES = [
    (id, options)
    for id in smallchange.games()
    for options in ({}, OTHER_OPTIONS.get(id))
    if options is not None
]
