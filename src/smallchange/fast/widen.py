"""One type for all numbers: whatever is read from a record or written as a literal is widened to 64 bits.

Numba compiles a function once for every combination of its arguments' types. A field of 16 bits, a
literal and a sum are three; widened, they are one, which takes a third off the time that compiling takes.
"""

from __future__ import annotations

import ast


class Widened(ast.NodeTransformer):
    """`fields` and `constants` are names of single numbers; `functions` have their arguments widened."""

    def __init__(self, fields: set[str], constants: set[str], functions: set[str]) -> None:
        self.fields = fields
        self.constants = constants
        self.functions = functions

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        read = isinstance(node.ctx, ast.Load) and node.attr in self.fields
        return _whole(node) if read and isinstance(node.value, ast.Name) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """s.field[i]; not a row of a table, nor a record of an array."""
        self.generic_visit(node)
        row = isinstance(node.value, ast.Attribute)
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
        """A number, a negative one, or a constant by name."""
        match node:
            case ast.Constant(value=int(value)):
                return not isinstance(value, bool)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
                return True
            case ast.Name(id=name):
                return name in self.constants
        return False


def _whole(node: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("whole", ast.Load()), [node], [])
