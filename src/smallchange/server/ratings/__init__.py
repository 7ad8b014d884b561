"""Ratings of players, house bots and play."""
