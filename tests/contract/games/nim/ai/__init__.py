"""The players of Nim."""
