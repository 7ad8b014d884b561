"""The bots' knowledge of Solo: one module for each part, all of them optional but the heuristic."""
