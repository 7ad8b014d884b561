"""Build a module from a game's rules and some kernels: compiled by Numba, or run by Python."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from smallchange.core.errors import RulesError, RulesIndexError
from smallchange.core.game import Game

from .cache import load_module
from .checked_run import check_rules, checked_part
from .codegen import HEAD, PLAYOUTS, GeneratedSource, generate_source
from .diagnostics import explain_compile_error, find_location


class EntryPoints:
    """The entry points of a built module: each attribute is the kernel's function of that name.

    RulesError, with file and line, where Numba cannot compile the rules. In checked and in bounded code an index
    outside its array raises RulesIndexError, which names the line if the code is checked.
    """

    def __init__(
        self, source: GeneratedSource, text: str, module: ModuleType, checked: bool, foreign: str = ""
    ) -> None:
        self.source = source
        self.text = text
        self.module = module
        self.checked = checked
        self.foreign = foreign  # the id of a game that is not ours

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(self.module, f"_{name}")
        kind = CheckedEntryPoint if self.checked else BoundedEntryPoint if self.foreign else EntryPoint
        entry = kind(self, name)
        entry.function = function
        setattr(self, name, entry)  # found at once from now on
        return entry


class EntryPoint:
    """One function that is called from outside, and compiled when it is called first."""

    function: Callable[..., Any]

    def __init__(self, owner: EntryPoints, name: str) -> None:
        self.owner = owner
        self.name = name

    def __call__(self, *arguments: Any) -> Any:
        try:
            return self.function(*arguments)
        except NumbaError as wrong:
            owner = self.owner
            head_lines = owner.text.count("\n") - owner.source.text.count("\n")
            file = Path(str(owner.module.__file__))
            raise explain_compile_error(wrong, owner.source, file, head_lines) from wrong

    def machine_code(self) -> Callable[..., Any]:
        """Return the machine code for the types of the first call, which does not look at types again.

        Five times faster to call, and a crash with arguments of other types: for callers whose arrays stay.
        """
        overloads = getattr(self.function, "overloads", None)
        if overloads is None or len(overloads) != 1:  # run by Python, or called with other types too
            return self
        compiled: Callable[..., Any] = next(iter(overloads.values())).entry_point
        return compiled


FAULTS: dict[type[Exception], str] = {
    IndexError: "an index is outside its array",
    ZeroDivisionError: "a division by zero",
}


class BoundedEntryPoint(EntryPoint):
    """A function compiled with bounds checks."""

    def machine_code(self) -> Callable[..., Any]:
        return self

    def __call__(self, *arguments: Any) -> Any:
        try:
            return super().__call__(*arguments)
        except (IndexError, ZeroDivisionError, RuntimeError) as wrong:
            error = RulesIndexError if isinstance(wrong, IndexError) else RulesError
            why = f"{FAULTS.get(type(wrong), wrong)}; with SMALLCHANGE_CHECKED=1 the error has file and line"
            raise error(f"{self.owner.foreign}: {why}") from wrong


class CheckedEntryPoint(EntryPoint):
    """A function compiled with bounds checks, which is run again by Python to find the line that fails."""

    def machine_code(self) -> Callable[..., Any]:
        return self

    def __call__(self, *arguments: Any) -> Any:
        before = [_as_python(argument) for argument in arguments]
        try:
            return super().__call__(*arguments)
        except (IndexError, ZeroDivisionError, RuntimeError) as wrong:
            source = self.owner.source
            try:
                getattr(run_by_python(source), f"_{self.name}")(*before)
            except Exception as again:
                place = find_location(again, source)
                error = RulesIndexError if isinstance(wrong, IndexError) else RulesError
                raise error(f"{place}: {again}") from wrong
            raise


def _as_python(argument: Any) -> Any:
    """Copy an argument, as the same function run by Python takes it."""
    if isinstance(argument, np.ndarray):
        is_words = argument.dtype == np.uint64 and argument.ndim == 1
        return argument.tolist() if is_words else argument.copy()
    if isinstance(argument, np.uint64):
        return int(argument)
    if isinstance(argument, tuple):
        parts = [_as_python(part) for part in argument]
        return type(argument)(*parts) if hasattr(argument, "_fields") else tuple(parts)
    return copy.copy(argument)


def build_module(
    game: Game,
    kind: str,
    kernel_modules: tuple[str, ...] = PLAYOUTS,
    compiled: bool = True,
    checked: bool | None = None,
) -> EntryPoints:
    """Build the entry points of some kernel modules for a game.

    `kind` tells the module from others of the game. `checked` raises RulesIndexError where an index lies outside
    its array; by default the environment's SMALLCHANGE_CHECKED decides. The code of a foreign game has bounds checks
    in any case, because a first run of a few random games does not meet all that its rules can do. RulesError where
    the rules cannot be compiled, or fail in that run.
    """
    if checked is None:
        checked = os.environ.get("SMALLCHANGE_CHECKED", "") not in ("", "0")
    foreign = game.id if game.foreign_digest else ""
    bounded = checked or bool(foreign)
    source = generate_source(game.folder, game.package, kernel_modules, bounded and compiled)
    if not compiled:
        return EntryPoints(source, source.text, run_by_python(source), checked=False)
    head = HEAD.format(runtime="runtime_numba", checked=bounded)
    text = head + source.text
    name = f"{game.id}-{kind}" if kind else game.id
    module = load_module(name, text, lambda: check_rules(game, kernel_modules), checked_part(game))
    return EntryPoints(source, text, module, checked, foreign)


def run_by_python(source: GeneratedSource) -> ModuleType:
    """Return the module of a source that is run by Python, on NumPy's records."""
    module = ModuleType("interpreted")
    exec(HEAD.format(runtime="runtime_python", checked=False), module.__dict__)
    source.run(module.__dict__)
    return module
