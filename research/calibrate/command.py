"""Measure a game's bots, and write the figures into the game's folder.

    python -m research calibrate GAME levels|hints|given|baseline|deals|odds

`__init__.py` of this folder says which file of a game's folder each makes.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click

from smallchange.bots import MOVE_TIME_S
from smallchange.bots.levels import FILE, LEVELS, Level, description, load_bots, strength, to_json
from smallchange.cli.laboratory import laboratory
from smallchange.cli.options import (
    WholeNumber,
    count_text,
    json_flag,
    per_game,
    print_json,
    progress_bar,
    report_read_errors,
    report_write_errors,
    seed_option,
    workers_option,
    write,
)
from smallchange.core.data_folder import data_folder
from smallchange.core.game import Game

TARGETS = ("levels", "hints", "given", "baseline", "odds", "deals")
FILES = {
    "levels": FILE,
    "hints": FILE,
    "given": FILE,
    "baseline": "baseline_scores.json",
    "odds": "win_rates.json",
    "deals": "deal_bands.json",
}
Say = Callable[[str], None]
GAMES = {"levels": 400, "hints": 400, "given": 20, "baseline": 100_000, "deals": 100}  # by default


@per_game
@click.argument("what", type=click.Choice(TARGETS))
@click.argument("names", metavar="[BOT ..|EXPERIMENT]", nargs=-1)
@click.option(
    "-n", "--games", "n", type=WholeNumber(1, 1_000_000),
    help="Games [default: 400 of each bot; 20 for given; 100,000 for baseline; 100 deals].",
)  # fmt: skip
@seed_option()
@click.option(
    "--seconds", type=click.FloatRange(0), default=MOVE_TIME_S, show_default=True,
    help="Time for a move, for levels.",
)  # fmt: skip
@workers_option("Processes, for levels, given and odds.", 1)
@click.option(
    "--folder", type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Where to write the file [default: the game's folder, where bots and pages look].",
)  # fmt: skip
@json_flag
def calibrate(
    game: Game, what: str, names: tuple[str, ...], n: int | None, seed: int, seconds: float, workers: int,
    folder: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Measure a game's bots, and write the figures into the game's folder.

    levels [BOT ..]: the strength of each bot, into levels.json. hints: the odds that the best bot gives with
    hints, for these options, into levels.json. given [BOT ..]: the odds that each level gives away per choice in
    games against itself, as reviews judge them, into levels.json. baseline: the scores of greedy in a game for one,
    into baseline_scores.json. odds EXPERIMENT: the win rates of the best bot with the options that an experiment's
    TOML file lists, into win_rates.json. deals: from which odds at its start a deal of a game for one is easy or
    hard, with these options, into deal_bands.json.
    """
    if what not in ("hints", "deals") and game.non_default_options:
        raise click.UsageError(f"{what} takes no options of the game, only hints and deals do")
    if names and what not in ("levels", "given", "odds"):
        raise click.UsageError(f"{what} takes nothing more, not {' '.join(names)!r:.80}")
    folder = folder or game.folder
    say = _be_silent if as_json else click.echo
    with laboratory():
        if what == "levels":
            _levels(game, names, n or GAMES[what], seed, seconds, workers, folder, say)
        elif what == "hints":
            _hints(game, n or GAMES[what], seed, folder, say)
        elif what == "given":
            _given_away(game, names, n or GAMES[what], seed, workers, folder, say)
        elif what == "baseline":
            _baseline(game, n or GAMES[what], seed, folder, say)
        elif what == "deals":
            _deals(game, n or GAMES[what], seed, folder, say)
        else:
            _odds(game, names, workers, folder, say)
    if as_json:
        file = folder / FILES[what]
        print_json(
            {"game": game.id, "file": str(file), "figures": json.loads(file.read_text(encoding="utf-8"))}
        )


def _be_silent(text: str) -> None:
    """Print nothing."""


