"""An environment that has what some extras install, and nothing else: other packages of this one are hidden from it.

`environment` gives the variables of a process that begins so, by a `sitecustomize`.
`python -m tests.support.without_extras` prints the megabytes that each extra takes here.
"""

from __future__ import annotations

import os
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, files, metadata, packages_distributions, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HIDE = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hidden())
"""


def installed_with(*extras: str) -> set[str]:
    """Return the distributions that `pip install '.[EXTRAS]'` installs, in small letters."""
    found = set[str]()
    waiting: list[tuple[str, str]] = [("smallchange", extra) for extra in ("", *extras)]
    done = set(waiting)
    while waiting:
        name, extra = waiting.pop()
        found.add(name)
        try:
            lines = requires(name) or []
        except PackageNotFoundError:  # of another system
            continue
        for needed in map(Requirement, lines):
            if needed.marker and not needed.marker.evaluate({"extra": extra}):
                continue
            for more in {"", *needed.extras}:
                if (wanted := (canonicalize_name(needed.name), more)) not in done:
                    done.add(wanted)
                    waiting.append(wanted)
    return found


def environment(folder: Path, *extras: str) -> dict[str, str]:
    """Return the variables of a process in which only what these extras install can be imported."""
    there = installed_with(*extras)
    hidden = {
        module
        for module, names in packages_distributions().items()
        if not {*map(canonicalize_name, names)} & there
    } - {"smallchange", "research", "tests", "_virtualenv", "distutils-precedence"}
    (folder / "sitecustomize.py").write_text(f"HIDDEN = {sorted(hidden)!r}\n{HIDE}", encoding="utf-8")
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}


def megabytes(names: set[str]) -> int:
    """Return what the files of these distributions take."""
    size = 0
    for name in names - {"smallchange"}:
        with suppress(PackageNotFoundError):
            places = [Path(str(file.locate())) for file in files(name) or ()]
            size += sum(place.stat().st_size for place in places if place.is_file())
    return round(size / 1e6)


if __name__ == "__main__":
    for extra in metadata("smallchange").get_all("Provides-Extra") or ():
        print(f"{extra:12} {megabytes(installed_with(extra)):5} MB")
