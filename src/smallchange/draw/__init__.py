"""How a position looks and is said: one table of pieces behind every picture and every text screen."""
