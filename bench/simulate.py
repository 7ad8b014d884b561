"""`simulate` with the rule of thumb, beside the same policy over plain objects.

    python bench/simulate.py [--seconds 1] [--rounds 5]

Both sides in turn, on one core: games a second of processor time, medians, and their ratio. The plain side is
the rules and the move_score of each game as they stand, driven by a loop in Python that does nothing else.
"""

import argparse
import random
import statistics
import time

import smallchange
from smallchange.lab.simulate import simulate


def compiled_rate(game: smallchange.Game, seconds: float) -> float:
    """Return the games per second of `simulate`, outcomes and intervals included."""
    n, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        simulate(game, 5000, "greedy", seed=n, workers=1)
        n += 5000
    return n / (time.process_time() - start)


def plain(game: smallchange.Game, seconds: float) -> float:
    """Return the games per second without Numba."""
    luck = random.Random(1)
    n, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        one_game(game, luck)
        n += 1
    return n / (time.process_time() - start)


def one_game(game: smallchange.Game, luck: random.Random) -> None:
    rules, move_score, b = game.rules, game.heuristic.move_score, game.board
    out, weights = [0] * rules.MOST, [0] * rules.MOST
    s = game.start().s
    while s.turn != -2:
        if s.turn == -1:
            n = rules.odds(b, s, out, weights)
            a = luck.choices(out[:n], weights[:n])[0]
        else:
            best: list[int] = []
            most = 0
            for a in out[: rules.legal(b, s, out)]:
                t = s.copy()
                rules.play(b, t, a)
                hope = move_score(b, s, a, t)
                if not best or hope > most:
                    best, most = [a], hope
                elif hope == most:
                    best.append(a)
            a = best[int(luck.random() * len(best))]
        rules.play(b, s, a)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    print("| game | simulate, games/s | plain, games/s | ratio |\n| --- | --- | --- | --- |")
    for id in smallchange.games():
        game = smallchange.game(id)
        simulate(game, 100, "greedy", workers=1)
        runs = [(compiled_rate(game, given.seconds), plain(game, given.seconds)) for _ in range(given.rounds)]
        ours, theirs = (statistics.median(side) for side in zip(*runs, strict=True))
        ratio = statistics.median(a / b for a, b in runs)
        print(f"| {id} | {ours:,.0f} | {theirs:,.0f} | {ratio:.0f} |", flush=True)


if __name__ == "__main__":
    main()
