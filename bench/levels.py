"""Measures the bots of a game and writes what came of it into the game's levels.json.

    python bench/levels.py GAME [BOT ..] [-n 400] [--seed 1] [--workers 1]

Whole base games by the bots as they are. Games for one: the share won and the mean score, every bot on the
same deals. Games for two: the share of the points (a draw is half) against the bot before it, half of the
games as each side. Milliseconds are of processor time, a move that was a choice. The same seed gives the same
games whatever the workers, as long as no move takes --seconds.
"""

from __future__ import annotations

import argparse
import random
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from statistics import fmean, stdev
from time import process_time

import smallchange
from smallchange import Match, mind
from smallchange.lab.measure import Z95, Rate
from smallchange.mind import levels
from smallchange.mind._ready import points


@dataclass
class Played:
    """One game: the points of the bot that is measured, its score, what it took to think, and its choices."""

    points: float
    score: int
    spent: float
    moves: int


def main() -> None:
    asked = arguments()
    game = smallchange.game(asked.game)
    found = levels.bots(game)
    for name in asked.bots or list(found):
        found[name] = replace(found[name], measured=measured(game, found, name, asked))
        (game.folder / levels.FILE).write_text(levels.written(found), encoding="utf-8")
        figures = found[name].measured
        said = levels.strength(found[name], game.version).en if figures else "the weakest"
        more = f", score {figures.score}" if figures and figures.score is not None else ""
        print(
            f"{name:8} {levels.about(found[name]).en}: {said}{more}, {figures.ms if figures else 0} ms",
            flush=True,
        )


def measured(
    game: smallchange.Game, found: dict[str, levels.Level], name: str, asked: argparse.Namespace
) -> levels.Measured | None:
    """What came of this bot's games; None for the one that all others begin from."""
    order = [other for other in found if other != "greedy" or name == "greedy"]
    against = order[order.index(name) - 1] if len(game.seats) > 1 else ""
    if len(game.seats) > 1 and name == order[0]:
        return None
    jobs = [(game.id, name, against, asked.seed, i, asked.seconds) for i in range(asked.n)]
    games = list(played(jobs, asked.workers))
    share, low, high = interval([one.points for one in games])
    counts = Counter({1.0: "won", 0.5: "drawn", 0.0: "lost"}[one.points] for one in games)
    print(", ".join(f"{what} {counts[what]}" for what in ("won", "drawn", "lost")), end="; ", flush=True)
    ms = 1000 * sum(one.spent for one in games) / max(1, sum(one.moves for one in games))
    words = ["python", "bench/levels.py", game.id, name, "-n", asked.n, "--seed", asked.seed]
    return levels.Measured(
        asked.n,
        round(share, 4),
        round(low, 4),
        round(high, 4),
        float(f"{ms:.2g}"),
        game.version,
        asked.seed,
        shlex.join(map(str, words)),
        against,
        None if against else round(fmean(one.score for one in games), 2),
    )


def interval(points: list[float]) -> tuple[float, float, float]:
    """The mean and its 95 % interval: Wilson's where every game is won or lost, else with its own spread."""
    n, mean = len(points), fmean(points)
    if set(points) <= {0.0, 1.0} or n < 2 or stdev(points) == 0:
        rate = Rate.of(round(sum(points)), n)
        return rate.p, rate.low, rate.high
    half = Z95 * stdev(points) / n**0.5
    return mean, max(0.0, mean - half), min(1.0, mean + half)


def played(jobs: list[tuple[str, str, str, int, int, float]], workers: int) -> Iterator[Played]:
    if workers == 1:
        yield from map(play, jobs)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(play, jobs, chunksize=max(1, len(jobs) // (8 * workers)))


def play(job: tuple[str, str, str, int, int, float]) -> Played:
    """Game number i of a seed. Two games in a row have the same deal, the seats changed."""
    id, name, against, seed, i, seconds = job
    game = smallchange.game(id)
    deal = random.Random(f"{seed} {i // len(game.seats)}").randbytes(16)
    match = Match(game, deal)
    seat = game.seats[i % len(game.seats)]
    luck = random.Random(f"{seed} {i} thinks")
    bots = {
        player: mind.bot(name if player == seat else against or name, seconds, luck) for player in game.seats
    }
    ready(match)
    spent, moves = defaultdict[str, float](float), Counter[str]()
    while not match.over:
        actor = match.position.actor or ""
        if actor == "chance":
            match.settle()
            continue
        choice = len(match.position.legal()) > 1
        began = process_time()
        token = bots[actor](match.position)
        spent[actor] += process_time() - began
        moves[actor] += choice
        match.play(token)
    score, won = match.position.score(seat), points(match.position, seat)
    assert score is not None  # the game is over
    assert won is not None
    return Played(won, score, spent[seat], moves[seat])


_compiled: set[str] = set()


def ready(match: Match) -> None:
    """Let what is compiled get ready, so that no search is cut short by it."""
    if match.game.id in _compiled:
        return
    position = match.game.start()
    while position.actor == "chance":
        position.take(next(iter(position)))
    for name in mind.names(match.game):
        mind.bot(name, 120.0, random.Random(1))(position)
    _compiled.add(match.game.id)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=smallchange.games())
    parser.add_argument("bots", nargs="*", metavar="BOT")
    parser.add_argument("-n", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=mind.SECONDS)
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    known = list(levels.bots(smallchange.game(asked.game)))
    for name in asked.bots:
        if name not in known:
            parser.error(f"{asked.game} has no bot {name!r}; its bots are: {', '.join(known)}")
    if min(asked.n, asked.workers) < 1:
        parser.error("-n and --workers are whole numbers from 1 on")
    return asked


if __name__ == "__main__":
    main()
