"""The bots' knowledge of Piecepack Dodg'em: one module for each part, all of them optional but the heuristic."""
