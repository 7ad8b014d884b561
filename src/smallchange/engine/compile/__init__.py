"""Turn the rules of a game and the kernels into one specialised, compiled module."""
