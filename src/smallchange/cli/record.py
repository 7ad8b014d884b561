"""Write a match between bots."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from smallchange import bots
from smallchange.bots import external_players
from smallchange.core.commitment import new_deal
from smallchange.core.errors import BadPolicy
from smallchange.core.game import Game
from smallchange.core.match import Match
from smallchange.core.record import to_json_text
from smallchange.core.record import write as record_text

from .options import (
    SEED,
    OutFile,
    WholeNumber,
    count_text,
    json_flag,
    per_game,
    progress_bar,
    require_extra,
    write,
)
from .play import Deal, seat_bots


@per_game
@click.option(
    "--bots", "--policy", "names", default="greedy", show_default=True,
    help="The players, one for all seats or one for each with commas: a bot, or MODULE:FUNCTION; "
    "with --seed also LEVEL@MS and tree:N.",
)  # fmt: skip
@click.option("--deal", type=Deal(), help="The luck, to play a deal again.")
@click.option("--seed", type=SEED, help="Write a game of simulations and experiments: that of this seed ..")
@click.option("--number", type=WholeNumber(0, (1 << 63) - 1), help=".. and number [default: 0].")
@click.option(
    "-n", "--games", "n", type=WholeNumber(1, 1_000_000), default=1, show_default=True,
    help="Matches: several are JSON lines, with numbers from --number on, or fresh deals.",
)  # fmt: skip
@click.option(
    "-o",
    "--out",
    type=OutFile("a record", ".txt", ".json", ".jsonl"),
    default="-",
    show_default=True,
    help="The record; - is standard output.",
)
@json_flag
def record(
    game: Game, names: str, deal: bytes | None, seed: int | None, number: int | None, n: int, out: Path,
    as_json: bool,
) -> None:  # fmt: skip
    """Let bots play a match, and write it as a record, for show, review, export and check.

    With --seed and --number it is the game of that row of `simulate` or of an experiment, step by step.
    """
    if deal is not None and (seed is not None or n > 1):
        raise click.UsageError("--deal is the luck of one match: leave out --seed and -n")
    if seed is None and number is not None:
        raise click.UsageError("--number is that of a game under a seed: name it with --seed")
    in_json = as_json or n > 1 or out.suffix in (".json", ".jsonl")
    written, steps, last = [], 0, None
    with progress_bar("matches", n) as progress:
        for done, match in enumerate(_matches(game, names, deal, seed, number or 0, n), 1):
            written.append((to_json_text if in_json else record_text)(match))
            steps, last = steps + len(match), match
            progress(done)
    assert last is not None  # as n is at least 1
    write(out, "".join(written).encode())
    if str(out) != "-":
        ending = last.ending.en if n == 1 else f"{n:,} records, one a line"
        click.echo(f"{out}: {count_text(steps, 'step')}; {ending}")


def _matches(
    game: Game, names: str, deal: bytes | None, seed: int | None, number: int, n: int
) -> Iterator[Match]:
    """Yield n matches: of a seed, from this number on, or of a deal or fresh ones."""
    if seed is None:
        players = [name.strip() for name in names.split(",")]
        for _ in range(n):
            yield bots_match(game, players, deal or new_deal())
        return
    with require_extra("fast"):
        from smallchange.lab.play_portion import row_match

        for i in range(number, number + n):
            yield row_match(game, names, seed, i)


def bots_match(game: Game, names: list[str], deal: bytes) -> Match:
    """Return a match that bots have played to its end; BadPolicy where a name is of no bot."""
    if len(names) not in (1, len(game.seats)):
        raise BadPolicy(
            f"{','.join(names)!r:.80} names {len(names)} bots; {game.id} has {len(game.seats)} seats"
        )
    seated = dict(zip(game.seats, names * len(game.seats) if len(names) == 1 else names, strict=True))
    for name in names:
        if external_players.MARK in name:
            external_players.function(name)  # or there is none
        else:
            bots.level(name, game)
    match = Match(game, deal, seated)
    players = seat_bots(match, names, wait=bots.COMPILE_TIMEOUT_S)
    while not match.over:
        if not match.settle():
            player = match.position.actor
            assert player is not None  # as chance has been settled
            match.play(players[player](match.position))
    return match
