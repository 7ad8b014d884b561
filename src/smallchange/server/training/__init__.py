"""Training: puzzles one after another, at the level of who solves them."""
