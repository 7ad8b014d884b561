"""An experiment: the games to play, cell by cell, and their description in TOML.

    title = "One in ten"
    n = 20_000                          # games of each cell
    seeds = [1]                         # every cell under each
    policies = ["random", "greedy"]

    [[grid]]
    game = "GAME"                       # or several, ["GAME", "GAME"]
    options = { NAME = [false, true] }  # each value with each of the other options'

Options that change nothing on a board count as the same variant: its games are played once.

Settings above the first [[grid]] hold for every grid that does not say otherwise. In a game for two a
policy plays against itself, and a pair, "greedy,random", is played in both orders.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, product
from pathlib import Path
from typing import Any

from smallchange import bots, engine, tablebase
from smallchange.bots.policy import Policy, policy_name
from smallchange.core import game as game_module
from smallchange.core import position_text, state
from smallchange.core.errors import BadExperiment, BadOption, BadPolicy, UnknownGame
from smallchange.core.game import Game, complete_game
from smallchange.core.options import Value
from smallchange.core.variants import idle_options, without_idle_options
from smallchange.engine.compile.codegen import generate_source
from smallchange.engine.search.mcts import Plan

__all__ = ["Cell", "Experiment", "Options", "Portion", "read", "who"]

GRID = {"name", "game", "options", "policies", "seeds", "n"}
EXPERIMENT = {"title", "about", "policies", "seeds", "n", "grid"}
MOST_CELLS = 10_000
MOST_GAMES = 1_000_000_000
MAX_NAME_LENGTH = 40  # characters
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
        """The games that the cell plays, whatever their number."""
        return self.game, self.options, self.policy, self.seed

    @property
    def who(self) -> str:
        """The policies as one word: "greedy", or "greedy,random" where they differ."""
        return policy_name(self.policy)

    def plans(self) -> list[int | Plan | None]:
        """Return how compiled code plays each seat, or None where only the bot itself can."""
        game = Game(self.game, dict(self.options))
        return [policy.plan(game) for policy in self.policy]

    @property
    def pieces(self) -> range:
        """The first games of its portions, which are of the same size, whoever plays them."""
        return range(0, self.n, portion_size(self.plans()))

    def portions(self) -> Iterator[Portion]:
        """Yield the portions in which the games of the cell are played."""
        pieces = self.pieces
        for first in pieces:
            yield Portion(self, first, min(pieces.step, self.n - first))


@dataclass(frozen=True, slots=True)
class Portion:
    """The games number first .. first + n - 1 of a cell: the games that one worker plays at a time."""

    cell: Cell
    first: int
    n: int

    @property
    def digest(self) -> str:
        """A name for exactly these games under exactly this program and these players.

        Bots of the same make have parts of their own.
        """
        cell = self.cell
        identity = who(cell.game, cell.options, cell.policy)
        content = [dict(cell.options), cell.who, cell.seed, self.first, self.n, *identity]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Experiment:
    """A title, the cells in their order, and the text that asks for them."""

    title: str
    cells: tuple[Cell, ...]
    text: str = ""
    idle: tuple[str, ...] = ()  # variants that were asked for with options that change nothing there
    names: Mapping[tuple[str, Options], str] = field(default_factory=dict)  # of variants, by game and options

    @property
    def n(self) -> int:
        """The number of games of all cells."""
        return sum(cell.n for cell in self.cells)

    @property
    def depends_on_clock(self) -> bool:
        """Does a player look at the clock? Then the games cannot be repeated exactly."""
        return any(policy.depends_on_clock(Game(cell.game)) for cell in self.cells for policy in cell.policy)

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
    playouts = sum(plan.simulations for plan in plans if isinstance(plan, Plan))
    return max(2, 20_000 // playouts) if playouts else 10_000


@lru_cache
def who(id: str, options: Options, policy: tuple[Policy, ...]) -> tuple[str, ...]:
    """Return the game, the policies, and a digest of everything that decides their play and their columns."""
    game = Game(id, dict(options))
    if here := [str(p) for p in policy if p.function is not None]:
        raise BadPolicy(f"results are kept by the names of players: give {here[0]} as MODULE:FUNCTION")
    code = [file.read_text("utf-8") for file in (game.folder / NOTATION, *KEPT)]
    if all(isinstance(p.plan(game), int) for p in policy):
        code += [generate_source(game.folder, game.package).text, repr(game.board)]
    else:
        code += [file.read_text("utf-8") for file in _files(game)]
    code += [table for p in policy if (table := p.table(game))]
    return id, *(p.fingerprint(game) for p in policy), hashlib.sha256("\0".join(code).encode()).hexdigest()


# files of a game that decide nothing
APART = {
    "words",
    "names",
    "summary",
    "layout",
    "places",
    "reference",
    "invariants",
    "levels",
    "baseline_scores",
    "win_rates",
}
NOTATION = "notation.py"  # how a game ended, and the order of tokens
KEPT = [
    Path(__file__).with_name(name) for name in ("play_portion.py", "outcomes.py")
]  # what writes games down
CORE = [Path(str(module.__file__)) for module in (state, game_module, position_text)]


def _files(game: Game) -> list[Path]:
    """Rules, search, bots, and their learned values; tables of solved positions where there can be any."""
    kits = [engine, bots, *([tablebase] if game.id in tablebase.solvable() else [])]
    folders = [game.folder, *(Path(str(package.__file__)).parent for package in kits)]
    files = (file for folder in folders for kind in ("*.py", "*.json") for file in folder.rglob(kind))
    deciding = (file for file in files if file.stem not in APART and "tests" not in file.parts)
    return [*CORE, *sorted(deciding)]


def read(text: str) -> Experiment:
    """Read the experiment that a TOML text describes. BadExperiment names the first fault in one line."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise BadExperiment(f"this is no TOML: {wrong}") from wrong
    except RecursionError as deep:
        raise BadExperiment("this TOML has lists or tables within too many others") from deep
    _refuse_unknown_names(document, EXPERIMENT, "the experiment")
    grids = document.get("grid")
    if not (isinstance(grids, list) and grids and all(isinstance(grid, dict) for grid in grids)):
        raise BadExperiment("an experiment needs at least one [[grid]] with a game")
    common = {key: value for key, value in document.items() if key not in ("grid", "title", "about")}
    cells: dict[Any, Cell] = {}
    idle: dict[str, None] = {}
    names: dict[tuple[str, Options], str] = {}
    for asked_game, cell, name in chain.from_iterable(
        _cells({**common, **grid}, i) for i, grid in enumerate(grids, 1)
    ):
        if name:
            _add_name(names, cell, name)
        before = cells.get(cell.key)
        if before is None or before.n < cell.n:
            cells[cell.key] = cell
        if without_effect := idle_options(asked_game):
            idle[f"{asked_game!r}: {', '.join(without_effect)}"] = None
        if len(cells) > MOST_CELLS:
            raise BadExperiment(f"these are more than {MOST_CELLS:,} cells: split the experiment")
    return Experiment(_text(document.get("title", "")), tuple(cells.values()), text, tuple(idle), names)


