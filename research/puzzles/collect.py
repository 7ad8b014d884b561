"""Put files of puzzles together: those that a player sees alike are kept once, and each game has a file.

    python -m research.puzzles.collect FOLDER FILE.jsonl ..

FOLDER gets GAME.jsonl of each game; as `puzzles` in the data folder it takes the place of what came with the games.
Of positions that differ only in an option of SEEN_ALIKE the first is kept. Puzzles that the search would not take now
are left out, and those for which a set of SIZE has no room. Prints number and digest of each file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from research.puzzles.search import Mixture, are_alike, is_worth_solving, likeness, theme_of
from smallchange.core.puzzle import Puzzle, puzzles_in

SIZE = 500  # of a game's set
SEEN_ALIKE = ("blocked",)  # options that leave the board as it is


def main() -> None:
    """Read the files, and write one for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("files", nargs="+", type=Path)
    asked = parser.parse_args()
    sets: dict[str, dict[object, Puzzle]] = defaultdict(dict)
    for puzzle in (puzzle for file in asked.files for puzzle in puzzles_in(file)):
        sets[puzzle.game.id].setdefault(sight(puzzle), puzzle)
    asked.folder.mkdir(parents=True, exist_ok=True)
    for id, found in sets.items():
        mixture = Mixture(SIZE)
        puzzles = [puzzle for puzzle in sift(found.values()) if mixture.takes(puzzle)][:SIZE]
        lines = "".join(json.dumps(puzzle.to_json()) + "\n" for puzzle in puzzles)
        (asked.folder / f"{id}.jsonl").write_text(lines, encoding="utf-8")
        themes = Counter(puzzle.theme for puzzle in puzzles).most_common()
        print(f"{id}: {len(puzzles)}, {digest(puzzles)}, " + ", ".join(f"{name} {n}" for name, n in themes))
    print(sum(map(len, sets.values())))


def sift(found: Iterable[Puzzle]) -> list[Puzzle]:
    """Return the puzzles that are worth solving, each with its theme as it is called now."""
    kept, of_game = list[Puzzle](), defaultdict[object, list[Puzzle]](list)
    for puzzle in found:
        near = of_game[puzzle.origin and puzzle.origin[:3]]
        if is_worth_solving(puzzle) and not any(are_alike(puzzle, one) for one in near):
            near.append(puzzle)
            kept.append(replace(puzzle, theme=theme_of(puzzle.position, puzzle.best)))
    return kept


def sight(puzzle: Puzzle) -> object:
    """Return what alike puzzles have in common."""
    options = puzzle.game.non_default_options
    board = tuple((name, value) for name, value in options.items() if name not in SEEN_ALIKE)
    key: Any = likeness(puzzle.position)
    return board, key[1:]


def digest(puzzles: list[Puzzle]) -> str:
    """Return the digest of the positions and their keys, whatever their ratings."""
    return hashlib.sha256("\n".join(f"{one.text} {one.best}" for one in puzzles).encode()).hexdigest()[:16]


if __name__ == "__main__":
    main()
