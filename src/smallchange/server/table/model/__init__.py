"""The model of a table: events, the history that they make, clocks, and what each seat may do."""
