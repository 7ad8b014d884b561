"""My Game: take one to three coins of a heap; the player who takes the last one wins."""
