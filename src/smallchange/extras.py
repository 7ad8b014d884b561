"""Packages that are installed beside the program, by extras."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]


def install_command(extra: str) -> str:
    """Return the command that installs an extra: from this checkout, or from the wheel that this is of.

    No registry is named, because there the name may be anybody's.

    >>> install_command("fast").endswith("[fast]'")
    True
    """
    if (CHECKOUT / "pyproject.toml").is_file():
        return f"pip install --editable '{CHECKOUT}[{extra}]'"
    return f"pip install 'PATH/TO/smallchange-VERSION-py3-none-any.whl[{extra}]'"


def install_hint(package: str, extra: str) -> str:
    """Return how to install a missing package of an extra."""
    return f"this needs {package}: {install_command(extra)}"


def require(extra: str, *packages: str) -> None:
    """Raise ModuleNotFoundError, with how to install it, where a package of an extra is missing."""
    for name in packages:
        if find_spec(name) is None:
            raise ModuleNotFoundError(install_hint(name, extra), name=name)
