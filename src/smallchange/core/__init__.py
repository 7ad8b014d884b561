"""Games, positions, matches, options and records: everything that needs neither search nor a server."""
