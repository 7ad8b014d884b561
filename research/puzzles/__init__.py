"""The making, checking and rating of puzzles, and of `puzzle_ratings.json` in each game's folder."""
