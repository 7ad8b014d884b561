"""The bots' knowledge of Coin Collectors: one module for each part, all of them optional but the heuristic."""
