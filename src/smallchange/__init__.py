"""Small Change: five coin games played, measured and solved by one engine."""

from .errors import (
    BadExperiment,
    BadOption,
    BadPolicy,
    BadPosition,
    BadRecord,
    BadTable,
    BadValues,
    IllegalMove,
    UnknownGame,
    UnknownMove,
)
from .game import Game, game, games
from .match import Match, Step
from .position import Position

__version__ = "0.1.0"

__all__ = [
    "BadExperiment",
    "BadOption",
    "BadPolicy",
    "BadPosition",
    "BadRecord",
    "BadTable",
    "BadValues",
    "Game",
    "IllegalMove",
    "Match",
    "Position",
    "Step",
    "UnknownGame",
    "UnknownMove",
    "game",
    "games",
]
