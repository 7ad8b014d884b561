"""Count and measure."""

from __future__ import annotations

import click

from smallchange.game import Game, Position

from .options import per_game


@per_game
@click.option("--depth", "-d", type=click.IntRange(0, 20), default=3, show_default=True, help="Steps deep.")
@click.option("--split", is_flag=True, help="Count below each first step.")
def perft(game: Game, depth: int, split: bool) -> None:
    """Count the sequences of steps from the start, chance included: the test of every rules engine."""
    start = game.start()
    if split and depth:
        for token in start:
            after = start.copy()
            after.take(token)
            click.echo(f"{token} {sequences(after, depth - 1)}")
    click.echo(str(sequences(start, depth)))


def sequences(position: Position, depth: int) -> int:
    """How many sequences of exactly `depth` steps there are; a game that is over adds nothing."""
    if depth == 0:
        return 1
    actions = position.actions() or position.odds()[0]
    if depth == 1:
        return len(actions)
    total = 0
    for a in actions:
        after = position.copy()
        position.game.rules.play(position.game.board, after.s, a)
        total += sequences(after, depth - 1)
    return total
