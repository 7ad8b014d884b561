"""Write docs/names.md: every public name of the library with a line of its docstring.

Usage: python scripts/names_page.py [--check]

With --check nothing is written; the exit code is 1 where the page differs from the docstrings.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import docs_site

import smallchange
from smallchange import Game, Match, Position, bots, record

PAGE = Path(__file__).parents[1] / "docs" / "names.md"
INTRODUCTION = """\
# Names

<!-- Written by scripts/names_page.py; do not edit. -->

Every name that `import smallchange` promises, with a line from its docstring: `help(NAME)` has all of it, and [In
Python](python.md) shows them at work. A name without brackets is an attribute.
"""
MODULES = """\
## Modules

These modules too are for others, and stay as they are. Other modules are the program's own, and change.

| module | |
| --- | --- |"""


def line(described: object) -> str:
    """Return the first sentence of a docstring, as a cell of a table."""
    first = " ".join((inspect.getdoc(described) or "").split("\n\n")[0].split())
    return first.replace("|", r"\|")


def members(kind: type) -> Iterator[tuple[str, object]]:
    """Yield the methods and properties of a class that it describes, by name."""
    for name in sorted(vars(kind)):
        found = inspect.getattr_static(kind, name)
        if not name.startswith("_") and not inspect.isclass(found) and inspect.getdoc(getattr(kind, name)):
            yield name + ("()" if callable(getattr(kind, name)) else ""), found


def names(module: object) -> Iterator[tuple[str, object]]:
    """Yield the names of a module."""
    for name in sorted(getattr(module, "__all__", ())):
        found = getattr(module, name)
        if callable(found) or inspect.ismodule(found):
            yield name + ("()" if callable(found) and not inspect.isclass(found) else ""), found


def page() -> str:
    """Return the whole page."""
    parts = [INTRODUCTION]
    modules = [
        (module.__name__.replace(".core", ""), names(module)) for module in (smallchange, bots, record)
    ]
    kinds = [(kind.__name__, members(kind)) for kind in (Game, Position, Match)]
    for heading, rows in modules[:1] + kinds + modules[1:]:
        lines = [f"| `{name}` | {line(found)} |" for name, found in rows]
        parts.append("\n".join([f"## {heading}", "", "| name | |", "| --- | --- |", *lines, ""]))
    offered = [name for names in docs_site.reference().values() for name in names]
    lines = [f"| `{name}` | {line(importlib.import_module(name))} |" for name in offered]
    parts.append("\n".join([MODULES, *lines, ""]))
    return "\n".join(parts)


if __name__ == "__main__":
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != page():
        sys.exit("run python scripts/names_page.py: docs/names.md differs from the docstrings")
