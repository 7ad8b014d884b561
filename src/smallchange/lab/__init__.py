"""Experiments: run many games, and report the results with their uncertainty."""

from smallchange.extras import require

require("lab", "numba", "numpy")

__all__ = [
    "compare", "design", "experiment", "experiment_grid", "fairness", "kept_matches", "ladder", "play_portion",
    "report", "results", "simulate", "statistics", "step_table",
]  # fmt: skip
