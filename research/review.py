"""Measure the time of a review, and how much of its figures is noise of its searches.

    python -m research.review [GAME ..] [-n 10] [--policy greedy] [--seed 1]

Base games played by a bot, each reviewed twice with other luck and without a clock. Noise: how far apart both
are in what a choice gave away (the best odds less those of the move), as the standard deviation of one
review, of all choices, and of those that either review takes for not the best. Then how many choices cost
something in one review and less than half of MIN_COST in the other. Last, where exact odds are found within
two seconds, how the first review stands beside them. Seconds are of processor time.

lab-log.md and bench/README.md have its figures.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random
from statistics import fmean
from time import process_time

import smallchange
from smallchange import BadPolicy, Match, bots
from smallchange.bots import review
from smallchange.bots.review import MIN_COST, Choice
from smallchange.tablebase.exact import Exact, TooLarge

AMPLE = 600.0  # seconds a choice: no clock
EXACT_TIME_LIMIT_S = 2.0  # seconds for exact odds


def main() -> None:
    asked = arguments()
    print("command: python bench/" + shlex.join(["review.py", *sys.argv[1:]]))
    for id in asked.games or smallchange.games():
        matches = [play_match(id, asked.policy, asked.seed, i) for i in range(asked.n)]
        review.review(matches[0], AMPLE)  # compiles
        begun = process_time()
        first = [review.review(match, AMPLE, luck(asked.seed, i, 1)) for i, match in enumerate(matches)]
        spent = process_time() - begun
        second = [review.review(match, AMPLE, luck(asked.seed, i, 2)) for i, match in enumerate(matches)]
        tell(id, spent, asked.n, [pair for pairs in map(both, first, second) for pair in pairs])
        beside(
            [
                late
                for match, found in zip(matches, first, strict=True)
                for late in exact_choices(match, found)
            ]
        )


def play_match(id: str, policy: str, seed: int, i: int) -> Match:
    """Play match i of a seed by the bot of this name."""
    match = Match(smallchange.game(id), Random(f"{seed} {i}").randbytes(16))
    play = bots.bot(policy, luck=luck(seed, i, 0))
    while not match.over:
        if not match.settle():
            match.play(play(match.position))
    return match


def luck(seed: int, i: int, which: int) -> Random:
    return Random(f"{seed} {i} review {which}")


def both(first: Sequence[Choice], second: Sequence[Choice]) -> list[tuple[Choice, Choice]]:
    return list(zip(first, second, strict=True))


def tell(id: str, spent: float, n: int, pairs: list[tuple[Choice, Choice]]) -> None:
    """Print the figures of a game's reviews."""
    known = [(cost(one), cost(two)) for one, two in pairs if None not in (one.chance, two.chance)]
    missed = [(one, two) for one, two in known if one > 0 or two > 0]
    blamed = [(one, two) for here in known for one, two in (here, here[::-1]) if one >= MIN_COST]
    less = [sum(two < least for _, two in blamed) for least in (MIN_COST, MIN_COST / 2)]
    print(
        f"{id}: {n} matches, {len(pairs) / n:.0f} choices a match, {spent / n:.2f} s a match, "
        f"{1000 * spent / len(pairs):.0f} ms a choice; {len(pairs) - len(known)} moves not looked at\n"
        f"  noise {review_deviation(known):.4f} of {len(known)} choices, "
        f"{review_deviation(missed):.4f} of {len(missed)} not the best\n"
        f"  of {len(blamed)} that cost {MIN_COST} or more, in the other review {less[0]} cost less, "
        f"{less[1]} less than half of it",
        flush=True,
    )


def exact_choices(match: Match, found: Sequence[Choice]) -> Iterator[tuple[Choice, float, float]]:
    """Yield the last choices of a match with the exact odds after each and after its best move."""
    exact, player = Exact(match.game), match.game.seats[0]
    for choice in reversed(found):
        try:
            worths = exact.moves(match.until(choice.at).position, EXACT_TIME_LIMIT_S)
        except TooLarge:
            return
        odds = {token: float(worth if choice.player == player else 1 - worth) for token, worth in worths}
        yield choice, odds[choice.token], max(odds.values())


def beside(late: list[tuple[Choice, float, float]]) -> None:
    """Print how reviews stand beside exact odds, where those are neither 0 nor 1."""
    undecided = [(choice, odds, better) for choice, odds, better in late if better > 0 and odds < 1]
    if not undecided:
        print("  no exact odds", flush=True)
        return
    off = [choice.better - better for choice, _, better in undecided]
    blamed = [better - odds for choice, odds, better in undecided if choice.cost]
    print(
        f"  beside exact odds, {len(undecided)} late choices: the best move's {fmean(off):+.3f} on average, "
        f"{sqrt(fmean(x * x for x in off)):.3f} off; of {len(blamed)} that cost something "
        f"{sum(gave < MIN_COST / 2 for gave in blamed)} gave away less than half of {MIN_COST}",
        flush=True,
    )


def cost(choice: Choice) -> float:
    """Return the cost of a choice, however small."""
    return choice.better - (choice.chance or 0.0)


def review_deviation(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the standard deviation of one review, from the differences between two."""
    return sqrt(fmean((one - two) ** 2 for one, two in pairs) / 2) if pairs else 0.0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help=f"of {', '.join(smallchange.games())} [default: all]"
    )
    parser.add_argument("-n", type=int, default=10)
    parser.add_argument("--policy", default="greedy")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for id in asked.games:
        if id not in smallchange.games():
            parser.error(f"{id!r} is no game; the games are: {', '.join(smallchange.games())}")
    if asked.n < 1:
        parser.error("-n is a whole number from 1 on")
    return asked


if __name__ == "__main__":
    try:
        main()
    except BadPolicy as unknown:
        sys.exit(str(unknown))
