"""Tournaments: arenas, Swiss, round robins, leagues, seasons, duels."""
