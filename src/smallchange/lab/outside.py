"""Players from outside, named MODULE:FUNCTION: functions from a position and a source of random numbers to
the token they play."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from traceback import extract_tb
from types import ModuleType
from typing import Any

from smallchange.errors import BadPolicy
from smallchange.game import Position

MARK = ":"  # between module and function


def function(name: str) -> Callable[[Position, Random], str]:
    """The function of this name; of what it raises comes a BadPolicy. BadPolicy where there is none."""
    found: Any = getattr(_module(name), name.partition(MARK)[2], None)
    if not callable(found):
        raise BadPolicy(f"unknown policy {name!r}: its module has no such function")

    def player(position: Position, luck: Random) -> str:
        try:
            token: str = found(position, luck)
        except (Exception, SystemExit) as wrong:
            raise BadPolicy(_told(wrong)) from wrong
        return token

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
            return importlib.import_module(module)
    except ModuleNotFoundError as lacking:
        if not f"{module}.".startswith(f"{lacking.name}."):  # something that the module imports
            needs = f"its module needs {lacking.name}, which is not installed"
            raise BadPolicy(f"policy {name!r}: {needs}") from lacking
    except (Exception, SystemExit) as wrong:
        raise BadPolicy(f"policy {name!r}: its module raises {_told(wrong)}") from wrong
    raise BadPolicy(f"unknown policy {name!r}: Python finds no module {module!r}")


def _told(wrong: BaseException) -> str:
    """What code from outside raised, in a line, and where in the first of its files."""
    between = (__file__, importlib.__file__)
    frames = [frame for frame in extract_tb(wrong.__traceback__) if frame.filename not in between]
    frames = [frame for frame in frames if not frame.filename.startswith("<frozen ")]
    lines = [frame.lineno for frame in frames if frame.filename == frames[0].filename]
    where = f" ({frames[0].filename}, line {lines[-1]})" if lines else ""
    return " ".join(f"{type(wrong).__name__}: {wrong}{where}".split())
