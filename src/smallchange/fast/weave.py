"""One text per game: its rules, its greedy player, the luck and the drivers, for Numba and its twin.

Numba keeps compiled code on disk, but does not notice a change in another file, and has served one game
the code of another that looked alike. So everything that is compiled for a game is woven into one text,
and `cache.py` names the file by a digest of it: another text is another file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any

from .widen import Widened

HERE = Path(__file__).parent

HEAD = """\
from math import sqrt
import numpy as np
from smallchange.fast.{kit} import at as _at, bit, count, decorators, lowest, whole, word
_entry, _inlined, _inner = decorators({checked})
"""
INLINED = ("legal", "odds", "source", "play")  # a tenth faster, and hardly longer to compile

DRIVERS = ("luck.py", "drivers.py")

PARSING = Lock()  # CPython 3.11 counts how deep it is for all threads together (python/cpython#106905)
Parts = dict[str, ast.stmt]  # the constants and functions of a text, by name


def woven(folder: Path, package: str, checked: bool = False, drivers: tuple[str, ...] = DRIVERS) -> str:
    """The text of the game in `folder`, whose modules are those of `package`, without its HEAD.

    A driver's name may be that of a file in the game's folder, which is woven in its place.

    `checked` leaves every branch as it was written, for a run with bounds checks.
    """
    own = tuple(file for file in drivers if (folder / file).exists())
    game = _read(folder, ("rules.py", "greedy.py", *own), package)
    ours = _read(HERE, tuple(file for file in drivers if file not in own), __name__.rpartition(".")[0])
    prefix = _Prefixed({*ours, "entry"})  # a game may use our names for its own
    parts = game | {f"_{name}": prefix.visit(part) for name, part in ours.items()}
    tables = {name for name, part in parts.items() if _is_table(part)}
    steps = [_Plain(), _Indexed(tables), *([] if checked else [_Branchless()])]
    functions = {name for name, part in parts.items() if isinstance(part, ast.FunctionDef)}
    constants = parts.keys() - functions - tables
    for step in [*steps, Widened(_numbers(package), constants, {*functions, "bit"})]:
        parts = {name: step.visit(part) for name, part in parts.items()}
    return "\n\n".join(ast.unparse(ast.fix_missing_locations(part)) for part in parts.values()) + "\n"


def _numbers(package: str) -> set[str]:
    """The fields of a game that hold single numbers, on the board and in the state."""
    layout = import_module(f"{package}.board")
    ranges = [*layout.Board.ranges.items(), *layout.State.ranges.items()]
    return {name for name, field in ranges if not field.length} - {name for name, f in ranges if f.length}


def _read(folder: Path, files: tuple[str, ...], package: str) -> Parts:
    """What these files define, and the numbers that they import from elsewhere."""
    texts = [(folder / file).read_text(encoding="utf-8") for file in files]
    with PARSING:
        trees = [ast.parse(text) for text in texts]
    own = {name for tree in trees for name, _ in _defined(tree)}
    parts: Parts = {}
    for tree, file in zip(trees, files, strict=True):
        for name, part in [*_borrowed(tree, package, own), *_defined(tree)]:
            if name in parts and ast.dump(parts[name]) != ast.dump(part):
                raise ValueError(f"{folder / file}: the name {name!r} has another meaning in {files[0]}")
            parts[name] = part
    return parts


def _defined(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """The constants and functions that a module defines, by name."""
    for part in tree.body:
        match part:
            case ast.FunctionDef(name=name):
                yield name, part
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield name, part
            case ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.expr() as value):
                yield name, ast.Assign([target], value)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                yield from (
                    (ast.unparse(name), ast.Assign([name], v)) for name, v in zip(names, values, strict=True)
                )
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=value):  # A, B, C = range(3)
                yield from ((ast.unparse(n), ast.Assign([n], _item(value, i))) for i, n in enumerate(names))


def _item(row: ast.expr, i: int) -> ast.expr:
    return ast.Subscript(row, ast.Constant(i), ast.Load())


def _borrowed(tree: ast.Module, package: str, own: set[str]) -> Iterator[tuple[str, ast.stmt]]:
    """The numbers and tables that a module imports from outside of the text."""
    for part in tree.body:
        if isinstance(part, ast.ImportFrom) and part.module not in (None, "__future__", "typing"):
            module: Any = import_module("." * part.level + str(part.module), package)
            for alias in part.names:
                value = getattr(module, alias.name)
                if isinstance(value, (int, tuple)) and alias.name not in own:
                    name = alias.asname or alias.name
                    yield name, ast.parse(f"{name} = {value!r}").body[0]


def _is_table(part: ast.stmt) -> bool:
    return isinstance(part, ast.Assign) and isinstance(part.value, ast.Tuple)


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


class _Prefixed(ast.NodeTransformer):
    """Some names with an underscore before them."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(f"_{node.id}", node.ctx) if node.id in self.names else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.name = f"_{node.name}"
        return node


class _Plain(ast.NodeTransformer):
    """Functions without docstrings and annotations, and with a decorator each."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        node.returns = None
        kind = "_inlined" if node.name in INLINED else "_inner"
        node.decorator_list = node.decorator_list or [ast.Name(kind, ast.Load())]
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        return ast.Assign([node.target], node.value) if node.value else None


class _Indexed(ast.NodeTransformer):
    """A table of numbers is an array, and an index is never negative.

    X[i] becomes X[_at(i)], and TABLE[i][j] becomes TABLE[_at(i), _at(j)], which makes no array on the way.
    """

    def __init__(self, tables: set[str]) -> None:
        self.tables = tables

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        match node.targets:
            case [ast.Name(id=name)] if name in self.tables:
                node.value = ast.parse(f"np.array({ast.unparse(node.value)}, np.int64)", mode="eval").body
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        array = node.value
        indexes = [i if isinstance(i, ast.Constant) else _call("_at", i) for i in _listed(node.slice)]
        match array:
            case ast.Subscript(value=ast.Name(id=name) as table, slice=before) if name in self.tables:
                array, indexes = table, [*_listed(before), *indexes]
        whole = indexes[0] if len(indexes) == 1 else ast.Tuple(indexes, ast.Load())
        return ast.Subscript(array, whole, node.ctx)


def _listed(index: ast.expr) -> list[ast.expr]:
    return index.elts if isinstance(index, ast.Tuple) else [index]


class _Branchless(ast.NodeTransformer):
    """Writing a list of actions without guessing.

    `if fits: out[n] = a; n += 1` becomes `out[n] = a; n += 1 if fits else 0`: a processor guesses such a
    branch wrong every other time, which costs more than the rest. Only where `a` is plain arithmetic.
    It writes one place behind the last action, so `out` has room for MOST + 1.
    """

    def visit_If(self, node: ast.If) -> Any:
        self.generic_visit(node)
        match node:
            case ast.If(
                body=[
                    ast.Assign(
                        targets=[ast.Subscript(ast.Name("out"), ast.Call(args=[ast.Name(n)]))], value=a
                    ) as written,
                    ast.AugAssign(target=ast.Name(m), op=ast.Add(), value=ast.Constant(1)) as step,
                ],
                orelse=[],
            ) if n == m and all(isinstance(part, _ARITHMETIC) for part in ast.walk(a)):
                step.value = ast.IfExp(node.test, ast.Constant(1), ast.Constant(0))
                return [written, step]
        return node


_ARITHMETIC = (ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Name, ast.Constant, ast.Load)
