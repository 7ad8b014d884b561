"""A table as its viewers see it: plain data, and the parts of the page drawn from it."""
