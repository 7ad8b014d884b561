"""What has to be installed beside the program itself."""

from __future__ import annotations

from importlib.util import find_spec


def advice(package: str, extra: str) -> str:
    """What to install where a package of an extra is lacking."""
    return f"this needs {package}: pip install 'smallchange[{extra}]'"


def need(extra: str, *packages: str) -> None:
    """ModuleNotFoundError says what to install where one of the packages of an extra is lacking."""
    for name in packages:
        if find_spec(name) is None:
            raise ModuleNotFoundError(advice(name, extra), name=name)
