"""The exact worth of a position."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from smallchange.errors import BadPosition
from smallchange.game import Position

from .options import WholeNumber, counted, needing
from .records import match_of, until

if TYPE_CHECKING:
    from smallchange.solve.exact import Exact

SAID = {"win": "wins", "score": "expected score", "aim": "expected aim"}


@click.command()
@click.argument("where", metavar="RECORD|POSITION")
@click.option("--at", "ply", type=WholeNumber(0), help="After this many steps [default: all].")
@click.option(
    "--goal", type=click.Choice(list(SAID)), default="win", show_default=True, help="What is sought."
)
@click.option("--seconds", type=click.FloatRange(0), default=60, show_default=True, help="How long to try.")
def exact(where: str, ply: int | None, goal: str, seconds: float) -> None:
    """What a position late in a game is worth under perfect play: the exact odds, as a fraction.

    The position is the text that a position prints, or that of a record, at its end or --at a step. No worth
    is found where play may go on too long. In games for two a draw counts as half a win.
    """
    with needing("fast"):
        from smallchange.solve.exact import Exact, TooLarge
    if not isfinite(seconds):
        raise click.UsageError(f"--seconds is a number from 0 on, not {seconds}")
    position = position_of(where, ply)
    begun = perf_counter()
    solver = Exact(position.game, goal)
    try:
        tell(solver, position, goal, seconds)
    except TooLarge as large:
        raise click.ClickException(f"no exact worth found: {large}") from large
    click.echo(f"{counted(solver.positions, 'position')} in {perf_counter() - begun:.2f} s")


def position_of(where: str, ply: int | None) -> Position:
    """The position that a text prints, or of a record's file."""
    if " / " in where:
        if ply is not None:
            raise click.UsageError("--at is for a record; a position has no steps before it")
        position = Position.parse(where)
        if position.actor is None:
            raise BadPosition("the game is over there")
        return position
    position = until(match_of(Path(where)), ply).position
    if position.actor is None:
        raise BadPosition("the game is over there; --at gives the position after an earlier step")
    return position


def tell(solver: Exact, position: Position, goal: str, seconds: float) -> None:
    """Print what a position is worth, and each move, best first; TooLarge after so many seconds."""
    until = perf_counter() + seconds
    worth = solver.worth(position, seconds)
    seats = position.game.seats
    half = ", a draw counting half" if goal == "win" and len(seats) > 1 else ""
    whose = seats[0] if len(seats) > 1 else f"the {seats[0]}"
    click.echo(f"{position.actor} is next; {SAID[goal]} of {whose}{half}: {said(worth, goal)}")
    for token, value in solver.moves(position, until - perf_counter()):
        click.echo(f"  {token:12} {said(value, goal)}")


def said(worth: Fraction, goal: str) -> str:
    """A fraction, and what it is in decimals.

    >>> said(Fraction(11, 36), "win")
    '11/36 = 30.5556 %'
    >>> said(Fraction(39, 2), "score")
    '39/2 = 19.500000'
    """
    return (
        f"{worth} = {float(worth):.4%}".replace("%", " %")
        if goal == "win"
        else f"{worth} = {float(worth):.6f}"
    )
