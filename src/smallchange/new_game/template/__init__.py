"""Pig: throw a die as often as you dare; a null takes all that the turn has brought."""
