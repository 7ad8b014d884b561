"""Experiments: run many games, and say what came of them with the uncertainty that is left."""

from smallchange.extras import need

need("lab", "numba", "numpy")
