"""Learn by self-play.

    python -m research train GAME --install

It made `values.json` of each game that has one; the command stands in the file.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

import click

from smallchange.cli.options import (
    NOTHING_KEPT,
    OutFile,
    count_text,
    json_flag,
    per_game,
    print_json,
    progress_bar,
    refuse,
    report_interrupt,
    report_read_errors,
    report_write_errors,
    require_extra,
    seed_option,
)
from smallchange.core.atomic_files import naming
from smallchange.core.errors import BadOption
from smallchange.core.game import Game
from smallchange.core.measurements import VALUES_FILE

if TYPE_CHECKING:
    from research.training import TrainingPlan


@per_game
@seed_option()
@click.option("-o", "--out", type=OutFile("JSON", ".json"), help="The file [default: GAME-values.json].")
@click.option("--install", is_flag=True, help="Write it into the game's folder, where the bots use it.")
@click.option(
    "--set",
    "changed",
    multiple=True,
    metavar="NAME=NUMBER",
    help="For example games=20000; docs/laboratory.md explains the names.",
)
@json_flag
@click.option("--on", is_flag=True, help="Start from the values in the game's folder, not from nothing.")
def train(
    game: Game, seed: int, out: Path | None, install: bool, changed: tuple[str, ...], as_json: bool, on: bool
) -> None:
    """Learn the values of positions by self-play. The same seed learns the same values.

    The game needs an `ai/features.py`, which lists the inputs of a learner.
    """
    with require_extra("fast"):
        from research import training
        from smallchange.engine.search import value_weights as weights

    if not weights.has_features(game):
        raise click.ClickException(f"{game.id} has no ai/features.py, which lists the inputs of a learner")
    if install and out:
        raise click.UsageError("--install says where the file goes, and so does --out")
    plan = parse_training_plan(changed, on)
    file = game.folder / VALUES_FILE if install else out or Path(f"{game.id}-{VALUES_FILE}")
    with report_read_errors(file):
        if weights.is_foreign_file(file):
            refuse(file, "holds no learned values", "--out")
    former = weights.read_weights(game) if on else None
    with report_write_errors(file), naming(file), TemporaryFile(dir=file.parent, prefix=file.name):
        pass  # or all that is learned would be lost
    with report_interrupt(NOTHING_KEPT), progress_bar("games", plan.games) as progress:
        learned = training.train(game, plan, seed, lambda done, _: progress(done), former)
    words = ["python", "-m", "research", "train", game.id, *game.arguments]
    words += ["--seed", str(seed), *["--on"] * on]
    command = shlex.join([*words, *(word for name in changed for word in ("--set", name))])
    games = plan.games
    if former is not None:
        command, games = f"{former.provenance['command']} && {command}", former.provenance["games"] + games
    with report_write_errors(file):
        weights.write_weights(
            file, game, replace(learned, provenance={"command": command, "seed": seed, "games": games})
        )
    weight_count = learned.first.size + learned.second.size
    if as_json:
        print_json(
            {"file": str(file), "weights": weight_count, "games": games, "seed": seed, "command": command}
        )
        return
    click.echo(f"{file}: {weight_count} weights after {count_text(games, 'game')}")


def parse_training_plan(changed: Sequence[str], on: bool) -> TrainingPlan:
    """Return the default plan, changed by these, NAME=NUMBER each."""
    from research.training import FROM_NOTHING, TrainingPlan, describe_setting

    known, chosen = asdict(TrainingPlan()), {}
    for word in changed:
        name, equals, number = word.partition("=")
        if not equals or name not in known:
            raise BadOption(f"--set takes NAME=NUMBER, the names being {', '.join(known)}")
        if on and name in FROM_NOTHING:
            raise BadOption(f"--set {name} is for learning from nothing, not for --on")
        try:
            chosen[name] = type(known[name])(number)
        except ValueError:
            raise BadOption(f"--set {describe_setting(name)}, not {number!r:.80}") from None
    if "games" in chosen and "batch" not in chosen:
        chosen["batch"] = max(1, min(known["batch"], chosen["games"]))
    try:
        return TrainingPlan(**chosen)
    except ValueError as wrong:
        raise BadOption(f"--set {wrong}") from None
