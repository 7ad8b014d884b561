"""The weights of a value net as a file beside the game.

`values.json` in a game's folder holds the net (`value_net.py`) and how it was made; where there is a
`values-variants.json`, all options but the default ones are played by that. A net is accepted only for the rules and
the features it was learned with.
"""

from __future__ import annotations

import ast
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from smallchange.core.atomic_files import replacing
from smallchange.core.errors import BadValues
from smallchange.core.game import Game
from smallchange.core.json_text import read_json
from smallchange.core.measurements import learned_values_file
from smallchange.core.protocols import Features

DIGITS = 5  # significant ones of a weight


@dataclass(frozen=True)
class Weights:
    """A net: first[rows + 1, hidden], second[hidden + 1], each bias last; scales[features].

    blend: 0 where an end is worth its utility, 1 where nothing but a win counts. `made` says how it
    came about: command, seed, games and measurements.
    """

    first: Any
    second: Any
    scales: Any
    blend: float = 0.0
    provenance: dict[str, Any] = field(default_factory=dict)


def features_of(game: Game) -> Features:
    """Return a game's module `ai.features`. Raises ModuleNotFoundError where it has none."""
    if game.features is None:
        raise ModuleNotFoundError(f"{game.id} has no ai/features.py")
    return game.features


def feature_sizes(game: Game) -> tuple[int, int, int]:
    """Return the numbers of numeric features, of flags, and of rows of weights for both (`value_net.py`)."""
    stored = features_of(game)
    return stored.FEATURES, getattr(stored, "FLAGS", 0), getattr(stored, "ROWS", stored.FEATURES)


def has_features(game: Game) -> bool:
    """Return whether the game describes its states to a learner."""
    return game.features is not None


def new_weights(game: Game, hidden: int, seed: int, blend: float = 0.0) -> Weights:
    """Return an untrained net, with small random weights."""
    luck, (n, _, rows) = np.random.default_rng(seed), feature_sizes(game)
    first, second = np.zeros((rows + 1, hidden)), np.zeros(hidden + 1)
    first[:, 1:] = luck.normal(0, 0.15, (rows + 1, hidden - 1))
    second[1:hidden] = luck.normal(0, 0.15, hidden - 1)
    second[0] = 1.0
    return Weights(first, second, np.ones(n), blend)


def features_digest(game: Game) -> str:
    """Return a digest of these features: of the text without comments, docstrings, imports and layout."""
    tree = ast.parse((game.folder / "ai" / "features.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    tree.body = [node for node in tree.body if not isinstance(node, ast.ImportFrom)]
    return hashlib.sha256(ast.unparse(tree).encode()).hexdigest()[:16]


def write_weights(file: Path, game: Game, weights: Weights) -> None:
    """Write values with their game and options, all on one line: the whole file or nothing.

    BadValues where they could not be read again, as learning in steps too large leaves them.
    """
    if fault := _fault(game, weights):
        raise BadValues(f"{file} is not written: {fault}")
    about = {
        "game": game.id,
        "rules": game.version,
        "features": features_digest(game),
        "blend": weights.blend,
    }
    rows = {
        "scales": _short(weights.scales),
        "second": _short(weights.second),
        "first": [_short(row) for row in weights.first],
    }
    with replacing(file) as out:
        text = json.dumps(about | {"made": weights.provenance} | rows, separators=(",", ":"))
        out.write(text.encode() + b"\n")


def _short(row: Any) -> list[float]:
    """Return the numbers of a row, as short as they are kept."""
    return [float(f"{x:.{DIGITS}g}") for x in row.tolist()]


def is_foreign_file(file: Path) -> bool:
    """Return whether a file exists that holds no learned values of any game."""
    if not file.is_file() or not file.stat().st_size:
        return False
    try:
        stored = read_json(file.read_bytes())
    except ValueError:
        return True
    return not (isinstance(stored, dict) and stored.keys() >= {"game", "features", "first", "second"})


def read_weights(game: Game, file: Path | None = None) -> Weights:
    """Read the values learned for a game. BadValues if there are none, or if they are of something else."""
    file = file or learned_values_file(game)
    try:
        stored = read_json(file.read_text(encoding="utf-8"))
        theirs = stored["game"], stored["rules"], stored["features"]
        first, second, scales = (np.array(stored[name], np.float64) for name in ("first", "second", "scales"))
        weights = Weights(first, second, scales, float(stored["blend"]), dict(stored["made"]))
    except FileNotFoundError:
        raise BadValues(
            f"there are no learned values for {game.id}: python -m research train {game.id} --install"
        ) from None
    except (KeyError, TypeError, ValueError, OSError, OverflowError) as wrong:
        raise BadValues(f"{file} does not hold learned values: {wrong}") from wrong
    ours = game.id, game.version, features_digest(game)
    if theirs != ours:
        raise BadValues(f"{file} was learned for game, rules and features {theirs}, not {ours}: train anew")
    if fault := _fault(game, weights):
        raise BadValues(f"{file} is damaged: {fault}")
    return weights


def _fault(game: Game, weights: Weights) -> str:
    """Return the reason that weights cannot be a game's learned values, or "" if they can."""
    n, _, rows = feature_sizes(game)
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
