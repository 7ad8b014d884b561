"""The scalar dialect of rules and heuristics, as a check of the syntax tree.

Code that keeps to it means the same to Python and to a compiler of scalar code. `find_faults` names each line
that does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeGuard

from smallchange.core.errors import DialectError
from smallchange.core.state import Range

HELPERS = {"bit", "lowest", "count"}
BUILT_IN = {"range", "min", "max", "abs"}
TYPES = {"int", "bool", "list", "Board", "State"}
IMPORTED: dict[str, set[str] | None] = {
    "smallchange.core.state": HELPERS | {"CHANCE", "OVER"},
    ".model": None,
    ".rules": None,
    "..model": None,
    "..rules": None,
}  # the names that may be imported from each module; None for all of them

ALLOWED = (
    *(ast.Module, ast.ImportFrom, ast.alias, ast.FunctionDef, ast.arguments, ast.arg, ast.Return),
    *(ast.Assign, ast.AugAssign, ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.For, ast.While, ast.If),
    *(ast.IfExp, ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Constant),
    *(ast.Attribute, ast.Subscript, ast.Name, ast.Tuple, ast.expr_context, ast.unaryop, ast.boolop),
    *(ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod),
    *(ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
)

FOREIGN: dict[type[ast.AST], str] = {
    ast.Div: "/ gives a float; use //",
    ast.Pow: "** is not in the dialect; bit(i) is 2 to the power of i",
    ast.List: "a list is not in the dialect",
    ast.Dict: "a dict is not in the dialect",
    ast.Set: "a set is not in the dialect",
    ast.JoinedStr: "a string is allowed only as a docstring",
    ast.Slice: "a slice is not in the dialect",
    ast.Import: "only `from .. import ..` is in the dialect",
    ast.Raise: "an exception is not in the dialect",
    ast.Try: "an exception is not in the dialect",
    ast.In: "`in` is not in the dialect",
    ast.NotIn: "`in` is not in the dialect",
    ast.Is: "`is` is not in the dialect; use ==",
    ast.IsNot: "`is` is not in the dialect; use !=",
}

Fault = tuple[int, str]  # a line, and why it is outside the dialect
FieldTypes = Mapping[str, Mapping[str, Range]]  # "Board" and "State", with the ranges of their fields


def check_dialect(files: list[tuple[str, Path]], model: Any) -> None:
    """Refuse files that are outside the dialect; each has a label that errors name it by.

    `model` is the game's module with Board and State. DialectError with a line for each fault.
    """
    found: list[str] = []
    for label, path in files:
        found += _faults_in(label, path.read_text(encoding="utf-8"), model.Board, model.State)
    if found:
        raise DialectError("\n".join(found))


@lru_cache(64)
def _faults_in(label: str, text: str, board: Any, state: Any) -> tuple[str, ...]:
    fields = {"Board": board.ranges, "State": state.ranges}
    return tuple(f"{label}:{line}: {why}" for line, why in find_faults(text, fields))


def find_faults(source: str, fields: FieldTypes | None = None) -> list[Fault]:
    """Return the lines of a module's text that are outside the dialect, and why; none when all is well.

    `fields` are those of Board and State, whose names and lengths are checked too where they are given.
    """
    try:
        module = ast.parse(source)
    except SyntaxError as wrong:
        return [(wrong.lineno or 0, f"not Python: {wrong.msg}")]
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    nodes = list(ast.walk(module))
    found = [*_foreign_syntax(nodes), *_top_level(module), *_recursion(functions)]
    known = BUILT_IN | TYPES | _module_names(module)
    for function in functions:
        inside = list(ast.walk(function))
        found += [*_signature(function), *_statements(function, inside), *_names(function, inside, known)]
        found += [*_mixed_types(inside), *_fields(function, inside, fields or {})]
    calls = (node for node in nodes if isinstance(node, ast.Call))
    found += [fault for call in calls for fault in _call(call, known)]
    return sorted(set(found))


def _foreign_syntax(nodes: list[ast.AST]) -> Iterator[Fault]:
    """Yield syntax and constants that are not in the dialect at all."""
    for node in nodes:
        line = getattr(node, "lineno", 0)
        for operator in ast.iter_child_nodes(node):  # an operator has no line of its own
            if not hasattr(operator, "lineno") and not isinstance(operator, ALLOWED):
                yield line, _foreign(operator)
        if hasattr(node, "lineno") and not isinstance(node, ALLOWED):
            yield line, _foreign(node)
        elif isinstance(node, ast.Constant) and type(node.value) not in (int, bool, str, type(None)):
            yield line, f"the constant {node.value!r} is neither an integer nor a bool"
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.UnaryOp):
            yield line, "an index must not be negative"
        elif isinstance(node, ast.For | ast.While) and node.orelse:
            yield line, "a loop must not have an else"
    strings = {node for node in nodes if _is_string(node)}
    for node in strings - {e.value for e in nodes if isinstance(e, ast.Expr)}:
        yield node.lineno, "a string is allowed only as a docstring"


def _foreign(node: ast.AST) -> str:
    return FOREIGN.get(type(node), f"{type(node).__name__} is not in the dialect")


def _top_level(module: ast.Module) -> Iterator[Fault]:
    """Yield statements other than imports, constants in capitals, and functions."""
    for node in module.body:
        if isinstance(node, ast.ImportFrom):
            yield from _import(node)
        elif isinstance(node, ast.Assign):
            if not all(name.id.isupper() for name in ast.walk(node) if _is_variable(name)):
                yield node.lineno, "a constant of the module must be in capitals"
        elif not isinstance(node, ast.FunctionDef) and not (
            isinstance(node, ast.Expr) and _is_string(node.value)
        ):
            yield node.lineno, "a module may hold imports, constants and functions only"


def _import(node: ast.ImportFrom) -> Iterator[Fault]:
    origin = "." * node.level + (node.module or "")
    if origin not in IMPORTED:
        yield node.lineno, f"nothing may be imported from {origin}; the modules are: {', '.join(IMPORTED)}"
        return
    allowed = IMPORTED[origin]
    for alias in node.names:
        if alias.asname or alias.name == "*" or (allowed is not None and alias.name not in allowed):
            yield node.lineno, f"{alias.name} must not be imported from {origin}"


def _signature(function: ast.FunctionDef) -> Iterator[Fault]:
    """Yield decorators, and arguments that are not plain and typed."""
    a = function.args
    if function.decorator_list:
        yield function.lineno, "a function must not have decorators"
    if a.defaults or a.kw_defaults or a.kwonlyargs or a.vararg or a.kwarg or a.posonlyargs:
        yield function.lineno, "arguments must be plain, without defaults or stars"
    if function.returns is None or any(arg.annotation is None for arg in a.args):
        yield function.lineno, "a function must give the types of its arguments and of its result"


def _statements(function: ast.FunctionDef, inside: list[ast.AST]) -> Iterator[Fault]:
    """Yield statements of a function that have a form outside the dialect."""
    for node in inside:
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.FunctionDef | ast.ImportFrom) and node is not function:
            yield line, "functions and imports must be at the top level of the module"
        elif isinstance(node, ast.Tuple):
            yield line, "a tuple is allowed only as a constant of the module"
        elif isinstance(node, ast.Assign) and len(node.targets) > 1:
            yield line, "assign one variable at a time"
        elif isinstance(node, ast.Expr) and not (isinstance(node.value, ast.Call) or _is_string(node.value)):
            yield line, "this expression has no effect"
        elif isinstance(node, ast.For) and not (
            isinstance(node.iter, ast.Call) and _called_name(node.iter) == "range"
        ):
            yield line, "a for loop must go over a range"
        elif isinstance(node, ast.Assign | ast.AugAssign) and "range(" in ast.unparse(node.value):
            yield line, "a range is allowed only in a for loop"


def _names(function: ast.FunctionDef, inside: list[ast.AST], known: set[str]) -> Iterator[Fault]:
    """Yield unknown names, and attributes of anything but an argument."""
    own = {arg.arg for arg in function.args.args}
    here = own | {node.id for node in inside if _is_variable(node)}
    for node in inside:
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Name) and node.id not in here | known:
            yield line, f"{node.id} is not defined{_suggestion(node.id, here | known)}"
        if _is_variable(node) and node.id in known:
            yield line, f"{node.id} is a name of the module"
        if isinstance(node, ast.Attribute) and not (
            isinstance(node.value, ast.Name) and node.value.id in own
        ):
            yield line, "only an argument has fields"
        written = isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store)
        if written and ast.unparse(node).startswith("b."):
            yield line, "the board must not change"


def _fields(function: ast.FunctionDef, inside: list[ast.AST], fields: FieldTypes) -> Iterator[Fault]:
    """Yield fields that Board and State do not have, and indexes that their fields do not have."""
    types = {arg.arg: ast.unparse(arg.annotation) for arg in function.args.args if arg.annotation is not None}
    for node in inside:
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=field) if types.get(name) in fields:
                ranges = fields[types[name]]
                if field not in ranges:
                    yield (
                        node.lineno,
                        f"{types[name]} has no field {field!r}{_suggestion(field, set(ranges), quote=True)}",
                    )
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr=field), slice=index) if (
                field in fields.get(types.get(name, ""), {})
            ):
                length = fields[types[name]][field].length
                if length == 0:
                    yield node.lineno, f"{name}.{field} is a single number and has no index"
                elif isinstance(index, ast.Constant) and type(index.value) is int and index.value >= length:
                    yield (
                        node.lineno,
                        f"the index {index.value} is outside {name}.{field}, which has {length} numbers",
                    )


def _suggestion(name: str, known: set[str], quote: bool = False) -> str:
    """Return the end of a message that names the closest known name, or nothing where none is close."""
    close = get_close_matches(name, sorted(known), 1)
    return f"; did you mean {repr(close[0]) if quote else close[0]}?" if close else ""


def _mixed_types(inside: list[ast.AST]) -> Iterator[Fault]:
    """Yield variables that are a bool in one place and a number in another."""
    kinds: dict[str, bool] = {}
    for node in inside:
        if isinstance(node, ast.Assign) and _is_variable(node.targets[0]):
            name, is_bool = node.targets[0].id, _is_bool(node.value)
            if is_bool is not None and kinds.setdefault(name, is_bool) != is_bool:
                yield node.lineno, f"{name} is both a bool and a number"


def _is_bool(value: ast.expr) -> bool | None:
    """Return whether an expression is a bool, or None where it cannot be seen from here."""
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.op, ast.Not)
    if isinstance(value, ast.Constant):
        return isinstance(value.value, bool)
    if isinstance(value, ast.Compare | ast.BoolOp):
        return True
    return None if isinstance(value, ast.Call | ast.Name | ast.IfExp) else False


def _call(call: ast.Call, known: set[str]) -> Iterator[Fault]:
    """Yield the faults of a call."""
    if _called_name(call) not in known - TYPES:
        yield call.lineno, f"{_called_name(call)} cannot be called{_suggestion(_called_name(call), known)}"
    if call.keywords:
        yield call.lineno, "arguments must be given by position"


def _recursion(functions: list[ast.FunctionDef]) -> Iterator[Fault]:
    """Yield functions that call themselves, directly or through others."""
    calls = {f.name: {_called_name(c) for c in ast.walk(f) if isinstance(c, ast.Call)} for f in functions}
    for function in functions:
        reached: set[str] = set()
        ahead = calls[function.name]
        while ahead:
            reached |= ahead
            ahead = set().union(*(calls.get(name, set()) for name in ahead)) - reached
        if function.name in reached:
            yield function.lineno, f"{function.name} calls itself"


def _module_names(module: ast.Module) -> set[str]:
    """Return the names of a module's imports, constants and functions."""
    found = {node.name for node in module.body if isinstance(node, ast.FunctionDef)}
    for node in module.body:
        if isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            found |= {name.id for name in ast.walk(node) if _is_variable(name)}
    return found


def _is_variable(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _is_string(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _called_name(call: ast.Call) -> str:
    return ast.unparse(call.func)
