"""Ratings of players by their results against one another: pure functions of results and times."""
