"""What the search of a game without chance says of positions, beside the points that come of them.

    python bench/expected.py GAME [option=value ..] [-n 200] [--seed 1]

The best bot against itself, from positions after 2 to 9 plies at random. The estimate v of a hint, for the
player to move (which scorns no draw, as the bot does), is taken for the odds 1 / (1 + exp(-v / SCALE)), a
draw being half a win: from the games with even numbers SCALE is fitted by the log loss, those with odd
numbers say how right the odds are with it, and with that of the game's `worth.py`. Intervals take a whole
game for one draw.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator
from math import exp, inf, log
from random import Random
from statistics import fmean
from typing import NamedTuple

import smallchange
from calibration import Told, show
from phrases import chosen, several
from smallchange import Match, mind
from smallchange.fast.alphabeta import NEARLY
from smallchange.fast.deepen import fits
from smallchange.mind import _alphabeta

GAMES = [id for id in smallchange.games() if fits(smallchange.game(id))]
SCALES = range(50, 1001, 10)
AMPLE = 3600.0  # seconds: no clock


class Said(NamedTuple):
    """What was said in a game of a position, and the points its player got in the end."""

    game: int
    value: int
    points: float


def main() -> None:
    asked = arguments()
    game = chosen(asked.game, asked.options)
    print("command: python bench/" + shlex.join(["expected.py", *sys.argv[1:]]))
    said = [one for i in range(asked.n) for one in played(game, asked.seed, i) if abs(one.value) < NEARLY]
    even, odd = ([one for one in said if one.game % 2 == half] for half in (0, 1))
    fitted = min(SCALES, key=lambda scale: loss(even, scale))
    for scale in (fitted, _alphabeta.scale(game)):
        print(f"\nSCALE {scale}: said, points (95 %), positions, games; log loss {loss(odd, scale):.4f}")
        show([Told(1 / (1 + exp(-one.value / scale)), one.points, one.game) for one in odd])


def played(game: smallchange.Game, seed: int, i: int) -> Iterator[Said]:
    """What was said in game i of a seed."""
    luck = Random(f"{seed} {i}")
    match, most, values = Match(game), mind.best(game).plan["most"], []
    for _ in range(luck.randint(2, 9)):
        if not match.over:
            match.play(luck.choice(match.position.legal()))
    while not match.over:
        position = match.position
        _alphabeta._engines.waited(position, 0, mind.WAIT)
        hinted = _alphabeta.looks(position, AMPLE, luck, most, scorn=0)
        found = _alphabeta.looks(position, AMPLE, luck, most)
        assert hinted
        assert found
        values.append((position.actor, hinted.value))
        match.play(game.tokens[found.action])
    lead = (match.position.score(game.seats[0]) or 0) - (match.position.score(game.seats[1]) or 0)
    first = 0.5 if lead == 0 else float(lead > 0)
    for player, value in values:
        yield Said(i, value, first if player == game.seats[0] else 1 - first)


def loss(said: list[Said], scale: float) -> float:
    """The log loss of odds by this scale; inf where nothing was said."""
    if not said:
        return inf
    return fmean(log(1 + exp(-one.value / scale)) + (1 - one.points) * one.value / scale for one in said)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("options", nargs="*", metavar="option=value")
    parser.add_argument("-n", type=several, default=200)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
