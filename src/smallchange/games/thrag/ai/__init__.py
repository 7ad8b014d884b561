"""The bots' knowledge of One Man: Thrag!: one module for each part, all of them optional but the heuristic."""
