"""Passes over the syntax tree, from the dialect as it is written to the text that Numba compiles."""

from __future__ import annotations

import ast
from typing import Any


class RenameGlobals(ast.NodeTransformer):
    """Give a definition and the global names that it uses their names in the generated text."""

    def __init__(self, name: str, uses: dict[str, str]) -> None:
        self.name = name
        self.uses = uses

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self.uses.get(node.id, node.id), node.ctx), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.name = self.name
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.targets[0], ast.Name) and node.col_offset == 0:  # a constant of the module
            node.targets = [ast.Name(self.name, ast.Store())]
        return node


class StripAnnotations(ast.NodeTransformer):
    """Remove docstrings and annotations, and give each function a decorator."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.copy_location(ast.Pass(), node)]
        node.returns = None
        node.decorator_list = node.decorator_list or [ast.Name("_inner", ast.Load())]
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], node.value), node)


class IndexArrays(ast.NodeTransformer):
    """Make tables of numbers arrays, and tell the compiler that no index is negative.

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
        indexes = [i if isinstance(i, ast.Constant) else _call("_at", i) for i in _elements(node.slice)]
        match array:
            case ast.Subscript(value=ast.Name(id=name) as table, slice=before) if name in self.tables:
                array, indexes = table, [*_elements(before), *indexes]
        index = indexes[0] if len(indexes) == 1 else ast.Tuple(indexes, ast.Load())
        return ast.copy_location(ast.Subscript(array, index, node.ctx), node)


class RemoveBranches(ast.NodeTransformer):
    """Write a list of actions without branches.

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
                    ) as write,
                    ast.AugAssign(target=ast.Name(m), op=ast.Add(), value=ast.Constant(1)) as step,
                ],
                orelse=[],
            ) if n == m and all(isinstance(part, _ARITHMETIC) for part in ast.walk(a)):
                step.value = ast.IfExp(node.test, ast.Constant(1), ast.Constant(0))
                return [write, step]
        return node


_ARITHMETIC = (ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Name, ast.Constant, ast.Load)


class BoundLoops(ast.NodeTransformer):
    """Let no loop of a game go round for ever: compiled code cannot be stopped from outside."""

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        self.generic_visit(node)
        node.body = [*_statements("_laps += 1", node), _bound("_laps", node), *node.body]
        return [*_statements("_laps = 0", node), node]

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        self.generic_visit(node)
        ends = [end for end in node.iter.args if not isinstance(end, ast.Constant)]  # type: ignore[attr-defined]
        return [*(_bound(ast.unparse(end), node) for end in ends), node]


MOST_LAPS = 10_000_000
ENDLESS = f"a loop goes round more than {MOST_LAPS:,} times"


def _bound(laps: str, loop: ast.stmt) -> ast.stmt:
    return _statements(f"if {laps} > {MOST_LAPS}:\n    raise RuntimeError({ENDLESS!r})", loop)[0]


def _statements(text: str, loop: ast.stmt) -> list[ast.stmt]:
    """Return statements that stand on the line of a loop."""
    made = ast.parse(text).body
    for part in (part for statement in made for part in ast.walk(statement)):
        ast.copy_location(part, loop)
    return made


class WidenNumbers(ast.NodeTransformer):
    """Widen to 64 bits what is read from a record and what is written as a literal.

    Numba compiles a function once for every combination of its arguments' types. A field of 16 bits, a
    literal and a sum are three; widened, they are one, which takes a third off the time of compiling.

    `fields` and `constants` are names of single numbers; the arguments of `functions` are widened. `rows`
    widens the elements of a record's arrays too: not in a kernel, whose `tree.values[node]` is no record's.
    """

    def __init__(self, fields: set[str], constants: set[str], functions: set[str], rows: bool = True) -> None:
        self.rows = rows
        self.fields = fields
        self.constants = constants
        self.functions = functions

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        read = isinstance(node.ctx, ast.Load) and node.attr in self.fields
        return _whole(node) if read and isinstance(node.value, ast.Name) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """s.field[i]; not a row of a table, nor a record of an array."""
        self.generic_visit(node)
        row = self.rows and isinstance(node.value, ast.Attribute)
        return _whole(node) if row and isinstance(node.ctx, ast.Load) else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.functions:
            node.args = [_whole(a) if self._is_literal(a) else a for a in node.args]
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if node.value is not None and self._is_literal(node.value):
            node.value = _whole(node.value)
        return node

    def _is_literal(self, node: ast.expr) -> bool:
        """Return whether this is a number, a negative one, or a constant by name."""
        match node:
            case ast.Constant(value=int(value)):
                return not isinstance(value, bool)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
                return True
            case ast.Name(id=name):
                return name in self.constants
        return False


def _elements(index: ast.expr) -> list[ast.expr]:
    return index.elts if isinstance(index, ast.Tuple) else [index]


def _whole(node: ast.expr) -> ast.expr:
    return ast.copy_location(_call("whole", node), node)


def _call(name: str, argument: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [argument], []), argument)
