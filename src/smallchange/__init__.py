"""Small Change: six coin games played, measured and solved.

Play
    games()           the ids of the games
    game(ID, ..)      a Game with its options; its id may stand for it
    Game.start()      its first Position: legal(), play(TOKEN), over,
                      result, key(), svg(); print shows the board
    Match(GAME, DEAL) a play of it with its luck, a Step after the other:
                      settle(), play(), undo()
    record            matches as text and JSON: write(), read(), verify()
    bots              players: names(GAME), bot(NAME), hint(POSITION)
    puzzles(GAME)     positions with one best choice, each a Puzzle

Measure (with the extra `lab`)
    simulate(GAME, N, POLICY)   whole games counted
    compare(GAME, A, B)         two players on the same deals
    read_results(FILE)          what an experiment wrote: kept_matches(..),
                                row_match(..), step_table(..)

Learn (with the extra `play`)
    batch(GAME, N)              games stepped at once, as arrays
    compile_game(GAME)          the compiled rules

Draw
    animated_svg(MATCH), animated_gif(MATCH), print_sheet(GAME),
    portable_piecepack(MATCH)

Errors are ValueErrors that say what would be accepted
    BadExperiment, BadOption, BadPolicy, BadPosition, BadPuzzle, BadRecord,
    BadTable, BadValues, DialectError, IllegalMove, NoPiecepackGame,
    RulesError, UnknownGame, UnknownMove
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from .core import record
from .core.errors import (
    BadExperiment,
    BadOption,
    BadPolicy,
    BadPosition,
    BadPuzzle,
    BadRecord,
    BadTable,
    BadValues,
    DialectError,
    IllegalMove,
    NoPiecepackGame,
    RulesError,
    UnknownGame,
    UnknownMove,
)
from .core.game import Game, Position, game, game_of, games
from .core.match import Match, Step
from .core.match_pictures import animated_gif, animated_svg
from .core.piecepack_notation import portable_piecepack
from .core.print_sheets import print_sheet
from .core.puzzle import Puzzle, puzzles

if TYPE_CHECKING:
    from . import bots
    from .engine import compile_game
    from .environments.batch import Batch
    from .lab.compare import compare
    from .lab.kept_matches import kept_matches
    from .lab.play_portion import row_match
    from .lab.results import read_results
    from .lab.simulate import simulate
    from .lab.step_table import step_table

__version__ = "0.1.0"

_EXTRA_NAMES = {  # everyday names whose modules need extras: they are imported when they are used
    "bots": "smallchange.bots",
    "compare": "smallchange.lab.compare",
    "compile_game": "smallchange.engine",
    "kept_matches": "smallchange.lab.kept_matches",
    "read_results": "smallchange.lab.results",
    "row_match": "smallchange.lab.play_portion",
    "simulate": "smallchange.lab.simulate",
    "step_table": "smallchange.lab.step_table",
}

__all__ = [
    "BadExperiment", "BadOption", "BadPolicy", "BadPosition", "BadPuzzle", "BadRecord", "BadTable", "BadValues",
    "DialectError", "Game", "IllegalMove", "Match", "NoPiecepackGame", "Position", "Puzzle", "RulesError",
    "Step", "UnknownGame", "UnknownMove", "animated_gif", "animated_svg", "batch", "bots", "compare",
    "compile_game", "game", "games", "kept_matches", "portable_piecepack", "print_sheet", "puzzles",
    "read_results", "record", "row_match", "simulate", "step_table",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Return an everyday name of a package that needs an extra."""
    if name not in _EXTRA_NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(_EXTRA_NAMES[name])
    return module if name == "bots" else getattr(module, name)


def __dir__() -> list[str]:
    return __all__


def batch(
    game: Game | str,
    n: int,
    seed: int | None = None,
    opponents: Sequence[str | None] | None = None,
    copy: bool = True,
) -> Batch:
    """Return n games that are stepped at once by the compiled rules, as arrays (`docs/environments.md`).

    The same `seed`, from 0 to 2^64 - 1, deals the same games; without one they differ each time. `opponents`
    has "greedy" or "random" for each seat that is played inside, and None for a seat of the learner, as all are
    by default. `copy=False` spares copies: arrays are then views, which change with the next step. Needs the
    extra `play`. ValueError where an argument is not as said here.
    """
    environments = import_module(
        "smallchange.environments.batch"
    )  # by name, because it stands above the core
    games: Batch = environments.Batch(game_of(game), n, seed, opponents, copy)
    return games
