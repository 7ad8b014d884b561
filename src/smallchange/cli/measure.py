"""Count and measure."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from io import StringIO
from typing import TYPE_CHECKING

import click

from smallchange.core.game import Game, Position

from .options import (
    INTERRUPTED_STATUS,
    WholeNumber,
    count_text,
    json_flag,
    per_game,
    print_json,
    progress_bar,
    require_extra,
    seed_option,
    workers_option,
)

if TYPE_CHECKING:
    from smallchange.lab.simulate import Simulation


@per_game
@click.option(
    "-n", "--games", "n", type=WholeNumber(1, 10**12), default=10_000, show_default=True, help="Games."
)
@click.option(
    "--policy",
    default="greedy",
    show_default=True,
    help="The player: a bot, LEVEL@MS, tree:N or MODULE:FUNCTION; for two: greedy,random.",
)
@seed_option(None)
@workers_option("Threads, or processes for bots that search [default: one a core].")
@json_flag
@click.option("--csv", "as_csv", is_flag=True, help="Print the outcome table as CSV.")
def simulate(
    game: Game, n: int, policy: str, seed: int | None, workers: int | None, as_json: bool, as_csv: bool
) -> None:
    """Play whole games by a policy, on all cores, and print how they ended, with intervals.

    random and greedy play thousands of games a second. Levels, searches and functions of your own are asked move
    by move: begin with -n 100.
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv are two forms: ask for one of them")
    with require_extra("fast"):
        from smallchange.lab import simulate as lab
    with require_extra("lab"), progress_bar("games", n) as progress:
        done = lab.simulate(game, n, policy, seed, workers, progress)
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
        sys.exit(INTERRUPTED_STATUS)


def _report(game: Game, done: Simulation) -> None:
    """Print a simulation as text."""
    broken_off = "" if done.complete else " (broken off)"
    click.echo(f"{game!r}, policy {done.policy}, n = {done.n}{broken_off}")
    click.echo("")
    for label, games, share, low, high in done.to_rows()[1:]:
        click.echo(f"  {label:24} {games:>10}  {share:8.2%}  [{low:.2%}, {high:.2%}]")
    click.echo("")
    for player in game.seats:
        rate, spread = done.win_rate[player], done.score[player]
        click.echo(f"{player} wins {rate.p:.2%}, 95 % interval {rate.low:.2%} to {rate.high:.2%} (Wilson)")
        quantiles = "  ".join(f"{share} {value}" for share, value in spread.quantiles.items())
        click.echo(f"  score: mean {spread.mean:.3f}, sd {spread.sd:.3f};  {quantiles}")
    click.echo(f"steps a game: mean {done.mean_steps:.1f}, longest {done.longest}")
    speed = f"{done.games_per_s:,.0f} games/s, {done.steps_per_s:,.0f} steps/s"
    click.echo(f"{done.seconds:.2f} s: {speed}, {count_text(done.workers, 'worker')}")
    clock = "; a player looks at the clock: not quite the same" if done.by_the_clock else ""
    click.echo(f"seed {done.seed}; again: {done.command}{clock}")


@per_game
@click.option("--depth", "-d", type=WholeNumber(0, 20), default=3, show_default=True, help="Steps deep.")
@click.option("--split", is_flag=True, help="Count below each first step.")
@json_flag
def perft(game: Game, depth: int, split: bool, as_json: bool) -> None:
    """Count the sequences of steps from the start, chance included: a test for other rules engines.

    Counted by the compiled rules where Numba is installed, else by Python, to the same number.
    """
    start = game.start()
    count = _compiled_count(game) or sequences
    below = {token: count(start.played(token), depth - 1) for token in start} if split and depth else {}
    n = sum(below.values()) if below else count(start, depth)
    if as_json:
        about = {
            "game": game.id,
            "options": game.non_default_options,
            "rules": game.version,
            "depth": depth,
            "sequences": n,
        }
        print_json(about | ({"split": below} if split else {}))
        return
    for token, sequences_below in below.items():
        click.echo(f"{token} {sequences_below}")
    click.echo(str(n))


def _compiled_count(game: Game) -> Callable[[Position, int], int] | None:
    """Return `sequences` by the compiled rules; None where Numba is not installed."""
    try:
        from smallchange.engine import compile_game
    except ModuleNotFoundError:
        return None
    compiled = compile_game(game)
    return lambda position, depth: compiled.perft(compiled.record(position.s), depth)


def sequences(position: Position, depth: int) -> int:
    """Count the sequences of exactly `depth` steps; a game that ends before adds nothing."""
    if depth == 0:
        return 1
    actions = position.legal_actions() or position.outcome_actions()[0]
    if depth == 1:
        return len(actions)
    total = 0
    for a in actions:
        after = position.copy()
        position.game.rules.play(position.game.board, after.s, a)
        total += sequences(after, depth - 1)
    return total
