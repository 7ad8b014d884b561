"""Tables as rows: stored events, deadlines, and the removal of old rows."""
