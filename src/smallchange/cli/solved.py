"""The values of a position and its moves in a solved game, for `smallchange exact`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from smallchange.core.errors import BadPosition
from smallchange.core.game import Game, Position

from .options import print_json

if TYPE_CHECKING:
    from smallchange.tablebase import Table, Value
    from smallchange.tablebase.chance_table import ValueTable

OUTCOMES = {"win": "won", "draw": "drawn", "loss": "lost"}


def print_solved_values(position: Position, as_json: bool) -> bool:
    """Print the values of a solved game, made at once for a small one; return False where there is no table."""
    from smallchange.bots.engines.tablebase import get_or_make_table
    from smallchange.bots.engines.value_table import existing_values
    from smallchange.tablebase.ranked_games import has_ranking

    if position.game.sources:
        if values := existing_values(position.game):
            print_chance_values(values, position, as_json)
        return values is not None
    table = get_or_make_table(position.game) if has_ranking(position.game) else None
    if table:
        print_table_values(table, position, as_json)
    return table is not None


def print_table_values(table: Table, position: Position, as_json: bool) -> None:
    """Print the values that a table has for a position and each move, the best first."""
    from smallchange.tablebase.table import goodness

    try:
        value, steps = table.value(position), table.steps(position)
    except BadPosition as wrong:
        if position.s.turn < 0 or position in table:
            raise
        raise click.ClickException(
            f"{wrong}; `{solve_command(position.game)}` makes the whole table"
        ) from wrong
    steps.sort(key=lambda step: -goodness(step[1]))
    if as_json:
        moves = [{"token": token, **step._asdict()} for token, step in steps]
        print_json({"position": position.key(), "turn": position.actor, **value._asdict(), "moves": moves})
        return
    click.echo(f"{position.actor} to move: {value_text(value)}")
    for token, step in steps:
        click.echo(f"  {token:12} {value_text(step)}")


def print_chance_values(table: ValueTable, position: Position, as_json: bool) -> None:
    """Print the values of a position with chance and of each move, to the player to move."""
    seat = max(0, position.s.turn)
    value, moves = table.value(position, seat), table.moves(position) if position.s.turn >= 0 else {}
    steps = sorted(moves.items(), key=lambda move: -move[1])
    if as_json:
        found = [{"token": token, "value": worth} for token, worth in steps]
        told = {"position": position.key(), "turn": position.actor, "value": value, "error": table.error}
        print_json({**told, "moves": found})
        return
    click.echo(
        f"{position.game.seats[seat]} wins {100 * value:.3f} % of games, within {100 * table.error:.4f}"
    )
    for token, worth in steps:
        click.echo(f"  {token:12} {100 * worth:.3f} %")


def solve_command(game: Game) -> str:
    """Return the command that makes the table of a game."""
    return shlex.join(["smallchange", "solve", game.id, *game.arguments])


def value_text(value: Value) -> str:
    """Say a value in words.

    >>> from smallchange.tablebase import Value
    >>> value_text(Value("win", 19)), value_text(Value("loss", None)), value_text(Value("draw", None))
    ('won in 19', 'lost', 'drawn')
    """
    return OUTCOMES[value.outcome] + (f" in {value.plies}" if value.plies else "")
