"""What has to be installed beside the program itself."""

from __future__ import annotations

from importlib.util import find_spec


def need(extra: str, *packages: str) -> None:
    """ModuleNotFoundError says what to install where one of the packages of an extra is lacking."""
    for name in packages:
        if find_spec(name) is None:
            raise ModuleNotFoundError(f"this needs {name}: pip install 'smallchange[{extra}]'", name=name)
