"""The server: play in the browser, with one authority and many watchers. `http/app.py` lists all routes."""
