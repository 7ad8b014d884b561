"""Do deals by difficulty hold their band? Find deals of every difficulty, and measure each again on a fresh seed.

    python bench/deals.py [-n 102] [--games 0] [--presets] [GAME ...]

With --games, the bot of level 4 plays each deal so often with fresh luck from its first choice on, and the shares
of games won by difficulty are printed too.
"""

from __future__ import annotations

import argparse
from itertools import cycle, islice
from random import Random
from time import perf_counter

from smallchange import bots
from smallchange.bots.deals import DIFFICULTIES, deal_odds, find_deal, measured_bands, opening, stored_bands
from smallchange.core.game import Game, Position, games
from smallchange.lab.statistics import Rate

SEED, FRESH = 7, 8
QUICK_BOT = "level4"


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("-n", type=int, default=102, help="deals of a game, a third of each difficulty")
    ask.add_argument("--games", type=int, default=0, help="games that level 4 plays of each deal")
    ask.add_argument("--presets", action="store_true", help="check the presets with bands of their own too")
    ask.add_argument("game", nargs="*", default=[id for id in games() if len(Game(id).seats) == 1])
    given = ask.parse_args()
    if given.n < len(DIFFICULTIES) or given.n % len(DIFFICULTIES):
        ask.error(f"-n must be a multiple of {len(DIFFICULTIES)}, not {given.n}")
    for id in given.game:
        for options in [row["options"] for row in stored_bands(Game(id))] if given.presets else [{}]:
            check(Game(id, options), given.n, given.games)


def check(game: Game, n: int, played: int) -> None:
    """Find n deals, measure them again, and print how many hold their band."""
    luck, fresh, held = Random(SEED), Random(FRESH), 0
    won = dict.fromkeys(DIFFICULTIES, 0)
    seconds = []
    for difficulty in islice(cycle(DIFFICULTIES), n):
        began = perf_counter()
        deal = find_deal(game, difficulty, luck)
        seconds.append(perf_counter() - began)
        held += measured_bands(game).holds(deal_odds(game, deal, Random(fresh.random())), difficulty)
        won[difficulty] += sum(wins(opening(game, deal), fresh) for _ in range(played))
    rate, name = Rate.of(held, n), " ".join([game.id, *game.arguments])
    found = f"found in {sum(seconds) / n:.1f} s on average, {max(seconds):.1f} s at most"
    print(f"{name}: {held} of {n} hold their band ({rate.p:.1%}, {rate.low:.1%} to {rate.high:.1%}); {found}")
    for difficulty, wins_of_it in won.items() if played else ():
        share = Rate.of(wins_of_it, played * (n // len(DIFFICULTIES)))
        print(f"  {difficulty}: {QUICK_BOT} wins {share.p:.1%} ({share.low:.1%} to {share.high:.1%})")


def wins(start: Position, luck: Random) -> bool:
    """Play a position to its end with fresh luck, and return whether the player wins."""
    position, bot = start.copy(), bots.bot(QUICK_BOT, luck=Random(luck.random()))
    while position.actor is not None:
        if position.actor == "chance":
            tokens, weights = zip(*position.weights(), strict=True)
            position.play(luck.choices(tokens, weights)[0])
        else:
            position.play(bot(position))
    return position.reward(position.game.seats[0]) == 1


if __name__ == "__main__":
    main()
