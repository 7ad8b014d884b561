"""The terminal application: tables with keyboard and mouse, here or at a server. It needs the extra `tui`."""
