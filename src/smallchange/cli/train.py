"""Learn by self-play."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

import click

from smallchange.files import naming
from smallchange.game import Game

from .options import (
    FILE,
    NOTHING,
    WholeNumber,
    bar,
    counted,
    kept,
    needing,
    per_game,
    reading,
    refuse,
    writing,
)

if TYPE_CHECKING:
    from smallchange.fast.train import Lessons


@per_game
@click.option("--seed", type=WholeNumber(0, 1 << 62), default=1, show_default=True)
@click.option("--out", type=FILE, help="The file [default: GAME-values.json].")
@click.option("--install", is_flag=True, help="Write it beside the game's rules: bots go by it from then on.")
@click.option(
    "--set",
    "changed",
    multiple=True,
    metavar="NAME=NUMBER",
    help="For example games=20000; docs/laboratory.md has the names, and what they mean.",
)
@click.option("--on", is_flag=True, help="Learn on from the values beside the game's rules.")
def train(game: Game, seed: int, out: Path | None, install: bool, changed: tuple[str, ...], on: bool) -> None:
    """Learn what positions are worth by self-play, from nothing or on. The same seed learns the same.

    A game that says what a learner sees of it has a `features.py`.
    """
    with needing("fast"):
        from smallchange.fast import train as school
        from smallchange.fast import weights

    if not weights.learnable(game):
        raise click.ClickException(f"{game.id} does not say what a learner sees of it: it has no features.py")
    if install and out:
        raise click.UsageError("--install says where the file goes, and so does --out")
    plan = lessons(changed, on)
    file = game.folder / weights.FILE if install else out or Path(f"{game.id}-{weights.FILE}")
    with reading(file):
        if weights.foreign(file):
            refuse(file, "holds no learned values", "--out")
    begun = weights.read(game) if on else None
    with writing(file), naming(file), TemporaryFile(dir=file.parent, prefix=file.name):
        pass  # or all that is learned would be lost
    with kept(NOTHING), bar("games", plan.games) as said:
        learned = school.train(game, plan, seed, lambda done, _: said(done), begun)
    words = ["smallchange", "train", game.id, *game.arguments, "--seed", str(seed), *["--on"] * on]
    command = shlex.join([*words, *(word for name in changed for word in ("--set", name))])
    games = plan.games
    if begun is not None:
        command, games = f"{begun.made['command']} && {command}", begun.made["games"] + games
    with writing(file):
        weights.write(file, game, replace(learned, made={"command": command, "seed": seed, "games": games}))
    click.echo(f"{file}: {learned.first.size + learned.second.size} weights after {counted(games, 'game')}")


def lessons(changed: Sequence[str], on: bool) -> Lessons:
    """How to learn: as usual, but for what these say, NAME=NUMBER each."""
    from smallchange.fast.train import FROM_NOTHING, Lessons, accepted

    known, chosen = asdict(Lessons()), {}
    for word in changed:
        name, told, number = word.partition("=")
        if not told or name not in known:
            raise click.ClickException(f"--set takes NAME=NUMBER, the names being {', '.join(known)}")
        if on and name in FROM_NOTHING:
            raise click.ClickException(f"--set {name} is for learning from nothing, not for --on")
        try:
            chosen[name] = type(known[name])(number)
        except ValueError:
            raise click.ClickException(f"--set {accepted(name)}, not {number!r:.80}") from None
    if "games" in chosen and "batch" not in chosen:
        chosen["batch"] = max(1, min(known["batch"], chosen["games"]))
    try:
        return Lessons(**chosen)
    except ValueError as wrong:
        raise click.ClickException(f"--set {wrong}") from None
