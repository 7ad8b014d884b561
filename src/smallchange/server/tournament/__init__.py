"""Tournaments: pairings, results and standings as pure functions of entries, pairings and times."""
