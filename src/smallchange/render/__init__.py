"""Drawing: a position as a scene of pieces, and the pictures and text screens made from it."""
