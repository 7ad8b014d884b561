"""The model of a table: events, the history made of them, clocks, and the choices of each seat."""
