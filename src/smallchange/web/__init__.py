"""Play in the browser: one authority, many watchers. `app.py` has the list of all routes."""
