"""The programs that made the product's results; nothing of it is in the wheel (`README.md` lists them)."""
