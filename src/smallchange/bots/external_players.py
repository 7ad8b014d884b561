"""Players from outside, named MODULE:FUNCTION.

They are functions from a position and a source of random numbers to the token they play.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from traceback import extract_tb
from types import ModuleType
from typing import Any

from smallchange.core.errors import BadPolicy
from smallchange.core.game import Position

MARK = ":"  # between module and function


def is_name(name: str) -> bool:
    """Return whether a text has the form MODULE:FUNCTION."""
    module, mark, called = name.partition(MARK)
    return bool(mark) and called.isidentifier() and all(part.isidentifier() for part in module.split("."))


def function(name: str) -> Callable[[Position, Random], str]:
    """Return the function of this name. BadPolicy if there is none; its own errors become a BadPolicy too."""
    found: Any = getattr(_module(name), name.partition(MARK)[2], None)
    if not callable(found):
        raise BadPolicy(f"unknown policy {name!r}: its module has no such function")

    def player(position: Position, luck: Random) -> str:
        try:
            token: str = found(position, luck)
        except (Exception, SystemExit) as wrong:
            raise BadPolicy(_describe_error(wrong)) from wrong
        return token

    return player


def fingerprint(name: str) -> str:
    """Return the name and a digest of the module's text, without its imports. BadPolicy as above."""
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
        raise BadPolicy(f"policy {name!r}: its module raises {_describe_error(wrong)}") from wrong
    raise BadPolicy(
        f"unknown policy {name!r}: Python finds no module {module!r} (for one in this "
        "folder put PYTHONPATH=. before the command)"
    )


def _describe_error(wrong: BaseException) -> str:
    """Describe in a line the error that outside code raised, and its place in the first of its files."""
    between = (__file__, importlib.__file__)
    frames = [frame for frame in extract_tb(wrong.__traceback__) if frame.filename not in between]
    frames = [frame for frame in frames if not frame.filename.startswith("<frozen ")]
    lines = [frame.lineno for frame in frames if frame.filename == frames[0].filename]
    where = f" ({frames[0].filename}, line {lines[-1]})" if lines else ""
    return " ".join(f"{type(wrong).__name__}: {wrong}{where}".split())
