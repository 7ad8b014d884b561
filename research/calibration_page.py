"""Write docs/calibration.md: whether the chances are true that hints and reviews give.

    python -m research.calibration_page [GAME ..] [-n 1000] [--seed 2026] [--workers 2]

Play the best bot's games, and compare the chance that it gives at each of its choices with the result. Played
games are kept in the folder of Small Change's data and taken up again. The games named, or all, get their
figures in docs/calibration.json anew; the page and its picture are written from that file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import smallchange
from research.calibrate.hints import play_game
from research.calibrate.processes import in_processes
from smallchange import bots
from smallchange.core.data_folder import data_folder
from smallchange.core.game import Game
from smallchange.lab.charts import reliability, standalone
from smallchange.lab.reliability import Bin, Forecast, bins
from smallchange.lab.statistics import Rate

DOCS = Path(__file__).parent.parent / "docs"
FIGURES, PAGE, PICTURE = (DOCS / f"calibration.{end}" for end in ("json", "md", "svg"))
BATCH = 20  # games that are kept at a time
HEAD = """\
# Are the chances true?

Hints and reviews tell a chance to win: “the best bot expects to win 60 % of games from there”. It is true if of
all positions with that chance 60 % are won. So the best bot played whole games on throws that no calibration
had seen, and each of its choices gave a forecast: the chance that a hint or a review gives there. {games} games
gave {positions} forecasts. They are sorted into tenths, and beside the mean of what was said stands what was won
from there (a draw is half a win).

Positions of one deal depend on one another. An interval (95 %, Wilson) therefore counts deals, not positions.
Of {all} tenths {held} hold what was said within their interval; if every chance were exact, {expected} would be
expected to. Exact odds, which hints give late in a game and call exact, are no forecasts; they are left out here,
and tests compare them with whole searches.

![What was won of what was said, by game](calibration.svg)

A dot is a tenth with its interval; the line is where both are equal. A square lies off the line.

The other player is whom the odds expect: in Coin Age the rule of thumb, half of the games on each side; in Dodg'em
and the Royal Game of Ur the bot itself, in Dodg'em after two to nine random moves.
Solo's games were played under rules 2, which differ from 3 on the torus alone.
This page is written by `python -m research.calibration_page`.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(smallchange.games()))
    parser.add_argument("-n", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    if not set(asked.games) <= set(smallchange.games()):
        parser.error(f"the games are: {', '.join(smallchange.games())}")
    figures = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    for id in asked.games or smallchange.games():
        found = bins(forecasts(id, asked.n, asked.seed, asked.workers))
        command = f"python -m research.calibration_page {id} -n {asked.n} --seed {asked.seed}"
        figures[id] = {
            "command": command,
            "games": asked.n,
            "rules": Game(id).version,
            "bot": bots.best_bot(id).identity(Game(id)),
            "bins": [asdict(one) for one in found],
        }
        text = json.dumps(dict(sorted(figures.items())), indent=1)
        FIGURES.write_text(f"{text}\n", encoding="utf-8")
        write_page(figures)


def forecasts(id: str, n: int, seed: int, workers: int) -> Iterator[Forecast]:
    """Yield the forecasts of n games, of which those played before are read from their file."""
    bot, game = bots.best_bot(id), Game(id)
    who = hashlib.sha256(f"{game.version} {bot.identity(game)}".encode()).hexdigest()[:8]
    file = data_folder() / "calibration" / f"{id} {who} {seed}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    kept = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    for start in range(len(kept), n, BATCH):
        numbers = range(start, min(n, start + BATCH))
        kept += [json.dumps(rows) for rows in in_processes(partial(play, id, seed), numbers, workers)]
        file.write_text("".join(f"{row}\n" for row in kept), encoding="utf-8")
    for row in kept[:n]:
        for draw, value, points in json.loads(row):
            yield Forecast(bot.win_rate(game, value), points, draw)


def play(id: str, seed: int, i: int) -> list[tuple[int, float, float]]:
    """Play game i of a seed; return the draw, value and points of each choice without exact odds."""
    return [(one.deal, one.value, one.points) for one in play_game(Game(id), seed, i) if not one.exact]


def write_page(figures: dict[str, Any]) -> None:
    """Write the page and its picture from the figures of all games that have been played."""
    text, picture = page(figures)
    PAGE.write_text(text, encoding="utf-8")
    PICTURE.write_text(picture, encoding="utf-8")


def page(figures: dict[str, Any]) -> tuple[str, str]:
    """Return the page and its picture."""
    names = {id: smallchange.game(id).words.TITLE.en for id in smallchange.games() if id in figures}
    panels = {id: [Bin(**row | {"won": Rate(**row["won"])}) for row in figures[id]["bins"]] for id in names}
    every = [one for found in panels.values() for one in found]
    head = HEAD.format(
        games=f"{sum(figures[id]['games'] for id in names):,}",
        positions=f"{sum(one.positions for one in every):,}",
        all=len(every),
        held=sum(one.holds for one in every),
        expected=round(0.95 * len(every)),
    )
    title = "What was won of what was said"
    drawn = reliability([(names[id], panels[id]) for id in names], "said", "won", title)
    sections = [section(names[id], figures[id], panels[id]) for id in names]
    return "\n".join([head, *sections]), f"{standalone(drawn, title)}\n"


def section(name: str, figures: dict[str, Any], found: list[Bin]) -> str:
    """Return a game's table."""
    rows = [
        f"| {100 * one.said:.1f} | {100 * one.won.p:.1f} ({100 * one.won.low:.1f} to {100 * one.won.high:.1f})"
        f"{'' if one.holds else ' **off**'} | {one.positions:,} | {one.draws:,} |"
        for one in found
    ]
    lines = [
        f"## {name}",
        "",
        f"`{figures['command']}`, rules {figures['rules']}, bot `{figures['bot']}`.",
        "",
        "| said, % | won, % | positions | deals |",
        "| --- | --- | --- | --- |",
        *rows,
    ]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
