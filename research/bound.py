"""Bounds on the score of any play.

    python -m research bound GAME --games 20000

It made the bounds in docs/laboratory.md and, by `odds_page`, those in docs/odds.md; with --solve
docs/odds/coin-collectors-deals.jsonl.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from smallchange.cli.options import (
    FILE,
    NOTHING_KEPT,
    RESUMABLE,
    WholeNumber,
    count_text,
    per_game,
    progress_bar,
    report_interrupt,
    report_write_errors,
    require_extra,
    seed_option,
)
from smallchange.core.commitment import DEAL_BYTES
from smallchange.core.game import Game
from smallchange.core.match import Match

if TYPE_CHECKING:
    from research.bounds import Bound

MIN_DEALS = 10
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
@click.option(
    "--most",
    type=WholeNumber(1, MANY),
    show_default="200,000",
    help="Positions a deal: so many in short searches, then in one.",
)
@click.option(
    "--solve",
    "file",
    type=FILE,
    help="Compute what perfect play wins in a game whose whole deals can be solved: each is, in a minute and 6 GB. "
    "FILE keeps the odds of each deal, which is not solved again.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bound(
    game: Game, n: int, seed: int, manner: str | None, far: int | None, most: int | None,
    file: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Compute an upper bound on any player's win rate in a game for one.

    The bound assumes that every throw is known in advance.
    """
    if len(game.seats) > 1:
        raise click.ClickException(f"{game.id} is a game for two: a bound is for games for one")
    if far is not None and (manner or most):
        raise click.UsageError("--far is without foresight: --manner and --most say nothing beside it")
    if far is not None and (begins := _first_score(game)):
        raise click.ClickException(f"--far is where scores grow from 0; in {game.id} they begin at {begins}")
    if file and (manner or most or far is not None):
        raise click.UsageError("--solve knows no throws: --manner, --most and --far say nothing beside it")
    if file and n < MIN_DEALS:
        raise click.UsageError(f"--solve needs {MIN_DEALS} deals or more, for an interval")
    with require_extra("lab" if file else "fast"):
        if file:
            import smallchange.lab.comparisons  # noqa: F401
    with report_interrupt(RESUMABLE if file else NOTHING_KEPT), progress_bar("deals", n) as progress:
        if file:
            found = _solve(game, n, seed, file, progress)
        elif far is None:
            found = _foresee(game, n, seed, manner, most, progress)
        else:
            found = _reach(game, n, seed, far, progress)
    if as_json:
        click.echo(json.dumps(found.to_json(), ensure_ascii=False))
        return
    says = "perfect play wins" if file else "no play wins more than"
    click.echo(f"{game!r}: {says} {found.rate:.2%}, by {found.kind}; n = {n}")
    unsettled = "" if file else f"; {count_text(found.unsettled, 'deal')} not settled"
    click.echo(f"95 % interval {found.low:.2%} to {found.high:.2%}{unsettled}")
    if found.score is not None:
        click.echo(f"nor has it a better score than {found.score:.3f} on the average")
    click.echo(f"{found.seconds:.1f} s; again: {found.command}")


def _solve(game: Game, n: int, seed: int, file: Path, progress: Callable[[int], None]) -> Bound:
    from research.bounds import solved_deals

    try:
        with report_write_errors(file):
            return solved_deals(game, n, seed, file, progress)
    except ValueError as wrong:
        raise click.ClickException(str(wrong)) from wrong


def _foresee(
    game: Game, n: int, seed: int, manner: str | None, most: int | None, progress: Callable[[int], None]
) -> Bound:
    from research.bounds import MOST, foreseen

    return foreseen(game, n, seed, manner or "object", most or MOST, progress)


def _reach(game: Game, n: int, seed: int, far: int, progress: Callable[[int], None]) -> Bound:
    from research.bounds import bound_from_start
    from smallchange.tablebase.exact import TooLarge

    try:
        return bound_from_start(game, n, far, seed, progress)
    except TooLarge as large:
        raise click.ClickException(f"no odds found of getting to a score of {far}: {large}") from large


def _first_score(game: Game) -> int:
    """Return the score at the first move."""
    match = Match(game, deal=bytes(DEAL_BYTES))
    match.settle()
    return int(game.rules.score(game.board, match.position.s, 0))