def _add_name(names: dict[tuple[str, Options], str], cell: Cell, name: str) -> None:
    """Note the name of a cell's variant. BadExperiment where a variant has two, or a name two variants."""
    variant = cell.game, cell.options
    if names.setdefault(variant, name) != name:
        raise BadExperiment(f"one variant of {cell.game} has two names: {names[variant]!r} and {name!r}")
    if any(other == name for key, other in names.items() if key[0] == cell.game and key != variant):
        raise BadExperiment(f"two variants of {cell.game} have one name: {name!r}")


def _cells(grid: dict[str, Any], i: int) -> Iterator[tuple[Game, Cell, str]]:
    """Yield the cells of one [[grid]], the i-th, each with the variant as it was asked for, and its name or ""."""
    here = f"grid {i}"
    _refuse_unknown_names(grid, GRID, here)
    if "game" not in grid:
        raise BadExperiment(f"{here} has no game")
    n = _whole(grid.get("n", 1000), 1, MOST_GAMES, f"{here}: n")
    seeds = [
        _whole(seed, 0, (1 << 64) - 1, f"{here}: a seed")
        for seed in _row(grid.get("seeds", 1), f"{here}: seeds")
    ]
    policies = _row(grid.get("policies", ["random", "greedy"]), f"{here}: policies")
    ids = _row(grid["game"], f"{here}: game")
    name = _name(grid.get("name", ""), f"{here}: name")
    for id in ids:
        which = f"{here}, {id}" if len(ids) > 1 else here
        try:
            variants = list(_variants(id, grid.get("options", {}), here))
            if name and len(variants) > 1:
                raise BadExperiment(f"{which} names {len(variants)} variants {name!r}: give each a [[grid]]")
            for options in variants:
                game = Game(id, dict(options))
                chosen = tuple(without_idle_options(game).non_default_options.items())
                for policy, seed in product(list(seatings(policies, game)), seeds):
                    yield game, Cell(id, chosen, policy, seed, n), name
        except (UnknownGame, BadOption, BadPolicy) as wrong:
            raise BadExperiment(f"{which}: {wrong}") from wrong


def _variants(id: Any, options: Any, here: str) -> Iterator[dict[str, Any]]:
    if not isinstance(options, Mapping):
        raise BadExperiment(f"{here}: options must be a table of options and their values, not {options!r}")
    complete_game(str(id))  # name an unknown game before its options
    rows = [_row(values, f"{here}: option {name!r}") for name, values in options.items()]
    for values in product(*rows):
        yield dict(zip(options, values, strict=True))


def seatings(policies: list[Any], game: Game) -> Iterator[tuple[Policy, ...]]:
    """Yield the policies by seat: each policy at all seats, and each pair with commas in every order.

    >>> from smallchange import games
    >>> for_two = next(game for game in map(Game, games()) if len(game.seats) == 2)
    >>> [" ".join(map(str, who)) for who in seatings(["greedy", "greedy,random"], for_two)]
    ['greedy greedy', 'greedy random', 'random greedy']
    """
    seats = len(game.seats)
    for word in policies:
        if not isinstance(word, str):
            raise BadPolicy(f"a policy is a word, not {word!r}")
        players = tuple(Policy.parse(part.strip()) for part in word.split(","))
        for player in players:
            player.fingerprint(game)  # or the game has no such bot
        if len(players) == 1:
            yield players * seats
        elif len(players) == seats:
            yield from dict.fromkeys((players, players[::-1]))
        else:
            raise BadPolicy(f"{word!r} names {len(players)} players, but the game has {seats}")


def _refuse_unknown_names(table: Mapping[str, Any], names: set[str], where: str) -> None:
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


def _name(value: Any, what: str) -> str:
    if not isinstance(value, str) or len(value) > MAX_NAME_LENGTH or not value.isprintable():
        raise BadExperiment(f"{what} must be a text of at most {MAX_NAME_LENGTH} characters, not {value!r}")
    return value.strip()


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise BadExperiment(f"a title is a text, not {value!r}")
    return value
