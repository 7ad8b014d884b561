"""A puzzle: a position whose best choice is far ahead of all others, and the files that puzzles are kept in.

A file has one puzzle a line, as JSON (`docs/trainer.md` has the fields). A game's folder may hold some in
`puzzles.jsonl`; a file of that game in the folder `puzzles` of the data folder comes before it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from smallchange.i18n.text import Text

from .data_folder import data_folder
from .errors import BadPuzzle
from .game import Game, Position, complete_game
from .json_text import read_json

FORMAT = 1
FILE = "puzzles.jsonl"
FOLDER = "puzzles"  # of the data folder
MIN_MARGIN = 0.05  # of the odds, by which the best choice of a puzzle is ahead of the second
ID_DIGITS = 12
LOOK_AHEAD = Text(
    "look ahead", "a theme of puzzles: no single feature of the best move shows that it is best"
)


class Origin(NamedTuple):
    """The game of bots in which a puzzle came up: `smallchange simulate` plays it again. `step` steps were taken."""

    policy: str
    seed: int
    number: int
    step: int


@dataclass(frozen=True)
class Puzzle:
    """A position with one best choice.

    `chance` is that of winning after the `best` token, from 0 to 1, `second` that after the second choice. They are
    of perfect play if `interval` is None; else they were measured by `playouts` whole games after each choice, and
    `interval` holds the difference of both at 99.9 %. `theme` is the English word for what makes the best choice good.
    """

    rules: int
    text: str  # the position, as `Position.parse` reads it
    best: str
    chance: float
    second: float
    interval: tuple[float, float] | None
    playouts: int
    theme: str
    rating: int
    origin: Origin | None = None

    @cached_property
    def position(self) -> Position:
        """The position in which the choice is made."""
        return Position.parse(self.text)

    @cached_property
    def game(self) -> Game:
        """The game with its options."""
        return self.position.game

    @property
    def id(self) -> str:
        """The id: the first digits of the position's digest."""
        return puzzle_id(self.text)

    @property
    def exact(self) -> bool:
        """Return whether the odds are of perfect play, rather than measured."""
        return self.interval is None

    @property
    def margin(self) -> float:
        """By how much the best choice is ahead of the second."""
        return self.chance - self.second

    @property
    def theme_text(self) -> Text:
        """The theme in each language; that of no feature for an unknown one."""
        reasons = self.game.reasons.REASONS if self.game.reasons else ()
        return next((one.theme for one in reasons if one.theme and one.theme.en == self.theme), LOOK_AHEAD)

    def to_json(self) -> dict[str, Any]:
        """Return the puzzle as plain data: a line of a file."""
        about = {"format": FORMAT, "game": self.game.id, "rules": self.rules, "position": self.text}
        found: dict[str, Any] = {"best": self.best, "chance": self.chance, "second": self.second}
        found |= {"interval": list(self.interval), "playouts": self.playouts} if self.interval else {}
        found |= {"theme": self.theme, "rating": self.rating}
        return about | found | ({"from": self.origin._asdict()} if self.origin else {})


def puzzle_id(text: str) -> str:
    """Return the id of the puzzle with this position."""
    return hashlib.sha256(text.encode()).hexdigest()[:ID_DIGITS]


def parse_puzzle(line: str, game: Game | None = None) -> Puzzle:
    """Return the puzzle of a line. BadPuzzle names the fault of a line that is none.

    Its position is read and checked where `game` is None; else when somebody asks for it.
    """
    try:
        row = read_json(line)
        if row["format"] != FORMAT:
            raise BadPuzzle(f"the format of a puzzle must be {FORMAT}, not {row['format']!r:.80}")
        interval, origin = row.get("interval"), row.get("from")
        found = Puzzle(
            rules=int(row["rules"]),
            text=str(row["position"]),
            best=str(row["best"]),
            chance=float(row["chance"]),
            second=float(row["second"]),
            interval=None if interval is None else (float(interval[0]), float(interval[1])),
            playouts=int(row.get("playouts", 0)),
            theme=str(row["theme"]),
            rating=int(row["rating"]),
            origin=Origin(**origin) if origin else None,
        )
    except BadPuzzle:
        raise
    except (ValueError, KeyError, TypeError, IndexError) as wrong:
        raise BadPuzzle(
            f"a puzzle is a line of JSON with the fields of docs/trainer.md: {wrong!r:.120}"
        ) from wrong
    if game is None:
        _check(found, row["game"])
    return found


def _check(puzzle: Puzzle, id: str) -> None:
    position = puzzle.position
    if position.game.id != id:
        raise BadPuzzle(f"the puzzle is of {id!r:.40}, and its position of {position.game.id}")
    if puzzle.best not in position.legal():
        raise BadPuzzle(f"{puzzle.best!r:.40} is not possible in the puzzle {puzzle.text:.200}")


def puzzles(game: str | Game, low: float = -inf, high: float = inf) -> list[Puzzle]:
    """Return the puzzles of a game with ratings from `low` to `high`, the easiest first; [] where there are none.

    They are those of `puzzles/GAME.jsonl` in the data folder, else those that came with the game. UnknownGame for
    another game, BadPuzzle where the file is damaged.
    """
    found = complete_game(game) if isinstance(game, str) else game
    return [puzzle for puzzle in puzzle_set(found.id) if low <= puzzle.rating <= high]


def has_puzzles(id: str) -> bool:
    """Return whether a game has puzzles, without reading them."""
    return _puzzle_file(id) is not None


def _puzzle_file(id: str) -> Path | None:
    places = (data_folder() / FOLDER / f"{id}.jsonl", Game(id).folder / FILE)
    return next((place for place in places if place.is_file()), None)


@lru_cache(maxsize=32)
def puzzle_set(id: str) -> tuple[Puzzle, ...]:
    """Return all puzzles of a game, the easiest first. Its file is read once."""
    file = _puzzle_file(id)
    if file is None:
        return ()
    return tuple(sorted(puzzles_in(file, Game(id)), key=lambda puzzle: (puzzle.rating, puzzle.id)))


def puzzles_in(file: Path, game: Game | None = None) -> list[Puzzle]:
    """Return the puzzles of a file, each checked. BadPuzzle names the fault and its line.

    Of a `game` they are those of its version of the rules, and each position is checked when somebody asks for it.
    """
    found = list[Puzzle]()
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        try:
            puzzle = parse_puzzle(line.decode(), game) if line.strip() else None
        except ValueError as wrong:
            raise BadPuzzle(f"{file}, line {number}: {wrong}") from wrong
        if puzzle and (game is None or puzzle.rules == game.version):
            found.append(puzzle)
    return found
