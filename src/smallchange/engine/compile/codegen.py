"""Generate one text for a game: its rules, its greedy player and the kernels, for Numba or for Python.

Numba keeps compiled code on disk, but does not notice a change in another file, and has served one game
the code of another that looked alike. So everything that is compiled for a game is one text, and `cache.py`
names the file by a digest of it: another text is another file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from smallchange.core.state import Fields

from .passes import BoundLoops, IndexArrays, RemoveBranches, RenameGlobals, StripAnnotations, WidenNumbers
from .sources import KERNELS, Definition, Sources, parse

PLAYOUTS = ("playouts",)

HEAD = """\
from math import exp, sqrt
import numpy as np
from smallchange.engine.compile.{runtime} import at as _at, bit, count, decorators, lowest, whole, word
_entry, _inner = decorators({checked})
"""


@dataclass(frozen=True)
class Location:
    """A line of a file of rules or kernels."""

    label: str  # the file as an error names it: GAME/rules.py
    line: int
    path: Path

    def __str__(self) -> str:
        return f"{self.label}:{self.line}"


@dataclass(frozen=True)
class GeneratedSource:
    """The generated definitions of a game, without a head, and where each line of them comes from."""

    definitions: tuple[Definition, ...]
    bundles: tuple[str, ...]  # comments with the fields of records, and of bundles in their order

    @cached_property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.bundles) + "\n\n".join(self._pieces) + "\n"

    @cached_property
    def _pieces(self) -> list[str]:
        return [ast.unparse(definition.node) for definition in self.definitions]

    @cached_property
    def locations(self) -> dict[int, Location]:
        """The place in rules or kernels of each statement of `text`, by line from 1."""
        first, found = len(self.bundles), {}
        for definition, piece in zip(self.definitions, self._pieces, strict=True):
            again = parse(piece, definition.path).body[0]
            for old, new in zip(_statements(definition.node), _statements(again), strict=True):
                found[first + new.lineno] = Location(definition.label, old.lineno, definition.path)
            first += piece.count("\n") + 2
        return found

    def run(self, namespace: dict[str, Any]) -> None:
        """Run the definitions by Python. Each keeps its file and lines, so that tracebacks name them."""
        for definition in self.definitions:
            module = ast.Module([definition.node], [])
            exec(compile(module, str(definition.path), "exec"), namespace)


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield a statement and all that it holds, in order."""
    if isinstance(node, ast.stmt):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from _statements(child)


def generate_source(
    folder: Path, package: str, kernel_modules: tuple[str, ...] = PLAYOUTS, checked: bool = False
) -> GeneratedSource:
    """Generate the source of the game in `folder`, whose modules are those of `package`.

    `kernel_modules` names those whose entry points are wanted; all that these call is found. `checked` leaves
    every branch as it was written and bounds the game's loops, for a run with bounds checks. DialectError where a
    file of the game is outside the dialect, RulesError where something that a kernel calls is missing or has two
    meanings.
    """
    paths = sorted([*folder.glob("*.py"), *folder.glob("ai/*.py"), *KERNELS.glob("*.py")])
    contents = tuple(path.read_bytes() for path in paths)
    return _generate_once(folder, package, kernel_modules, checked, contents)


@lru_cache(64)
def _generate_once(
    folder: Path, package: str, kernel_modules: tuple[str, ...], checked: bool, contents: tuple[bytes, ...]
) -> GeneratedSource:
    """Generate a source, which need not be done again while no file has changed."""
    model = import_module(f"{package}.model")
    sources = Sources(folder, package)
    collected = sources.collect(kernel_modules)
    records = [_field_comment(fields) for fields in (model.Board, model.State)]
    bundles = [_comment(node) for _, node in sorted(sources.bundles.items())]
    definitions = _transform(collected, _single_fields(model), checked)
    return GeneratedSource(tuple(definitions), (*records, *bundles))


def _field_comment(fields: type[Fields]) -> str:
    """Return a comment with the length and range of each field of a record."""
    ranges = [f"{name}[{f.length}] {f.low}..{f.high}" for name, f in fields.ranges.items()]
    return f"# {fields.__name__}: {', '.join(ranges)}"


def _comment(bundle: ast.ClassDef) -> str:
    fields = [ast.unparse(field.target) for field in bundle.body if isinstance(field, ast.AnnAssign)]
    return f"# {bundle.name}: {', '.join(fields)}"


def _single_fields(model: Any) -> set[str]:
    """Return the fields of a game that hold single numbers, on the board and in the state."""
    ranges = [*model.Board.ranges.items(), *model.State.ranges.items()]
    return {name for name, field in ranges if not field.length} - {name for name, f in ranges if f.length}


def _transform(collected: list[Definition], fields: set[str], checked: bool) -> list[Definition]:
    """Take all definitions through the passes."""
    functions = {d.name for d in collected if isinstance(d.node, ast.FunctionDef)}
    tables = {d.name for d in collected if isinstance(d.node, ast.Assign) and _is_table(d.node)}
    constants = {d.name for d in collected} - functions - tables
    widened = {*functions, "bit"}
    steps = [StripAnnotations(), IndexArrays(tables), *([] if checked else [RemoveBranches()])]
    in_game = WidenNumbers(fields, constants, widened)
    in_kernel = WidenNumbers({"turn"}, constants, widened, rows=False)  # it reads no other field of a game
    result = []
    for definition in collected:
        node: ast.AST = definition.node
        is_kernel = "/kernels/" in definition.label
        for step in (
            RenameGlobals(definition.name, definition.uses),
            *steps,
            *([BoundLoops()] if checked and not is_kernel else []),
            in_kernel if is_kernel else in_game,
        ):
            node = step.visit(node)
        result.append(definition._replace(node=ast.fix_missing_locations(node)))  # type: ignore[arg-type]
    return result


def _is_table(node: ast.Assign) -> bool:
    return isinstance(node.value, ast.Tuple)
