"""Players from outside, named MODULE:FUNCTION: functions from a position and a source of random numbers to
the token they play."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from smallchange.errors import BadPolicy
from smallchange.game import Position

MARK = ":"  # between module and function


def function(name: str) -> Callable[[Position, Random], str]:
    """The function of this name. BadPolicy where there is none."""
    found: Any = getattr(_module(name), name.partition(MARK)[2], None)
    if not callable(found):
        raise BadPolicy(f"unknown policy {name!r}: its module has no such function")
    player: Callable[[Position, Random], str] = found
    return player


def said(name: str) -> str:
    """The name, and a digest of the module's text: not of what that imports. BadPolicy as above."""
    function(name)
    file = getattr(_module(name), "__file__", None)
    digest = hashlib.sha256(Path(file).read_bytes() if file else b"").hexdigest()
    return f"{name}, SHA-256 {digest[:16]}"


def _module(name: str) -> ModuleType:
    module = name.partition(MARK)[0]
    try:
        if all(part.isidentifier() for part in module.split(".")):
            return import_module(module)
    except ModuleNotFoundError as lacking:
        if not f"{module}.".startswith(f"{lacking.name}."):
            raise  # something that the module imports
    raise BadPolicy(f"unknown policy {name!r}: Python finds no module {module!r}")
