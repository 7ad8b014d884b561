"""Kernels of results: written as those of the engine, whose compiled modules may name them in full."""
