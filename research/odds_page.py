"""Write docs/odds.md: the odds of every game and variant.

    python -m research.odds_page [NAME ..] [--workers 2]

Each docs/odds/NAME.toml is an experiment and a section of the page. It is played (or taken up again) in the
folder of Small Change's data, and its section is written anew; without names all of them. The others stay.
The best bot's win rate in each variant is written into its game's folder too, for the page of its options.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

from research.bounds import Bound, bound_from_start, foreseen
from research.calibrate import WIN_RATES_FILE
from research.calibrate.win_rates import win_rates_json
from smallchange.bots.levels import BASIC_BOTS, best_bot
from smallchange.core.data_folder import data_folder
from smallchange.core.game import Game
from smallchange.lab.experiment import run
from smallchange.lab.experiment_grid import read
from smallchange.lab.result_tables import Sheet, changes, odds, players
from smallchange.lab.results import Results, read_results

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "odds.md"
ORDER = ("coin-collectors", "coin-age", "solo", "thrag", "dodgem")  # the first exhibit first
BOUNDS: dict[str, list[Callable[[Game], Bound]]] = {  # what no play can beat, by the deals looked at
    "coin-collectors": [
        lambda game: bound_from_start(game, 300, far=2),
        lambda game: foreseen(game, 20_000, most=4_000_000),
    ],
    "solo": [lambda game: foreseen(game, 20_000)],
    "thrag": [lambda game: foreseen(game, 20_000, manner="move", most=300_000)],
}
HEAD = """\
# The odds

The win rate of each game, in its base form and with its options, one at a time but where a row says more, by
players of different strength. Every figure was measured: the number of games, the uncertainty, the seconds,
and the command that plays the very same games again stand beside it. More games of each level in its
base form is in `bench/README.md`. This page is written by `python -m research.odds_page`; the experiments are in
`docs/odds/`.

`random` plays any legal move, `greedy` each game's own rule of thumb, one step ahead; a level is a bot that
one can play against. In a game for two the first player's policy comes first, and the edge is what moving
first is worth: points of a hundred games (a draw is half a point) above fifty.

Where a share is followed by brackets, these are its 95 % interval (Wilson); after ± stands half the 95 %
interval of a mean (Student's t; where the points of all deals were equal, how far others could move their
mean, being as many as Wilson's interval allows when none was seen; nothing where all scores or steps were
equal). Seconds are of processor time, on one core, for all games of the row.
Where two samples are compared, both met the same throws, object by object: that narrows the interval of the
difference, and a column says what it would have been for deals of their own.
"""
BEYOND = """\
However good a play is, it wins no more than this on the average of all deals: by foresight, what one wins
who knows every throw beforehand (a deal whose search gave up counts as won); or the exact odds of getting so
far."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    names = sorted((file.stem for file in DOCS.glob("odds/*.toml")), key=_place)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--workers", type=int)
    given = parser.parse_args()
    if not set(given.names) <= set(names):
        parser.error(f"the sections are: {', '.join(names)}")
    sections = _sections()
    for name in given.names or names:
        print(name, flush=True)
        sections[name] = section(name, given.workers)
        body = "\n".join(f"<!-- {name} -->\n{sections[name]}" for name in names if name in sections)
        PAGE.write_text(f"{HEAD}\n{body}", encoding="utf-8")


def _place(name: str) -> tuple[int, str]:
    return (ORDER.index(name), "") if name in ORDER else (len(ORDER), name)


def _sections() -> dict[str, str]:
    """Return the sections of the page as it is."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    parts = re.split(r"<!-- ([a-z0-9-]+) -->\n", text)[1:]
    return {name: body.rstrip("\n") + "\n" for name, body in zip(parts[::2], parts[1::2], strict=True)}


def section(name: str, workers: int | None) -> str:
    """Play the experiment of a section, and return it in tables."""
    file = DOCS / "odds" / f"{name}.toml"
    text = file.read_text(encoding="utf-8")
    out = data_folder() / "odds" / f"{name}.parquet"
    command = f"smallchange experiment docs/odds/{file.name}"
    run(read(text), out, command, workers=workers)
    results = read_results(out)
    said = tomllib.loads(text)
    lines = [f"## {said['title']}", "", said["about"].strip(), "", provenance_text(results), ""]
    for id in results.games:
        (Game(id).folder / WIN_RATES_FILE).write_text(win_rates_json(results, id, command), encoding="utf-8")
        lines += [odds(results, id).markdown(), ""]
        for sheet in (players(results, id), changes(results, id)):
            if sheet:
                lines += [f"### {sheet.title}", "", sheet.markdown(), ""]
    if name in BOUNDS:
        beyond = bounds(name)
        lines += [f"### {beyond.title}", "", beyond.note, "", beyond.markdown(), ""]
    return "\n".join(lines)


def bounds(id: str) -> Sheet:
    """Return the upper bounds on any play of the base game."""
    head = ["bound", "deals", "wins at most, %", "not settled", "score at most", "seconds", "command"]
    rows = []
    for find in BOUNDS[id]:
        found = find(Game(id))
        wins = f"{100 * found.rate:.1f} ({100 * found.low:.1f} to {100 * found.high:.1f})"
        score = "" if found.score is None else f"{found.score:.2f}"
        counts = [str(found.n), wins, str(found.unsettled), score, f"{found.seconds:.0f}"]
        rows.append([found.kind, *counts, f"`{found.command}`"])
    return Sheet("What no play can beat", BEYOND, head, rows)


def provenance_text(results: Results) -> str:
    said = results.metadata
    rules = ", ".join(
        f"{id} {version} (best bot `{best_bot(id).identity(Game(id))}`)"
        for id, version in said["rules"].items()
    )
    seeds = ", ".join(str(seed) for seed in said["seeds"])
    levels = [
        f"{name} of {id} is {what}"
        for id, found in said["policies"].items()
        for name, what in sorted(found.items())
        if name not in BASIC_BOTS
    ]
    players = "".join(f"; {level}" for level in levels)
    clock = (
        "; players that look at the clock do not play quite the same again" if said["by_the_clock"] else ""
    )
    return f"`{said['command']}`: {said['games']:,} games, seed {seeds}, rules {rules}{players}{clock}."


if __name__ == "__main__":
    main()
