"""The deal and the pair of the day."""
