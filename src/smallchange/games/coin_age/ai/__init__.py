"""The bots' knowledge of Coin Age: one module for each part, all of them optional but the heuristic."""
