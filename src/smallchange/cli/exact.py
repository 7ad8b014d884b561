"""Exact values of positions."""

from __future__ import annotations

import math
from fractions import Fraction
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from smallchange.core.errors import BadPosition
from smallchange.core.game import Position

from .options import Number, WholeNumber, count_text, json_flag, print_json, require_extra, say
from .records import match_at, match_of
from .solved import print_solved_values, solve_command

if TYPE_CHECKING:
    from smallchange.tablebase.exact import Exact

MIN_MEMORY_GB = 0.01
SHORT = 10**12  # denominators of which a fraction is told; JSON has it in any case
GOAL_NAMES = {"win": "wins", "score": "expected score", "aim": "expected aim"}


@click.command()
@click.argument("where", metavar="RECORD|POSITION")
@click.option("--at", "ply", type=WholeNumber(0), help="After this many steps [default: all].")
@click.option(
    "--earliest",
    is_flag=True,
    help="Find the step of RECORD from which on there is an answer, and answer there.",
)
@click.option(
    "--goal",
    type=click.Choice(list(GOAL_NAMES)),
    default="win",
    show_default=True,
    help="The goal that the player maximises.",
)
@click.option(
    "--seconds", type=Number(0), default=60, show_default=True,
    help="Seconds to try; with --earliest at each step.",
)  # fmt: skip
@click.option(
    "--memory", type=Number(MIN_MEMORY_GB, 1024), default=2, show_default=True,
    help="Gigabytes that the table of positions may take.",
)  # fmt: skip
@json_flag
def exact(
    where: str, ply: int | None, earliest: bool, goal: str, seconds: float, memory: float, as_json: bool
) -> None:
    """Compute the value of a position under perfect play, and of each of its moves.

    Give a position as the text that it prints, or a record, which is read at its end or --at a step. In a solved game
    it is won, drawn or lost for the player to move, with the plies to the end where they are known: a small game is
    solved at once, for a larger one `smallchange solve` makes a table first, or its opening book answers; endless
    play is a draw. In a solved game with chance, what perfect play on both sides wins. Else the exact odds late in a
    game, as a fraction: there is no answer where play may go on too long, and --earliest finds the first step with
    one. In games for two a draw counts as half a win.
    """
    with require_extra("fast"):
        from smallchange.tablebase.exact import Exact, TooLarge
    if not (isfinite(seconds) and isfinite(memory)):
        raise click.UsageError("--seconds and --memory are numbers, not inf or nan")
    room = int(memory * (1 << 30))
    start = perf_counter()
    if earliest:
        ply, position = earliest_position(where, ply, goal, seconds, room)
    else:
        position = position_of(where, ply)
        if goal == "win" and print_solved_values(position, as_json):
            return
    solver = Exact(position.game, goal, room)
    try:
        values = exact_values(solver, position, math.inf if earliest else seconds)
    except TooLarge as large:
        advice = "" if " / " in where else "; --earliest finds the step from which on there is one"
        if position.game.ranking or position.game.chance_layers:
            advice += f"; `{solve_command(position.game)}` makes a table that has one"
        raise click.ClickException(f"no exact worth found: {large}{advice}") from large
    if as_json:
        print_json(values_json(position, goal, ply, values, solver.positions))
        return
    if earliest:
        say(f"after {count_text(ply or 0, 'step')}, and no choice before:")
    print_values(position, goal, values)
    click.echo(f"{count_text(solver.positions, 'position')} in {perf_counter() - start:.2f} s")


def earliest_position(
    where: str, last: int | None, goal: str, seconds: float, memory: int
) -> tuple[int, Position]:
    """Return the earliest choice of a record that has an exact worth, as have all after it, and its number of steps.

    They are tried from the end, or from `last` steps, each for so many seconds.
    """
    from smallchange.tablebase.exact import Exact, TooLarge

    if " / " in where:
        raise click.UsageError("--earliest is for a record; a position has no steps before it")
    match = match_at(match_of(Path(where)), last)
    found: tuple[int, Position] | None = None
    for ply in range(len(match), -1, -1):
        position = match.until(ply).position
        if position.actor in (None, "chance"):
            continue
        try:
            Exact(position.game, goal, memory).value(position, seconds)
        except TooLarge:
            break
        found = ply, position
    if found is None:
        raise click.ClickException(f"no choice of the record has an exact value within {seconds:g} s")
    return found


def position_of(where: str, ply: int | None) -> Position:
    """Return the position that a text gives, or the one of a record's file."""
    if " / " in where:
        if ply is not None:
            raise click.UsageError("--at is for a record; a position has no steps before it")
        position = Position.parse(where)
        if position.actor is None:
            raise BadPosition("the game is over there")
        return position
    position = match_at(match_of(Path(where)), ply).position
    if position.actor is None:
        raise BadPosition("the game is over there; --at gives the position after an earlier step")
    return position


class Values(NamedTuple):
    """The worth of a position to the first seat, and that of each move, best for the mover first."""

    value: Fraction
    moves: list[tuple[str, Fraction]]


def exact_values(solver: Exact, position: Position, seconds: float) -> Values:
    """Return the exact values of a position; TooLarge after so many seconds."""
    until = perf_counter() + seconds
    value = solver.value(position, seconds)
    return Values(value, solver.moves(position, until - perf_counter()))


def print_values(position: Position, goal: str, values: Values) -> None:
    """Print the value of a position, and of each move."""
    seats = position.game.seats
    half = ", a draw counting half" if goal == "win" and len(seats) > 1 else ""
    whose = seats[0] if len(seats) > 1 else f"the {seats[0]}"
    text = fraction_text(values.value, goal)
    say(f"{position.actor} is next; {GOAL_NAMES[goal]} of {whose}{half}: {text}")
    for token, value in values.moves:
        click.echo(f"  {token:12} {fraction_text(value, goal)}")


def values_json(
    position: Position, goal: str, ply: int | None, values: Values, positions: int
) -> dict[str, Any]:
    """Return exact values as plain data: fractions as text, and as numbers."""
    moves = [{"token": token, "worth": str(value), "value": float(value)} for token, value in values.moves]
    about: dict[str, Any] = {"game": position.game.id, "position": position.key(), "at": ply, "goal": goal}
    about |= {"actor": position.actor, "seat": position.game.seats[0]}
    worth = {"worth": str(values.value), "value": float(values.value)}
    return about | worth | {"moves": moves, "positions": positions}


def fraction_text(value: Fraction, goal: str) -> str:
    """Return a fraction with its decimals.

    >>> fraction_text(Fraction(11, 36), "win")
    '11/36 = 30.5556 %'
    >>> fraction_text(Fraction(39, 2), "score"), fraction_text(Fraction(1, 3**99), "win")
    ('39/2 = 19.500000', 'about 0.0000 %')
    """
    decimals = f"{100 * float(value):.4f} %" if goal == "win" else f"{float(value):.6f}"
    return f"{value} = {decimals}" if value.denominator < SHORT else f"about {decimals}"
