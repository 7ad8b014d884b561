"""The command that writes a new game."""

from __future__ import annotations

from pathlib import Path

import click

NEXT = """\
{folder} has a game that plays. Change it into yours:

  smallchange --games {folder} play {id}
  SMALLCHANGE_GAMES={folder} pytest --pyargs smallchange.contract --game {id}

After pip install -e {folder} it is found without its folder being named."""


@click.command(name="new-game")
@click.argument("name")
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Its folder [default: here].",
)
def new_game(name: str, out: Path) -> None:
    """Write a package with a game of this NAME that plays on every surface, to be changed into one's own."""
    from smallchange.new_game import write_game

    try:
        folder = write_game(name, out)
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from wrong
    except FileExistsError as wrong:
        raise click.ClickException(f"{out / name} exists already") from wrong
    click.echo(NEXT.format(folder=folder, id=name))
