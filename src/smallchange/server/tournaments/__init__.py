"""Tournaments: arenas, Swiss, round robins, duels."""
