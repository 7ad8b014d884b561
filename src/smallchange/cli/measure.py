"""Count and measure."""

from __future__ import annotations

import csv
import json
import sys
from io import StringIO
from typing import TYPE_CHECKING

import click

from smallchange.game import Game, Position

from .options import BROKEN_OFF, WholeNumber, bar, counted, needing, per_game

if TYPE_CHECKING:
    from smallchange.lab.measure import Rate, Spread
    from smallchange.lab.simulate import Simulation


@per_game
@click.option(
    "-n", "--games", "n", type=WholeNumber(1, 10**12), default=10_000, show_default=True, help="Games."
)
@click.option(
    "--policy", default="random", show_default=True, help="random or greedy; for two: greedy,random."
)
@click.option("--seed", type=WholeNumber(0, (1 << 64) - 1), help="The same seed plays the same games.")
@click.option("--workers", type=WholeNumber(1, 1024), help="Threads [default: one a core].")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the outcome table as CSV.")
def simulate(
    game: Game, n: int, policy: str, seed: int | None, workers: int | None, as_json: bool, as_csv: bool
) -> None:
    """Play whole games under a policy, compiled and on all cores, and say what came of them."""
    if as_json and as_csv:
        raise click.UsageError("--json and --csv are two forms: ask for one of them")
    with needing("fast"):
        from smallchange.lab import simulate as lab
    with bar("games", n) as said:
        done = lab.simulate(game, n, policy, seed, workers, said)
    if as_json:
        click.echo(json.dumps(done.to_json(), ensure_ascii=False))
    elif as_csv:
        rows = StringIO()
        csv.writer(rows, lineterminator="\n").writerows(done.to_rows())
        click.echo(rows.getvalue(), nl=False)
    else:
        _report(game, done)
    if not done.complete:
        click.echo(f"broken off: {done.n:,} of {n:,} games were played", err=True)
        sys.exit(BROKEN_OFF)


def _report(game: Game, done: Simulation) -> None:
    """A simulation in words, for a person."""
    broken_off = "" if done.complete else " (broken off)"
    click.echo(f"{game!r}, policy {done.policy}, n = {done.n}{broken_off}")
    click.echo("")
    for label, games, share, low, high in done.to_rows()[1:]:
        click.echo(f"  {label:24} {games:>10}  {share:8.2%}  [{low:.2%}, {high:.2%}]")
    click.echo("")
    for player in game.seats:
        rate: Rate = done.win_rate[player] if isinstance(done.win_rate, dict) else done.win_rate
        spread: Spread = done.score[player] if isinstance(done.score, dict) else done.score
        click.echo(f"{player} wins {rate.p:.2%}, 95 % interval {rate.low:.2%} to {rate.high:.2%} (Wilson)")
        quantiles = "  ".join(f"{share} {value}" for share, value in spread.quantiles.items())
        click.echo(f"  score: mean {spread.mean:.3f}, sd {spread.sd:.3f};  {quantiles}")
    click.echo(f"steps a game: mean {done.mean_steps:.1f}, longest {done.longest}")
    speed = (
        f"{done.games_per_s:,.0f} games/s, {done.steps_per_s:,.0f} steps/s, {counted(done.workers, 'worker')}"
    )
    click.echo(f"{done.seconds:.2f} s: {speed}")
    click.echo(f"seed {done.seed}; again: {done.command}")


@per_game
@click.option("--depth", "-d", type=WholeNumber(0, 20), default=3, show_default=True, help="Steps deep.")
@click.option("--split", is_flag=True, help="Count below each first step.")
def perft(game: Game, depth: int, split: bool) -> None:
    """Count the sequences of steps from the start, chance included: the test of every rules engine."""
    start = game.start()
    if split and depth:
        for token in start:
            click.echo(f"{token} {sequences(start.after(token), depth - 1)}")
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
