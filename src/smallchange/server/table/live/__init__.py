"""Live tables: loaded, changed by commands, played by bots, watched and forgotten."""
