"""A table as its viewers see it: plain data, and the fragments of the page drawn from it."""
