"""Experiments: run many games, and report the results with their uncertainty."""

from smallchange.core.extras import require

require("lab", "numba", "numpy")
