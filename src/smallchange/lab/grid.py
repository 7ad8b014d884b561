"""An experiment: what is to be played, cell by cell, and the TOML that says so.

    title = "One in ten"
    n = 20_000                          # games of each cell
    seeds = [1]                         # every cell under each
    policies = ["random", "greedy"]

    [[grid]]
    game = "GAME"                       # or several, ["GAME", "GAME"]
    options = { NAME = [false, true] }  # each value with each of the other options'

What stands above the first [[grid]] holds for every grid that does not say otherwise. In a game for two a
policy plays against itself, and a pair, "greedy,random", is played in both orders.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, product
from pathlib import Path
from typing import Any

from smallchange import fast, mind, position, solve, state
from smallchange.errors import BadExperiment, BadOption, BadPolicy, UnknownGame
from smallchange.fast.search import Plan
from smallchange.fast.weave import woven
from smallchange.game import Game
from smallchange.options import Value

from .policy import Policy

GRID = {"game", "options", "policies", "seeds", "n"}
EXPERIMENT = {"title", "about", "policies", "seeds", "n", "grid"}
MOST_CELLS = 10_000
MOST_GAMES = 1_000_000_000
MOST_PORTIONS = 1_000_000  # days of work, each kept as a file until all are played
Options = tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class Cell:
    """A game with its chosen options, a policy for each seat, a seed, and how many of its games."""

    game: str
    options: Options
    policy: tuple[Policy, ...]
    seed: int
    n: int

    @property
    def key(self) -> tuple[Any, ...]:
        """What it plays, however often."""
        return self.game, self.options, self.policy, self.seed

    @property
    def who(self) -> str:
        """The policies as one word: "greedy", or "greedy,random" where they differ."""
        words = [str(policy) for policy in self.policy]
        return words[0] if len(set(words)) == 1 else ",".join(words)

    def plans(self) -> list[int | Plan | None]:
        """How compiled code plays each seat, or None where only the bot itself can."""
        game = Game(self.game, dict(self.options))
        return [policy.plan(game) for policy in self.policy]

    @property
    def pieces(self) -> range:
        """The first games of its portions, which are of the same size, whoever plays them."""
        return range(0, self.n, portion_size(self.plans()))

    def portions(self) -> Iterator[Portion]:
        pieces = self.pieces
        for first in pieces:
            yield Portion(self, first, min(pieces.step, self.n - first))


@dataclass(frozen=True, slots=True)
class Portion:
    """The games number first .. first + n - 1 of a cell: what one worker plays at a time."""

    cell: Cell
    first: int
    n: int

    @property
    def digest(self) -> str:
        """A name for exactly these games under exactly this program, and for who is said to have played them:
        bots of the same make have parts of their own."""
        cell = self.cell
        asked = who(cell.game, cell.options, cell.policy)
        said = [dict(cell.options), cell.who, cell.seed, self.first, self.n, *asked]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Experiment:
    """A title, the cells in their order, and the text that asks for them."""

    title: str
    cells: tuple[Cell, ...]
    text: str = ""

    @property
    def n(self) -> int:
        return sum(cell.n for cell in self.cells)

    @property
    def timed(self) -> bool:
        """Does a player look at the clock? Then the games cannot be repeated exactly."""
        return any(policy.timed(Game(cell.game)) for cell in self.cells for policy in cell.policy)

    def portions(self) -> list[Portion]:
        """All in order. BadExperiment where they are too many to be kept."""
        n = sum(len(cell.pieces) for cell in self.cells)
        if n > MOST_PORTIONS:
            raise BadExperiment(
                f"these games would be {n:,} files, and {MOST_PORTIONS:,} may be: ask for fewer"
            )
        return [portion for cell in self.cells for portion in cell.portions()]


def portion_size(plans: list[int | Plan | None]) -> int:
    """Games in a portion: a second's work or so."""
    if None in plans:
        return 4
    playouts = sum(plan.playouts for plan in plans if isinstance(plan, Plan))
    return max(2, 20_000 // playouts) if playouts else 10_000


@lru_cache
def who(id: str, options: Options, policy: tuple[Policy, ...]) -> tuple[str, ...]:
    """The game, the policies, and a digest of all that decides what they do and what is kept of it."""
    game = Game(id, dict(options))
    code = [file.read_text("utf-8") for file in (game.folder / NOTATION, *KEPT)]
    if all(isinstance(p.plan(game), int) for p in policy):
        code += [woven(game.folder, str(game.rules.__package__)), repr(game.board)]
    else:
        code += [file.read_text("utf-8") for file in _files(game)]
    code += [table for p in policy if (table := p.table(game))]
    return id, *(p.said(game) for p in policy), hashlib.sha256("\0".join(code).encode()).hexdigest()


# files of a game that decide nothing
APART = {"words", "names", "told", "face", "places", "sheet", "sound", "levels", "odds", "best"}
NOTATION = "notation.py"  # how a game ended, and the order of tokens
KEPT = [Path(__file__).with_name(name) for name in ("play.py", "outcomes.py")]  # what writes games down
CORE = [Path(str(module.__file__)) for module in (state, position)]


def _files(game: Game) -> list[Path]:
    """Rules, search, bots, and what they have learned; tables of solved positions where there can be any."""
    kits = [fast, mind, *([solve] if game.id in solve.solvable() else [])]
    folders = [game.folder, *(Path(str(kit.__file__)).parent for kit in kits)]
    files = (file for folder in folders for kind in ("*.py", "*.json") for file in folder.glob(kind))
    deciding = (file for file in files if file.stem not in APART and not file.stem.startswith("test_"))
    return [*CORE, *sorted(deciding)]


def read(text: str) -> Experiment:
    """The experiment that a TOML text describes. BadExperiment says in one line what is wrong with it."""
    try:
        asked = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise BadExperiment(f"this is no TOML: {wrong}") from wrong
    except RecursionError as deep:
        raise BadExperiment("this TOML has lists or tables within too many others") from deep
    _known(asked, EXPERIMENT, "the experiment")
    grids = asked.get("grid")
    if not (isinstance(grids, list) and grids and all(isinstance(grid, dict) for grid in grids)):
        raise BadExperiment("an experiment needs at least one [[grid]] with a game")
    common = {key: value for key, value in asked.items() if key not in ("grid", "title", "about")}
    cells: dict[Any, Cell] = {}
    for cell in chain.from_iterable(_cells({**common, **grid}, i) for i, grid in enumerate(grids, 1)):
        before = cells.get(cell.key)
        if before is None or before.n < cell.n:
            cells[cell.key] = cell
        if len(cells) > MOST_CELLS:
            raise BadExperiment(f"these are more than {MOST_CELLS:,} cells: split the experiment")
    return Experiment(_text(asked.get("title", "")), tuple(cells.values()), text)


def _cells(grid: dict[str, Any], i: int) -> Iterator[Cell]:
    """The cells of one [[grid]], the i-th."""
    here = f"grid {i}"
    _known(grid, GRID, here)
    if "game" not in grid:
        raise BadExperiment(f"{here} has no game")
    n = _whole(grid.get("n", 1000), 1, MOST_GAMES, f"{here}: n")
    seeds = [
        _whole(seed, 0, (1 << 63) - 1, f"{here}: a seed")
        for seed in _row(grid.get("seeds", 1), f"{here}: seeds")
    ]
    policies = _row(grid.get("policies", ["random", "greedy"]), f"{here}: policies")
    ids = _row(grid["game"], f"{here}: game")
    for id in ids:
        which = f"{here}, {id}" if len(ids) > 1 else here
        try:
            for options in _variants(id, grid.get("options", {}), here):
                game = Game(id, dict(options))
                chosen = tuple(game.chosen.items())
                for policy, seed in product(list(seated(policies, game)), seeds):
                    yield Cell(id, chosen, policy, seed, n)
        except (UnknownGame, BadOption, BadPolicy) as wrong:
            raise BadExperiment(f"{which}: {wrong}") from wrong


def _variants(id: Any, options: Any, here: str) -> Iterator[dict[str, Any]]:
    if not isinstance(options, Mapping):
        raise BadExperiment(f"{here}: options must be a table of options and their values, not {options!r}")
    Game(str(id))  # an unknown one is said before its options
    rows = [_row(values, f"{here}: option {name!r}") for name, values in options.items()]
    for values in product(*rows):
        yield dict(zip(options, values, strict=True))


def seated(policies: list[Any], game: Game) -> Iterator[tuple[Policy, ...]]:
    """Who sits where: each policy at all seats, and each pair with commas in every order of its own.

    >>> from smallchange import games
    >>> for_two = next(game for game in map(Game, games()) if len(game.seats) == 2)
    >>> [" ".join(map(str, who)) for who in seated(["greedy", "greedy,random"], for_two)]
    ['greedy greedy', 'greedy random', 'random greedy']
    """
    seats = len(game.seats)
    for word in policies:
        if not isinstance(word, str):
            raise BadPolicy(f"a policy is a word, not {word!r}")
        players = tuple(Policy.parse(part.strip()) for part in word.split(","))
        for player in players:
            player.said(game)  # or the game has no such bot
        if len(players) == 1:
            yield players * seats
        elif len(players) == seats:
            yield from dict.fromkeys((players, players[::-1]))
        else:
            raise BadPolicy(f"{word!r} names {len(players)} players, but the game has {seats}")


def _known(table: Mapping[str, Any], names: set[str], where: str) -> None:
    for name in table:
        if name not in names:
            raise BadExperiment(f"{where} knows no {name!r}, only {', '.join(sorted(names))}")


def _row(value: Any, what: str) -> list[Any]:
    row = value if isinstance(value, list) else [value]
    if not row:
        raise BadExperiment(f"{what}: there must be at least one")
    return row


def _whole(value: Any, low: int, high: int, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise BadExperiment(f"{what} must be a whole number from {low} to {high:,}, not {value!r}")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise BadExperiment(f"a title is a text, not {value!r}")
    return value
