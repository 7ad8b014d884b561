"""Experiments: run many games, and say what came of them with the uncertainty that is left."""

from smallchange.core.extras import require

require("lab", "numba", "numpy")
