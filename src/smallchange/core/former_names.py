"""Modules under the names that the documentation of version 0.1 had for them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

FORMER_NAMES = {
    "smallchange.fast": "smallchange.engine",
    "smallchange.lab.grid": "smallchange.lab.experiment_grid",
    "smallchange.lab.play": "smallchange.lab.play_portion",
    "smallchange.mind": "smallchange.bots",
    "smallchange.solve": "smallchange.tablebase",
    "smallchange.solve.make": "smallchange.tablebase.make_table",
}


class _AliasLoader(Loader):
    def __init__(self, name: str) -> None:
        self._name = name

    def exec_module(self, module: ModuleType) -> None:
        """Put the module of today's name in the place of a module that was imported by its former name."""
        warnings.warn(f"{module.__name__} is {self._name} now", DeprecationWarning, stacklevel=2)
        sys.modules[module.__name__] = import_module(self._name)


class FormerNames(MetaPathFinder):
    """Finds modules by their former names; a submodule too, whose package was renamed."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec that loads the module of today's name; None if the name is no former one."""
        package, _, module = name.rpartition(".")
        renamed = FORMER_NAMES.get(name)
        if renamed is None and package in FORMER_NAMES:
            renamed = f"{FORMER_NAMES[package]}.{module}"
        return ModuleSpec(name, _AliasLoader(renamed)) if renamed else None


def install() -> None:
    """Let Python find modules by their former names."""
    sys.meta_path.insert(0, FormerNames())
