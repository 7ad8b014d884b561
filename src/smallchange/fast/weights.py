"""Learned values as a file beside the game, and what they are good for.

`values.json` in a game's folder holds the net (`net.py`) and how it was made. It is believed only for the
rules and the features it was learned with.
"""

from __future__ import annotations

import ast
import hashlib
import json
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from smallchange.errors import BadValues
from smallchange.files import replacing
from smallchange.game import Game

FILE = "values.json"
DIGITS = 5  # significant ones of a weight


@dataclass(frozen=True)
class Weights:
    """A net: first[rows + 1, hidden], second[hidden + 1], each bias last; scales[features].

    blend: 0 where an end is worth what the game aims at, 1 where nothing but a win counts. `made` says how it
    came about: command, seed, games and what was measured.
    """

    first: Any
    second: Any
    scales: Any
    blend: float = 0.0
    made: dict[str, Any] = field(default_factory=dict)


def features_of(game: Game) -> Any:
    """A game's module `features`. ModuleNotFoundError if it declares none."""
    return import_module(f"{game.rules.__package__}.features")


def sizes(game: Game) -> tuple[int, int, int]:
    """How many numbers and flags describe a state, and how many rows of weights the two have (`net.py`)."""
    told = features_of(game)
    return told.FEATURES, getattr(told, "FLAGS", 0), getattr(told, "ROWS", told.FEATURES)


def learnable(game: Game) -> bool:
    """Does the game say what a learner sees of it?"""
    return (game.folder / "features.py").exists()


def fresh(game: Game, hidden: int, seed: int, blend: float = 0.0) -> Weights:
    """A net that knows nothing: small random weights."""
    luck, (n, _, rows) = np.random.default_rng(seed), sizes(game)
    first, second = np.zeros((rows + 1, hidden)), np.zeros(hidden + 1)
    first[:, 1:] = luck.normal(0, 0.15, (rows + 1, hidden - 1))
    second[1:hidden] = luck.normal(0, 0.15, hidden - 1)
    second[0] = 1.0
    return Weights(first, second, np.ones(n), blend)


def digest(game: Game) -> str:
    """What tells these features from others: of the text without comments, docstrings and layout."""
    tree = ast.parse((game.folder / "features.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return hashlib.sha256(ast.unparse(tree).encode()).hexdigest()[:16]


def write(file: Path, game: Game, weights: Weights) -> None:
    """Write values with what they were learned for, a row of the net on a line: the whole file or nothing.

    BadValues where they could not be read again, as learning in steps too large leaves them.
    """
    if fault := _fault(game, weights):
        raise BadValues(f"{file} is not written: {fault}")
    about = {"game": game.id, "rules": game.version, "features": digest(game), "blend": weights.blend}
    rows = [("scales", weights.scales), ("second", weights.second)]
    lines = [json.dumps(about | {"made": weights.made}, indent=1)[:-2]]
    lines += [f' "{name}": {_said(row)}' for name, row in rows]
    lines += [' "first": [\n  ' + ",\n  ".join(_said(row) for row in weights.first) + "\n ]"]
    with replacing(file) as out:
        out.write((",\n".join(lines) + "\n}\n").encode())


def _said(row: Any) -> str:
    return "[" + ", ".join(f"{x:.{DIGITS}g}" for x in row.tolist()) + "]"


def foreign(file: Path) -> bool:
    """Is there a file that holds no learned values, whatever they are of?"""
    if not file.is_file() or not file.stat().st_size:
        return False
    try:
        told = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        return True
    return not (isinstance(told, dict) and told.keys() >= {"game", "features", "first", "second"})


def read(game: Game, file: Path | None = None) -> Weights:
    """The values learned for a game. BadValues if there are none, or if they are of something else."""
    file = file or game.folder / FILE
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        said = told["game"], told["rules"], told["features"]
        first, second, scales = (np.array(told[name], np.float64) for name in ("first", "second", "scales"))
        weights = Weights(first, second, scales, float(told["blend"]), dict(told["made"]))
    except FileNotFoundError:
        raise BadValues(
            f"there are no learned values for {game.id}: smallchange train {game.id} --install"
        ) from None
    except (KeyError, TypeError, ValueError, OSError, OverflowError, RecursionError) as wrong:
        raise BadValues(f"{file} does not hold learned values: {wrong}") from wrong
    ours = game.id, game.version, digest(game)
    if said != ours:
        raise BadValues(f"{file} was learned for game, rules and features {said}, not {ours}: train anew")
    if fault := _fault(game, weights):
        raise BadValues(f"{file} is damaged: {fault}")
    return weights


def _fault(game: Game, weights: Weights) -> str:
    """What keeps weights from being learned values of a game; "" where nothing does."""
    n, _, rows = sizes(game)
    first, second, scales = weights.first, weights.second, weights.scales
    if second.ndim != 1 or first.shape != (rows + 1, len(second) - 1) or scales.shape != (n,):
        return f"it holds a net of {first.shape} weights"
    if not all(np.isfinite(numbers).all() for numbers in (first, second, scales)):
        return "not all weights are finite"
    if not (scales > 0).all():
        return "not all scales are above 0"
    if not 0 <= weights.blend <= 1:
        return f"blend is a number from 0 to 1, not {weights.blend}"
    return ""
