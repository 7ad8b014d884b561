"""The server: play in the browser, with one authority and many watchers. `app.py` has all routes."""
