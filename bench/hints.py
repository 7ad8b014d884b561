"""Are hints honest? What the best bot's search says of positions, beside the games it wins from there.

    python bench/hints.py GAME [OPTION=VALUE ..] [-n 400] [--seed 1] [--write]

Whole games by the best bot; in a game for two against greedy, half of them on each side. From the deals with
even numbers it is fitted how often a game is won (a draw is half) where the search says so much and hints are
not exact; the deals with odd numbers say how right are the search, hints as they are now, and the fit. Last
what exact hints say, beside what the bot's own play makes of it. With --write the fit to all games is kept in
levels.json beside the game: hints and reviews go by it with these options from then on. Intervals take all
games of a deal for one draw.
"""

from __future__ import annotations

import argparse
import math
import random
import shlex
import sys
from dataclasses import dataclass, replace
from statistics import fmean

import smallchange
from calibration import Told, line, show
from phrases import chosen
from smallchange import BadValues, Match, mind
from smallchange.mind import levels
from smallchange.mind._ends import certain
from smallchange.mind._ready import Judged, points

AMPLE = 3600.0  # seconds a move: no clock
PORTIONS = 10  # that all positions are fitted in, as many in each
GAMES = [id for id in smallchange.games() if mind.best(smallchange.game(id)).engine != "alphabeta"]


@dataclass(frozen=True)
class Said:
    """What was said of a position in a game of a deal, which of its hints that was, is it exact, and what the
    game came to: 1 if it was won, a half if drawn."""

    deal: int
    place: int
    worth: float
    exact: bool
    won: float


def main() -> None:
    asked = arguments()
    game = chosen(asked.game, asked.options)
    command = "python bench/" + shlex.join(["hints.py", *sys.argv[1:]])
    said = [one for i in range(asked.n) for one in played(game, asked.seed, i)]
    best = mind.best(game)

    def fit(found: list[Said]) -> levels.Odds:
        return levels.Odds(game.chosen, fitted(found), asked.n, game.version, command)

    even = replace(best, odds=(fit([one for one in said if one.deal % 2 == 0]),))
    odd = [one for one in said if one.deal % 2 == 1 and not one.exact]
    sure = [Told(one.worth, one.won, one.deal) for one in said if one.deal % 2 == 1 and one.exact]
    print(
        f"command: {command}\nwon: {fmean(one.won for one in said if one.place == 0):.3f} of {asked.n} games"
    )
    for name, bot in (("the search", replace(best, odds=())), ("hints now", best), ("fitted", even)):
        print(f"\n{name}: said, won (95 %), positions, deals")
        told = [Told(bot.won(game, one.worth), one.won, one.deal) for one in odd]
        print("first ", line([one for one, of in zip(told, odd, strict=True) if of.place == 0]))
        show(told)
    print(f"\nexact: {line(sure) if sure else 'none'}")
    if asked.write:
        keep(game, fit(said))


def keep(game: smallchange.Game, odds: levels.Odds) -> None:
    """Write the fit where hints look for it."""
    bots = dict(levels.bots(game))
    best = mind.best(game)
    others = [one for one in best.odds if one.options != game.chosen]
    bots[best.name] = replace(best, odds=(*others, odds))
    (game.folder / levels.FILE).write_text(levels.written(bots), encoding="utf-8")


def played(game: smallchange.Game, seed: int, i: int) -> list[Said]:
    """What was said in game i of a seed: the deals of bench/levels.py."""
    deal, turn = divmod(i, len(game.seats))
    match, seat = Match(game, random.Random(f"{seed} {deal}").randbytes(16)), game.seats[turn]
    luck, greedy = random.Random(f"{seed} {i} thinks"), mind.bot("greedy", luck=random.Random(i))
    found: list[tuple[smallchange.Position, Judged]] = []
    while not match.over:
        position = match.position
        if position.actor == "chance":
            match.settle()
        elif position.actor == seat and len(position.legal()) > 1:
            found.append((position.copy(), best_move(position, luck)))
            match.play(found[-1][1].best)
        else:
            match.play(greedy(position))
    won = points(match.position, seat)
    assert won is not None  # the game is over
    return [Said(deal, place, one.better, one.exact, won) for place, one in enumerate(hinted(found))]


def best_move(position: smallchange.Position, luck: random.Random) -> Judged:
    """The best bot's move, and what its search says of it."""
    bot = mind.best(position.game)
    found: Judged = bot.module.hint(position, AMPLE, luck, wait=mind.WAIT, **bot.plan)
    return found


def hinted(found: list[tuple[smallchange.Position, Judged]]) -> list[Judged]:
    """What hints go by, given the searches of a game: exact odds from the last choice back to the first of
    which too much is left."""
    known = [one for _, one in found]
    for place in reversed(range(len(found))):
        position, one = found[place]
        known[place] = certain(position, None, one, mind.WAIT)
        if not known[place].exact:
            break
    return known


def fitted(said: list[Said]) -> tuple[tuple[float, float], ...]:
    """The share won by what was said, in portions that are joined until it grows with what is said; where the
    highest were joined, it is the same up to the highest of them."""
    rows = sorted((one.worth, one.won) for one in said if not one.exact)
    size = max(1, math.ceil(len(rows) / PORTIONS))
    portions = [rows[start : start + size] for start in range(0, len(rows), size)]
    kept: list[list[tuple[float, float]]] = []
    for portion in portions:
        kept.append(portion)
        while len(kept) > 1 and share(kept[-1]) <= share(kept[-2]):
            last = kept.pop()
            kept[-1] = kept[-1] + last
    points = [(said_of(part), share(part)) for part in kept]
    points += [(said_of(portions[-1]), points[-1][1])] if points else []
    return tuple(dict.fromkeys((round(worth, 4), round(won, 4)) for worth, won in points))


def said_of(rows: list[tuple[float, float]]) -> float:
    return fmean(worth for worth, _ in rows)


def share(rows: list[tuple[float, float]]) -> float:
    return fmean(won for _, won in rows)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("options", nargs="*")
    parser.add_argument("-n", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    if asked.n < 2:
        parser.error("-n is a whole number from 2 on: half of the deals say how right the others are")
    return asked


if __name__ == "__main__":
    try:
        main()
    except BadValues as missing:
        sys.exit(str(missing))
