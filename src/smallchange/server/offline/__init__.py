"""Games for one without a connection: the same rules, pages and pieces, run as JavaScript in the browser."""
