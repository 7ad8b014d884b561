"""The commands that write a new game, and check one."""

from __future__ import annotations

import os
from pathlib import Path

import click

from smallchange.core.game import games, incomplete_games
from smallchange.core.game_places import FOLDERS_VARIABLE

from .options import WholeNumber, progress_bar, require_extra
from .options import check_game as known_game

NEXT = """\
{folder} has a game that plays. Change it into yours:

  smallchange --games {folder} play {id}
  smallchange check-game {folder}
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


@click.command(name="check-game")
@click.argument("package", metavar="GAME|FOLDER")
@click.option(
    "--steps",
    type=WholeNumber(0),
    default=100_000,
    show_default=True,
    help="Compiled steps, at random and greedily, on all boards together.",
)
def check_game(package: str, steps: int) -> None:
    """Check a game of one's own on every board that its options make: by its name, or by the folder that holds it.

    The first fault that is found is one line, with file and line where there are any. The tests of
    `pytest --pyargs smallchange.contract --game NAME` look at more of the texts.
    """
    with require_extra("fast"):
        from smallchange.contract.check import check_game as check
        from smallchange.contract.check import play_compiled
    for id in _ids(package):
        with progress_bar("boards") as progress:
            boards = check(id, progress)
        click.echo(f"{id}: no fault on {len(boards):,} board{'s' * (len(boards) > 1)}")
        if steps:
            click.echo(f"{id}: {play_compiled(boards, steps):,} compiled steps")


def _ids(package: str) -> list[str]:
    """Return the games that are meant: one by its name, or those of a folder."""
    folder = Path(package).expanduser()
    if not folder.is_dir():
        return [known_game(click.get_current_context(), None, package)]
    folder = folder.absolute().parent if (folder / "rules.py").exists() else folder.absolute()
    before = {*games(), *incomplete_games()}
    os.environ[FOLDERS_VARIABLE] = os.pathsep.join(
        [str(folder), *filter(None, [os.environ.get(FOLDERS_VARIABLE)])]
    )
    found = sorted({*games(), *incomplete_games()} - before)
    if not found:
        raise click.UsageError(f"{package} holds no game: a game is a folder with model.py and rules.py")
    return found
