"""The scalar dialect of rules and rules of thumb, as a check of the syntax tree.

What keeps to it means the same to Python and to a compiler of scalar code. `faults` names what does not.
"""

import ast
from collections.abc import Iterator
from typing import TypeGuard

HELPERS = {"bit", "lowest", "count"}
BUILT_IN = {"range", "min", "max", "abs"}
TYPES = {"int", "bool", "list", "Board", "State"}
IMPORTED = {"smallchange.state": HELPERS | {"CHANCE", "OVER"}, ".board": None, ".rules": None}  # None: any

ALLOWED = (
    *(ast.Module, ast.ImportFrom, ast.alias, ast.FunctionDef, ast.arguments, ast.arg, ast.Return),
    *(ast.Assign, ast.AugAssign, ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.For, ast.While, ast.If),
    *(ast.IfExp, ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Constant),
    *(ast.Attribute, ast.Subscript, ast.Name, ast.Tuple, ast.expr_context, ast.unaryop, ast.boolop),
    *(ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod),
    *(ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
)

Fault = tuple[int, str]


def faults(source: str) -> list[str]:
    """What in a module's text is outside the dialect, each with its line; empty when all is well."""
    module = ast.parse(source)
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    found = [*foreign(module), *top(module), *recursion(functions)]
    known = BUILT_IN | TYPES | given(module)
    for function in functions:
        found += [*shape(function), *body(function), *names(function, known), *mixed(function)]
    found += [
        fault for call in ast.walk(module) if isinstance(call, ast.Call) for fault in called(call, known)
    ]
    return [f"line {line}: {what}" for line, what in sorted(set(found))]


def foreign(module: ast.Module) -> Iterator[Fault]:
    """Syntax and constants that are not in the dialect at all."""
    for node in ast.walk(module):
        line = getattr(node, "lineno", 0)
        if not isinstance(node, ALLOWED):
            yield line, f"{type(node).__name__} is not in the dialect"
        elif isinstance(node, ast.Constant) and type(node.value) not in (int, bool, str, type(None)):
            yield line, f"the constant {node.value!r} is neither a whole number nor a truth"
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.UnaryOp):
            yield line, "an index counts from the front"
        elif isinstance(node, ast.For | ast.While) and node.orelse:
            yield line, "a loop has no else"
    texts = {node for node in ast.walk(module) if is_text(node)}
    for node in texts - {e.value for e in ast.walk(module) if isinstance(e, ast.Expr)}:
        yield node.lineno, "a text stands only as a docstring"


def top(module: ast.Module) -> Iterator[Fault]:
    """A module is imports, constants in capitals, and functions."""
    for node in module.body:
        if isinstance(node, ast.ImportFrom):
            yield from imported(node)
        elif isinstance(node, ast.Assign):
            if not all(name.id.isupper() for name in ast.walk(node) if stored(name)):
                yield node.lineno, "a module's constants are in capitals"
        elif not isinstance(node, ast.FunctionDef) and not (
            isinstance(node, ast.Expr) and is_text(node.value)
        ):
            yield node.lineno, "a module has imports, constants and functions only"


def imported(node: ast.ImportFrom) -> Iterator[Fault]:
    origin = "." * node.level + (node.module or "")
    if origin not in IMPORTED:
        yield node.lineno, f"nothing may be imported from {origin}"
        return
    allowed = IMPORTED[origin]
    for alias in node.names:
        if alias.asname or alias.name == "*" or (allowed is not None and alias.name not in allowed):
            yield node.lineno, f"{alias.name} of {origin} is not in the dialect"


def shape(function: ast.FunctionDef) -> Iterator[Fault]:
    """Plain typed arguments, no decorators."""
    a = function.args
    if function.decorator_list:
        yield function.lineno, "a function has no decorators"
    if a.defaults or a.kw_defaults or a.kwonlyargs or a.vararg or a.kwarg or a.posonlyargs:
        yield function.lineno, "arguments are plain, without defaults or stars"
    if function.returns is None or any(arg.annotation is None for arg in a.args):
        yield function.lineno, "a function says the types of its arguments and of what it returns"


def body(function: ast.FunctionDef) -> Iterator[Fault]:
    for node in ast.walk(function):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.FunctionDef | ast.ImportFrom) and node is not function:
            yield line, "functions and imports stand at the top of the module"
        elif isinstance(node, ast.Tuple):
            yield line, "tuples are module constants"
        elif isinstance(node, ast.Assign) and len(node.targets) > 1:
            yield line, "one variable at a time"
        elif isinstance(node, ast.Expr) and not (isinstance(node.value, ast.Call) or is_text(node.value)):
            yield line, "an expression alone does nothing"
        elif isinstance(node, ast.For) and not (
            isinstance(node.iter, ast.Call) and name_of(node.iter) == "range"
        ):
            yield line, "a for loop goes over a range"
        elif isinstance(node, ast.Assign | ast.AugAssign) and "range(" in ast.unparse(node.value):
            yield line, "a range is what a for loop goes over"


def names(function: ast.FunctionDef, known: set[str]) -> Iterator[Fault]:
    """Names are arguments, variables, or of the module; attributes are fields of an argument."""
    own = {arg.arg for arg in function.args.args}
    here = own | {node.id for node in ast.walk(function) if stored(node)}
    for node in ast.walk(function):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Name) and node.id not in here | known:
            yield line, f"{node.id} is not known here"
        if stored(node) and node.id in known:
            yield line, f"{node.id} belongs to the module"
        if isinstance(node, ast.Attribute) and not (
            isinstance(node.value, ast.Name) and node.value.id in own
        ):
            yield line, "only an argument has fields"
        written = isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store)
        if written and ast.unparse(node).startswith("b."):
            yield line, "the board does not change"


def mixed(function: ast.FunctionDef) -> Iterator[Fault]:
    """Variables that are a truth in one place and a number in another."""
    kinds: dict[str, bool] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and stored(node.targets[0]):
            name, truth = node.targets[0].id, is_truth(node.value)
            if truth is not None and kinds.setdefault(name, truth) != truth:
                yield node.lineno, f"{name} is a truth and a number"


def is_truth(value: ast.expr) -> bool | None:
    """Is this a truth? False: a number. None: it cannot be seen from here."""
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.op, ast.Not)
    if isinstance(value, ast.Constant):
        return isinstance(value.value, bool)
    if isinstance(value, ast.Compare | ast.BoolOp):
        return True
    return None if isinstance(value, ast.Call | ast.Name | ast.IfExp) else False


def called(call: ast.Call, known: set[str]) -> Iterator[Fault]:
    if name_of(call) not in known - TYPES:
        yield call.lineno, f"{name_of(call)} cannot be called"
    if call.keywords:
        yield call.lineno, "arguments are given by place"


def recursion(functions: list[ast.FunctionDef]) -> Iterator[Fault]:
    calls = {f.name: {name_of(c) for c in ast.walk(f) if isinstance(c, ast.Call)} for f in functions}
    for function in functions:
        reached: set[str] = set()
        ahead = calls[function.name]
        while ahead:
            reached |= ahead
            ahead = set().union(*(calls.get(name, set()) for name in ahead)) - reached
        if function.name in reached:
            yield function.lineno, f"{function.name} leads back to itself"


def given(module: ast.Module) -> set[str]:
    """The names that a module's imports, constants and functions give."""
    found = {node.name for node in module.body if isinstance(node, ast.FunctionDef)}
    for node in module.body:
        if isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            found |= {name.id for name in ast.walk(node) if stored(name)}
    return found


def stored(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def name_of(call: ast.Call) -> str:
    return ast.unparse(call.func)
