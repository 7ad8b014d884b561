"""Rate puzzles: fit the ratings of a game to what the five levels choose in some, and hold them against others.

    python -m research.puzzles.rate FILE.jsonl .. [-n 200] [--seed 1] [--keep]

Half of the puzzles tried fit the model, which is written into the game's folder; the other half says how often they
were solved of how often that was expected, in tenths. All puzzles of the files get their ratings. With --keep the
model stays as it is, and the files are rated by it.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from random import Random

from research.puzzles import ratings
from smallchange.core.game import Game
from smallchange.core.puzzle import Puzzle, puzzles_in


def main() -> None:
    """Rate the puzzles of the files that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument(
        "-n", type=int, default=200, help="puzzles that fit the model, and as many that test it"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="rate by the model that there is")
    asked = parser.parse_args()
    by_file = {file: puzzles_in(file) for file in asked.files}
    by_game: dict[str, list[Puzzle]] = defaultdict(list)
    for found in by_file.values():
        for puzzle in found:
            by_game[puzzle.game.id].append(puzzle)
    models = {id: fit_game(id, found, asked.n, asked.seed, asked.keep) for id, found in by_game.items()}
    for file, found in by_file.items():
        rated = [ratings.rate_puzzle(puzzle, models[puzzle.game.id]) for puzzle in found]
        file.write_text("".join(json.dumps(one.to_json()) + "\n" for one in rated), encoding="utf-8")


def fit_game(id: str, found: list[Puzzle], n: int, seed: int, keep: bool) -> ratings.RatingModel | None:
    """Return the model of a game, fitted to some of its puzzles; print how it holds on others."""
    game = Game(id)
    if keep:
        return ratings.read_model(game)
    chosen = Random(seed).sample(found, min(2 * n, len(found)))
    half = len(chosen) // 2
    command = f"python -m research.puzzles.rate -n {n} --seed {seed}"
    tried = ratings.attempts(chosen, seed)
    model = ratings.fit(chosen[:half], tried[:half], command)
    ratings.write_model(game.folder / ratings.FILE, model)
    said = ratings.expectation(model, chosen[half:])
    print(
        f"\n## {game.words.TITLE.en}\n\nFitted to {half} puzzles, held against {len(chosen) - half} others.\n"
    )
    print("levels " + ", ".join(f"{name} {n:.0f}" for name, n in zip("12345", model.levels, strict=True)))
    solved = tried[half:].mean(0)
    print("solved " + ", ".join(f"{share:.0%}" for share in solved) + "\n")
    print("| expected, % | solved, % | tries |\n| --- | --- | --- |")
    for row in ratings.tenths(said, tried[half:]):
        rate = row.solved
        inside = rate.low <= row.expected <= rate.high
        mark = "" if inside else " **off**"
        low, high = 100 * rate.low, 100 * rate.high
        print(f"| {100 * row.expected:.1f} | {100 * rate.p:.1f} ({low:.1f} to {high:.1f}){mark} | {row.n} |")
    return model


if __name__ == "__main__":
    main()
