"""The longest of many random games, for every game and each value of each of its options.

    python bench/longest.py [-n 100000] [GAME ...]

A variant is the base game with one option at another of its words, or at one of its bounds; where a
combination is refused, it is tried in the company of each other option's values.
"""

import argparse
from collections.abc import Iterator

import smallchange
from smallchange.core.options import Drawing, Flag, OneOf, Option, Value
from smallchange.lab.simulate import simulate


def values(option: Option) -> tuple[Value, ...]:
    if isinstance(option, Flag):
        return (False, True)
    if isinstance(option, OneOf | Drawing):
        return option.names
    return (option.low, option.high)


def make_game(id: str, options: dict[str, Value]) -> smallchange.Game | None:
    try:
        return smallchange.game(id, **options)
    except smallchange.BadOption:
        return None


def variants(id: str) -> Iterator[smallchange.Game]:
    base = smallchange.game(id)
    yield base
    for option in base.offered:
        for value in values(option):
            company = [{}, *({o.name: v} for o in base.offered if o != option for v in values(o))]
            made = filter(None, (make_game(id, {**others, option.name: value}) for others in company))
            game = next(made, None)
            if game is not None and game != base:
                yield game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("-n", type=int, default=100_000)
    parser.add_argument("games", nargs="*", default=smallchange.games())
    given = parser.parse_args()
    print("| game | options | mean steps | longest | M steps/s |\n| --- | --- | --- | --- | --- |")
    for id in given.games:
        for game in dict.fromkeys(variants(id)):
            run = simulate(game, given.n, seed=1)
            chosen = " ".join(f"{name}={value}" for name, value in game.non_default_options.items()) or "base"
            speed = f"{run.steps_per_s / 1e6:.1f}"
            print(f"| {id} | {chosen} | {run.mean_steps:.1f} | {run.longest} | {speed} |", flush=True)


if __name__ == "__main__":
    main()
