"""Measure how soon the server's bots answer, for one table or ten at once, and how much they search.

    python bench/bots.py [BOT] [--game GAME] [--tables 10] [--rounds 5] [--seconds 0.25]

One worker process, so one core; milliseconds of wall time from the question to the answer.
"""

from __future__ import annotations

import argparse
import asyncio
from statistics import median
from time import perf_counter

import smallchange
from smallchange.core.game import Position
from smallchange.core.match import first_choice
from smallchange.server.table.live.bot_workers import BotWorkers


def main() -> None:
    asked = arguments()
    for id in asked.game or smallchange.games():
        asyncio.run(measure(id, asked))


async def measure(id: str, asked: argparse.Namespace) -> None:
    position = first_choice(smallchange.game(id))
    bots = BotWorkers(1, asked.seconds)
    for _ in range(20):  # the process starts, and its code is compiled or loaded
        await bots.choose(asked.bot, position)
    one = [await mean_wait(bots, asked.bot, position) for _ in range(asked.rounds)]
    many = [
        await asyncio.gather(*(mean_wait(bots, asked.bot, position) for _ in range(asked.tables)))
        for _ in range(asked.rounds)
    ]
    bots.close()
    every = sorted(ms for ten in many for ms in ten)
    last = median(max(ten) for ten in many)
    print(
        f"{id}: {asked.bot} alone {median(one):.0f} ms; {asked.tables} at once: median {median(every):.0f},"
        f" the last {last:.0f}, at most {every[-1]:.0f} ms",
        flush=True,
    )


async def mean_wait(bots: BotWorkers, bot: str, position: Position) -> float:
    began = perf_counter()
    await bots.choose(bot, position)
    return 1000 * (perf_counter() - began)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bot", nargs="?", default="level5")
    parser.add_argument("--game", action="append", choices=smallchange.games())
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.25)
    return parser.parse_args()


if __name__ == "__main__":
    main()
