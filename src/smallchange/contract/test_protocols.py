"""Every module of a game has the functions and constants of its protocol, with the same parameters."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from smallchange.core import protocols
from smallchange.core.game import Game

from .variants import GAMES

PARTS = {
    "model": protocols.Model,
    "rules": protocols.Rules,
    "notation": protocols.Notation,
    "words": protocols.Words,
    "layout": protocols.Layout,
    "heuristic": protocols.Heuristic,
    "summary": protocols.Summary,
    "reference": protocols.Reference,
    "piecepack": protocols.Piecepack,
    "guide": protocols.Guide,
    "presets": protocols.Presets,
    "memory": protocols.Memory,
    "margin": protocols.Margin,
    "invariants": protocols.Invariants,
    "utility": protocols.Utility,
    "evaluation": protocols.Evaluation,
    "symmetry": protocols.Symmetry,
    "ranking": protocols.Ranking,
    "chance_layers": protocols.ChanceLayers,
    "dice_moves": protocols.DiceMoves,
    "features": protocols.Features,
    "reasons": protocols.Reasons,
}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("id", GAMES)
def test_a_module_provides_its_protocol(id: str, part: str) -> None:
    module: Any = getattr(Game(id), part)
    if module is None:
        return
    protocol = PARTS[part]
    functions = {name: member for name, member in vars(protocol).items() if inspect.isfunction(member)}
    constants = [name for name in protocol.__annotations__ if name not in functions]
    assert [name for name in constants if not hasattr(module, name)] == []
    for name, function in functions.items():
        if name.startswith("_"):
            continue
        wanted = list(inspect.signature(function).parameters)[1:]
        offered = list(inspect.signature(getattr(module, name)).parameters)
        assert offered[: len(wanted)] == wanted, name


def test_every_protocol_is_that_of_a_part() -> None:
    declared = {
        value for value in vars(protocols).values() if getattr(value, "__module__", "") == protocols.__name__
    }
    assert declared == set(PARTS.values())
