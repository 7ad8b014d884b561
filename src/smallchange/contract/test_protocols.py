"""Every module of a game has the functions and constants of its protocol, with the same parameters."""

from __future__ import annotations

from typing import Any, Protocol

import pytest

from smallchange.core import protocols
from smallchange.core.game import Game

from .check import PARTS, parameter_faults
from .variants import GAMES


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("id", GAMES)
def test_a_module_provides_its_protocol(id: str, part: str) -> None:
    module: Any = getattr(Game(id), part)
    if module is None:
        return
    assert protocols.missing_names(module, PARTS[part]) == []
    assert parameter_faults(module, PARTS[part]) == []


def test_every_protocol_is_that_of_a_part() -> None:
    declared = {
        value
        for value in vars(protocols).values()
        if getattr(value, "_is_protocol", False) and value is not Protocol
    }
    assert declared == set(PARTS.values())
