"""Players from outside: functions of a position, which Python code gives, or the command line as MODULE:FUNCTION.

A player takes the position, or the position and a source of random numbers, and returns the token it plays.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable
from inspect import Parameter, signature
from pathlib import Path
from random import Random
from traceback import extract_tb
from types import ModuleType
from typing import Any

from smallchange.core.errors import BadPolicy
from smallchange.core.game import Position

__all__ = ["MARK", "Player", "fingerprint", "function", "is_name", "name_of", "player"]

MARK = ":"  # between module and function
POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
Player = Callable[[Position], str] | Callable[[Position, Random], str]


def is_name(name: str) -> bool:
    """Return whether a text has the form MODULE:FUNCTION."""
    module, mark, called = name.partition(MARK)
    return bool(mark) and called.isidentifier() and all(part.isidentifier() for part in module.split("."))


def function(name: str) -> Callable[[Position, Random], str]:
    """Return the function of this name. BadPolicy if there is none; its own errors become a BadPolicy too."""
    found: Any = getattr(_module(name), name.partition(MARK)[2], None)
    if not callable(found):
        raise BadPolicy(f"unknown policy {name!r}: its module has no such function")
    return player(found)


def player(found: Any) -> Callable[[Position, Random], str]:
    """Return a function of a position, or of a position and luck, as one of both.

    An error that it raises becomes a BadPolicy.
    """
    with_luck = _takes_luck(found)

    def play(position: Position, luck: Random) -> str:
        try:
            token: str = found(position, luck) if with_luck else found(position)
        except (Exception, SystemExit) as wrong:
            raise BadPolicy(_describe_error(wrong)) from wrong
        return token

    return play


def _takes_luck(found: Callable[..., Any]) -> bool:
    """Return whether a function needs a second argument, or takes any number of them."""
    try:
        parameters = signature(found).parameters.values()
    except (TypeError, ValueError):  # of a function in C
        return True
    needed = [p for p in parameters if p.kind in POSITIONAL and p.default is p.empty]
    return len(needed) != 1 or any(p.kind is Parameter.VAR_POSITIONAL for p in parameters)


def name_of(found: object) -> str:
    """Return a name for a function in results, which are of this program alone: `<last>`."""
    name = getattr(found, "__qualname__", type(found).__qualname__)
    return f"<{name.rpartition('.')[2].strip('<>')}>"


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
