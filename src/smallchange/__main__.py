"""`python -m smallchange` is the command `smallchange`."""

from smallchange.cli import main

main(prog_name="smallchange")