def _levels(
    game: Game,
    names: tuple[str, ...],
    n: int,
    seed: int,
    seconds: float,
    workers: int,
    folder: Path,
    say: Say,
) -> None:
    from research.calibrate.levels import measure_level

    levels = _known_bots(game, names)
    for name in names or list(levels):
        with progress_bar(name, n) as progress:
            measured = measure_level(game, levels, name, n, seed, seconds, workers, progress)
        levels[name] = replace(levels[name], measured=measured)
        _write(folder / FILE, to_json(levels))
        figures = (
            f"{strength(levels[name], game.version).en}, {measured.ms:g} ms" if measured else "the weakest"
        )
        score = f", score {measured.score}" if measured and measured.score is not None else ""
        say(f"{name:8} {description(levels[name]).en}: {figures}{score}")
    say(str(folder / FILE))


def _known_bots(game: Game, names: tuple[str, ...]) -> dict[str, Level]:
    """Return the bots of a game. Refuse names that are not among them."""
    levels = dict(load_bots(game))
    for name in names:
        if name not in levels:
            raise click.UsageError(f"{game.id} has no bot {name!r}; its bots are: {', '.join(levels)}")
    return levels


def _given_away(
    game: Game, names: tuple[str, ...], n: int, seed: int, workers: int, folder: Path, say: Say
) -> None:
    from research.calibrate.given_away import measure_given_away

    levels = _known_bots(game, names)
    for name in names or [name for name in LEVELS if name in levels]:
        with progress_bar(name, n) as progress:
            given = measure_given_away(game, name, n, seed, workers, progress)
        levels[name] = replace(levels[name], given=given)
        _write(folder / FILE, to_json(levels))
        figures = f"{100 * given.mean:.2f}% per choice ({100 * given.low:.2f} to {100 * given.high:.2f})"
        say(f"{name:8} {figures}, {count_text(given.choices, 'choice')}")
    say(str(folder / FILE))


def _hints(game: Game, n: int, seed: int, folder: Path, say: Say) -> None:
    from research.calibrate.hints import calibrate_hints, needs_calibration

    if not needs_calibration(game):
        raise click.UsageError(f"hints in {game.id} need no calibration: its best bot uses alpha-beta search")
    with progress_bar("games", n) as progress:
        levels = calibrate_hints(game, n, seed, progress)
    _write(folder / FILE, to_json(levels))
    say(f"{folder / FILE}: {count_text(n, 'game')}")


def _baseline(game: Game, n: int, seed: int, folder: Path, say: Say) -> None:
    from research.calibrate import BASELINE_FILE
    from research.calibrate.baseline import measure_baseline

    if len(game.seats) > 1:
        raise click.UsageError(f"{game.id} is a game for two: a baseline is for games for one")
    _write(folder / BASELINE_FILE, measure_baseline(game, n, seed))
    say(f"{folder / BASELINE_FILE}: {count_text(n, 'game')}")


def _deals(game: Game, n: int, seed: int, folder: Path, say: Say) -> None:
    from research.calibrate.deals import measure_bands

    try:
        with progress_bar("deals", n) as progress:
            bands = measure_bands(game, n, seed, progress)
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from None
    _write(folder / FILES["deals"], bands)
    say(f"{folder / FILES['deals']}: {count_text(n, 'deal')}")


def _odds(game: Game, names: tuple[str, ...], workers: int, folder: Path, say: Say) -> None:
    from research.calibrate import WIN_RATES_FILE
    from research.calibrate.win_rates import win_rates_json
    from smallchange.lab.experiment import run
    from smallchange.lab.experiment_grid import read
    from smallchange.lab.results import read_results

    if len(names) != 1:
        raise click.UsageError("odds takes one experiment: a TOML file, as docs/laboratory.md describes it")
    file = Path(names[0])
    with report_read_errors(file):
        experiment = read(file.read_text(encoding="utf-8-sig"))
    results = data_folder() / "odds" / f"{file.stem}.parquet"
    command = shlex.join(["smallchange", "experiment", str(file)])
    with report_write_errors(results), progress_bar("games", experiment.n) as progress:
        run(experiment, results, command, workers=workers, progress=progress)
    try:
        text = win_rates_json(read_results(results), game.id, command)
    except ValueError as error:
        raise click.ClickException(f"{file}: {error}") from error
    _write(folder / WIN_RATES_FILE, text)
    say(str(folder / WIN_RATES_FILE))


def _write(file: Path, text: str) -> None:
    write(file, text.encode())
