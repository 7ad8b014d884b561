"""Packages that are installed beside the program, by extras."""

from __future__ import annotations

from importlib.util import find_spec


def install_hint(package: str, extra: str) -> str:
    """Return how to install a missing package of an extra."""
    return f"this needs {package}: pip install 'smallchange[{extra}]'"


def require(extra: str, *packages: str) -> None:
    """Raise ModuleNotFoundError, with how to install it, where a package of an extra is missing."""
    for name in packages:
        if find_spec(name) is None:
            raise ModuleNotFoundError(install_hint(name, extra), name=name)
