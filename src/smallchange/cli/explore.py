"""The values of a position and its moves in a solved game."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import click

from smallchange.core.errors import BadPosition
from smallchange.core.game import Game, Position

from .exact import position_of
from .options import WholeNumber, require_extra

if TYPE_CHECKING:
    from smallchange.tablebase import Table, Value

OUTCOMES = {"win": "won", "draw": "drawn", "loss": "lost"}


@click.command()
@click.argument("where", metavar="RECORD|POSITION")
@click.option("--at", "ply", type=WholeNumber(0), help="After this many steps [default: all].")
@click.option("--json", "as_json", is_flag=True, help="Print the values as JSON.")
def explore(where: str, ply: int | None, as_json: bool) -> None:
    """Print whether a position of a solved game, and each move, is won, drawn or lost for the player to move.

    Give a position as the text that it prints, or a record, which is read at its end or --at a step. The plies
    to the end are given where they are known. A small game is solved at once; for a larger one, make a table
    with `smallchange solve` first, or only the game's opening book answers. Limits on the length of play are
    ignored: endless play is a draw. With chance, print what perfect play wins on both sides.
    """
    with require_extra("fast"):
        from smallchange.tablebase.table import goodness
    position = position_of(where, ply)
    if position.game.sources:
        explore_values(position, as_json)
        return
    table = table_of(position.game)
    try:
        value, steps = table.value(position), table.steps(position)
    except BadPosition as wrong:
        if position.s.turn < 0 or position in table:
            raise
        raise click.ClickException(
            f"{wrong}; {solve_command(position.game)} makes the whole table"
        ) from wrong
    steps.sort(key=lambda step: -goodness(step[1]))
    if as_json:
        moves = [{"token": token, **step._asdict()} for token, step in steps]
        click.echo(
            json.dumps({"position": str(position), "turn": position.actor, **value._asdict(), "moves": moves})
        )
        return
    click.echo(f"{position.actor} to move: {value_text(value)}")
    for token, step in steps:
        click.echo(f"  {token:12} {value_text(step)}")


def explore_values(position: Position, as_json: bool) -> None:
    """Print what a position of a game with chance, and each move, is worth to the player to move."""
    from smallchange.bots.engines.value_table import existing_values

    table = existing_values(position.game)
    if table is None:
        raise click.ClickException(
            f"there is no table of this game; {solve_command(position.game)} makes one"
        )
    seat = max(0, position.s.turn)
    value, moves = table.value(position, seat), table.moves(position) if position.s.turn >= 0 else {}
    steps = sorted(moves.items(), key=lambda move: -move[1])
    if as_json:
        found = [{"token": token, "value": worth} for token, worth in steps]
        told = {"position": str(position), "turn": position.actor, "value": value, "error": table.error}
        click.echo(json.dumps({**told, "moves": found}))
        return
    click.echo(
        f"{position.game.seats[seat]} wins {100 * value:.3f} % of games, within {100 * table.error:.4f}"
    )
    for token, worth in steps:
        click.echo(f"  {token:12} {100 * worth:.3f} %")


def table_of(game: Game) -> Table:
    """Return the table of a game, made at once for a small one; an error says how to make that of a larger one."""
    from smallchange.bots.engines.tablebase import get_or_make_table
    from smallchange.tablebase.ranked_games import index_of

    index_of(game)  # BadOption where the game cannot be solved
    table = get_or_make_table(game)
    if table is None:
        raise click.ClickException(f"there is no table of this game; {solve_command(game)} makes one")
    return table


def solve_command(game: Game) -> str:
    """Return the command that makes the table of a game."""
    return f"`{shlex.join(['smallchange', 'solve', game.id, *game.arguments])}`"


def value_text(value: Value) -> str:
    """Say a value in words.

    >>> from smallchange.tablebase import Value
    >>> value_text(Value("win", 19)), value_text(Value("loss", None)), value_text(Value("draw", None))
    ('won in 19', 'lost', 'drawn')
    """
    return OUTCOMES[value.outcome] + (f" in {value.plies}" if value.plies else "")
