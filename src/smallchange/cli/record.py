"""Write a match between bots."""

from __future__ import annotations

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

from .options import FILE_OR_DASH, count_text, json_flag, per_game, write
from .play import Deal, seat_bots


@per_game
@click.option(
    "--bots", "names", default="greedy", show_default=True,
    help="The players, one for all seats or one for each with commas: a bot, or MODULE:FUNCTION.",
)  # fmt: skip
@click.option("--deal", type=Deal(), help="The luck, to play a deal again.")
@click.option(
    "-o", "--out", type=FILE_OR_DASH, default="-", show_default=True, help="The record; - is standard output."
)
@json_flag
def record(game: Game, names: str, deal: bytes | None, out: Path, as_json: bool) -> None:
    """Let bots play a match, and write it as a record, for show, review, export and check."""
    match = bots_match(game, [name.strip() for name in names.split(",")], deal or new_deal())
    write(out, (to_json_text if as_json else record_text)(match).encode())
    if str(out) != "-":
        click.echo(f"{out}: {count_text(len(match), 'step')}; {match.ending.en}")


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
