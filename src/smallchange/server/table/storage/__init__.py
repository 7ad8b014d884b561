"""Tables as rows: stored events, deadlines, and what is removed after a time."""
