"""Bounds on the score of any play."""

from __future__ import annotations

import json

import click

from smallchange.core.commitment import DEAL_BYTES
from smallchange.core.game import Game
from smallchange.core.match import Match

from .options import (
    NOTHING_KEPT,
    WholeNumber,
    count_text,
    per_game,
    progress_bar,
    report_interrupt,
    require_extra,
    seed_option,
)

MANY = 50_000_000  # positions of a deal, 2 GB of memory


@per_game
@click.option(
    "-n", "--games", "n", type=WholeNumber(1, 1_000_000), default=100, show_default=True, help="Deals."
)
@seed_option(0)
@click.option(
    "--manner",
    type=click.Choice(["object", "move"]),
    show_default="object",
    help="The luck known in advance: the k-th throw of each object, or the throws after the k-th move.",
)
@click.option(
    "--far",
    type=WholeNumber(0, 1023),
    metavar="SCORE",
    help="The odds of getting to this score, without foresight, where scores grow from 0. Only low ones: "
    "each deal takes up to half a minute and 2 GB until it proves too large.",
)
@click.option("--most", type=WholeNumber(1, MANY), show_default="200,000", help="Positions a deal.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bound(
    game: Game, n: int, seed: int, manner: str | None, far: int | None, most: int | None, as_json: bool
) -> None:
    """Compute an upper bound on any player's win rate in a game for one.

    The bound assumes that every throw is known in advance.
    """
    if len(game.seats) > 1:
        raise click.ClickException(f"{game.id} is a game for two: a bound is for games for one")
    if far is not None and (manner or most):
        raise click.UsageError("--far is without foresight: --manner and --most say nothing beside it")
    if far is not None and (begins := _first_score(game)):
        raise click.ClickException(f"--far is where scores grow from 0; in {game.id} they begin at {begins}")
    with require_extra("fast"):
        from smallchange.lab import bounds as lab
        from smallchange.tablebase.exact import TooLarge
    with report_interrupt(NOTHING_KEPT), progress_bar("deals", n) as progress:
        try:
            if far is None:
                found = lab.foreseen(game, n, seed, manner or "object", most or lab.MOST, progress)
            else:
                found = lab.bound_from_start(game, n, far, seed, progress)
        except TooLarge as large:
            raise click.ClickException(f"no odds found of getting to a score of {far}: {large}") from large
    if as_json:
        click.echo(json.dumps(found.to_json(), ensure_ascii=False))
        return
    click.echo(f"{game!r}: no play wins more than {found.rate:.2%}, by {found.kind}; n = {n}")
    unsettled = count_text(found.unsettled, "deal")
    click.echo(f"95 % interval {found.low:.2%} to {found.high:.2%}; {unsettled} not settled")
    if found.score is not None:
        click.echo(f"nor has it a better score than {found.score:.3f} on the average")
    click.echo(f"{found.seconds:.1f} s; again: {found.command}")


def _first_score(game: Game) -> int:
    """Return the score at the first move."""
    match = Match(game, deal=bytes(DEAL_BYTES))
    match.settle()
    return int(game.rules.score(game.board, match.position.s, 0))
