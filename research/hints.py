"""Check that hints are honest: compare the best bot's odds with the games it wins from there.

    python -m research.hints GAME [OPTION=VALUE ..] [-n 400] [--seed 1]

Plays whole games by the best bot; in a game for two against the player that its search expects. The games
with even deals are fitted (`python -m research calibrate GAME hints` fits all and keeps it); the games with odd
deals show how right the search, hints as they are now, and the fit are. The last line compares exact hints
with the bot's own play. Intervals take all games of a deal for one draw of luck.

lab-log.md and bench/README.md have its figures.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import replace
from statistics import fmean

import smallchange
from research.bins import print_bins, summary
from research.calibrate.hints import fit_curve, needs_calibration, play_game
from research.phrases import parse_game
from smallchange import BadValues, bots
from smallchange.bots.levels import OddsCalibration
from smallchange.lab.reliability import Forecast, pool

GAMES = [id for id in smallchange.games() if needs_calibration(smallchange.game(id))]


def main() -> None:
    asked = arguments()
    game = parse_game(asked.game, asked.options)
    positions = [one for i in range(asked.n) for one in play_game(game, asked.seed, i)]
    best = bots.best_bot(game)
    curve = fit_curve([one for one in positions if one.deal % 2 == 0])
    fitted = replace(
        best, odds=(OddsCalibration(game.non_default_options, curve, asked.n, game.version, ""),)
    )
    odd = [one for one in positions if one.deal % 2 == 1 and not one.exact]
    exact = [
        Forecast(one.value, one.points, one.deal) for one in positions if one.deal % 2 == 1 and one.exact
    ]
    print("command: python bench/" + shlex.join(["hints.py", *sys.argv[1:]]))
    print(f"won: {fmean(one.points for one in positions if one.place == 0):.3f} of {asked.n} games")
    for name, bot in (("the search", replace(best, odds=())), ("hints now", best), ("fitted", fitted)):
        print(f"\n{name}: odds, won (95 %), positions, deals")
        forecasts = [Forecast(bot.win_rate(game, one.value), one.points, one.deal) for one in odd]
        first = [it for it, one in zip(forecasts, odd, strict=True) if one.place == 0]
        print("first ", summary(pool(first)))
        print_bins(forecasts)
    print(f"\nexact: {summary(pool(exact)) if exact else 'none'}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("options", nargs="*")
    parser.add_argument("-n", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.n < 2:
        parser.error("-n is a whole number from 2 on: half of the deals say how right the others are")
    return asked


if __name__ == "__main__":
    try:
        main()
    except BadValues as missing:
        sys.exit(str(missing))
