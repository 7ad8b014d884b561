"""The engines by which bots play: random, heuristic, alpha-beta, tree search, learned values, tablebases."""
