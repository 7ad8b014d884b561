"""Piecepack Dodg'em, by Michael Schoessow (2004): two players, no chance."""
