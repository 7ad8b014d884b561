"""The commands `python -m research`: certify, bound, train, calibrate and puzzles, as `smallchange` gives its own."""

from __future__ import annotations

import click

from smallchange.cli import Commands


class ResearchCommands(Commands):
    """The commands of this package."""

    package = "research"
    modules = {  # noqa: RUF012 - as in the class above
        "certify": "certify",
        "bound": "bound",
        "train": "train",
        "calibrate": "calibrate.command",
        "puzzles": "puzzles.command",
    }


@click.group(cls=ResearchCommands, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Prove, bound, learn, calibrate, and find puzzles: the work behind the product's files."""


if __name__ == "__main__":
    main(prog_name="python -m research")
