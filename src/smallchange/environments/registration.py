"""The ids under which Gymnasium makes the games: `smallchange/` and the game's id in capitals, `-v0`.

`import smallchange` registers them, before or after Gymnasium is imported. Gymnasium itself is imported only by
those who use it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

from smallchange.core.game_places import games

NAMESPACE = "smallchange"
REGISTRY = "gymnasium.envs.registration"  # the module that knows all environments


def environment_id(game_id: str) -> str:
    """Return the id of a game's environment.

    >>> environment_id("heads-or-tails")
    'smallchange/HeadsOrTails-v0'
    """
    name = "".join(part.capitalize() for part in game_id.split("-"))
    return f"{NAMESPACE}/{name}-v0"


def register_environments(registry: ModuleType | None = None) -> None:
    """Register every game that `games()` lists, which needs Gymnasium; those that are known are left."""
    known = registry or import_module(REGISTRY)
    for id in games():
        if environment_id(id) not in known.registry:
            known.register(
                environment_id(id),
                entry_point="smallchange.environments.gymnasium_env:GameEnv",
                vector_entry_point="smallchange.environments.gymnasium_vector:GameVectorEnv",
                kwargs={"game": id},
            )


class _RegisteringLoader(Loader):
    """Loads Gymnasium's registry as usual, then registers the games in it."""

    def __init__(self, usual: Loader) -> None:
        self._usual = usual

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._usual.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._usual.exec_module(module)
        register_environments(module)


class _RegistryFinder(MetaPathFinder):
    """Finds Gymnasium's registry when it is imported for the first time."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the usual spec of the registry, which then registers the games; None of other modules."""
        spec = PathFinder.find_spec(name, path, target) if name == REGISTRY else None
        if spec is not None and spec.loader is not None:
            spec.loader = _RegisteringLoader(spec.loader)
        return spec


def install() -> None:
    """Register the games now if Gymnasium is imported, else when it will be."""
    registry = sys.modules.get(REGISTRY)
    if registry is not None and hasattr(registry, "registry"):
        register_environments(registry)
    else:
        sys.meta_path.insert(0, _RegistryFinder())
