"""Coin Collectors, by Don Kirkby (2003): one player, four pawns, 24 coins."""
