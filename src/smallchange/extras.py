"""Packages that are installed beside the program, by extras."""

from __future__ import annotations

import json
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from shlex import quote

CHECKOUT = Path(__file__).parents[2]


def install_command(extra: str) -> str:
    """Return the command that installs an extra from where this program was installed: a checkout, a folder or a file.

    No registry is named, because there the name may be anybody's.

    >>> install_command("fast").endswith("[fast]'")
    True
    """
    pip = f"{quote(sys.executable)} -m pip install"
    if (CHECKOUT / "pyproject.toml").is_file():
        return f"{pip} --editable '{CHECKOUT}[{extra}]'"
    return f"{pip} 'smallchange[{extra}] @ {_origin()}'"


@cache
def _origin() -> str:
    """Return the address of the folder or file that this program was installed from, as pip has noted it."""
    try:
        noted = json.loads(distribution("smallchange").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        noted = {}
    return str(noted.get("url", "file:///PATH/TO/THE/WHEEL"))


def install_hint(package: str, extra: str) -> str:
    """Return how to install a missing package of an extra."""
    return f"this needs {package}: {install_command(extra)}"


def require(extra: str, *packages: str) -> None:
    """Raise ModuleNotFoundError, with how to install it, where a package of an extra is missing."""
    for name in packages:
        if find_spec(name) is None:
            raise ModuleNotFoundError(install_hint(name, extra), name=name)
