"""The bots' knowledge of the Royal Game of Ur: one module for each part."""
