"""Compile a game's rules, and play and search whole games in bulk. Only this package imports Numba.

| package | holds |
| --- | --- |
| compile | the generator of specialised code from rules and kernels, its checks, and compiled games |
| kernels | functions in the dialect of the rules that work for every game: play-outs, search, solving |
| search | the Python side of the kernels that search and learn |

>>> import smallchange
>>> from smallchange import engine
>>> game = engine.interpret_game(smallchange.game(smallchange.games()[0]))
>>> game.game.start().s == game.plain(game.start())
True
"""

from smallchange.extras import require

require("fast", "numba", "numpy")  # before they are imported below

from .compile.compiled_game import CompiledGame, Games, check_seed, compile_game, interpret_game  # noqa: E402
from .compile.records import record_type, records, to_plain  # noqa: E402
from .kernels.playouts import GREEDY, RANDOM  # noqa: E402

# names of 0.1
compiled = compile_game
interpreted = interpret_game
seeded = check_seed
Way = CompiledGame

__all__ = [
    "GREEDY",
    "RANDOM",
    "CompiledGame",
    "Games",
    "check_seed",
    "compile_game",
    "interpret_game",
    "record_type",
    "records",
    "to_plain",
]
