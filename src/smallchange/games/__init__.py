"""One folder a game. They are found by looking; nothing lists them."""
