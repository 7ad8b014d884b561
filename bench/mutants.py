"""Change one operator, number or line of a kernel at a time, and report changes that no test sees.

    python bench/mutants.py [-n 120] [--seed 1] [KERNEL ..]

Every change ("mutant") is run by Python, not compiled: a process that has everything imported is forked, the
changed kernel takes the place of the true one, and the tests of TESTS that know this kernel are run until one
fails. A mutant that runs for longer than CPU_LIMIT_S of processor time counts as seen. The survivors are printed;
bench/README.md says of each why it may live, or which test was written for it.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from smallchange.engine.compile import build, codegen, compiled_game, sources
from smallchange.engine.search import iterative_deepening, learned_values, mcts
from smallchange.tablebase import exact

ROOT = Path(__file__).parents[1]
KERNELS = sources.KERNELS
CPU_LIMIT_S = 15
PURE = "tests/engine/test_kernel_functions.py"
LUCK = "tests/engine/test_random_streams.py"
VALUES = "tests/engine/test_value_kernels.py"
TESTS: dict[str, tuple[str, ...]] = {  # pytest's arguments, the quick ones first
    "mcts": (PURE,),
    "alphabeta": (VALUES, "-k", "alpha_beta or order_of_steps or entry or winner"),
    "exact_value": (VALUES, "-k", "exact or digits or chance or settled or keys or end_is or lost"),
    "expectimax_dice": (VALUES, "-k", "die or dice or throw"),
    "playouts": (PURE, LUCK, "-k", "kernel_functions or seats_and_objects"),
    "random_streams": (
        PURE,
        LUCK,
        "-k",
        "kernel_functions or splitmix or skewed or streams_begin or imagines",
    ),
    "stratified_chance": (PURE,),
    "tablebase_probe": (PURE,),
    "table_verification": (PURE,),
}
COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


class Mutant(NamedTuple):
    """A kernel with one change."""

    kernel: str
    line: int
    before: str
    after: str
    text: str


def mutants(kernel: str) -> Iterator[Mutant]:
    """Yield every mutant of a kernel's functions."""
    text = (KERNELS / f"{kernel}.py").read_text(encoding="utf-8")
    for number, node in enumerate(_places(ast.parse(text))):
        for change in range(_changes(node)):
            tree = ast.parse(text)
            place = _places(tree)[number]
            before = ast.unparse(place).split("\n")[0]
            _change(tree, place, change)
            shown = "nothing" if isinstance(place, ast.stmt) and change == _changes(node) - 1 else None
            after = shown or ast.unparse(place).split("\n")[0]
            yield Mutant(kernel, node.lineno, before, after, ast.unparse(ast.fix_missing_locations(tree)))


def _places(tree: ast.Module) -> list[ast.expr | ast.stmt]:
    """Return what can be changed within functions, but not docstrings and annotations."""
    found: list[ast.expr | ast.stmt] = []
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        skipped = {id(function.body[0])} if ast.get_docstring(function) else set()
        for statement in function.body:
            if id(statement) not in skipped:
                found += [
                    node
                    for node in ast.walk(statement)
                    if isinstance(node, (ast.expr, ast.stmt)) and _changes(node)
                ]
    return found


def _changes(node: ast.AST) -> int:
    """Return in how many ways a node is changed; the last way of a statement is to leave it out."""
    match node:
        case ast.Compare(ops=[only]):
            return int(type(only) in COMPARISONS)
        case ast.BinOp(op=op) | ast.BoolOp(op=op):
            return int(type(op) in OPERATORS)
        case ast.Constant(value=value):
            return int(type(value) is int)
        case ast.AugAssign(op=op):
            return 1 + int(type(op) in OPERATORS)
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]) | ast.Expr() | ast.While():
            return 1
        case ast.If():
            return 1
    return 0


def _change(tree: ast.Module, node: ast.AST, change: int) -> None:
    """Change a node of a tree in place."""
    if isinstance(node, ast.stmt) and change == _changes(node) - 1:
        for parent in ast.walk(tree):
            for name in ("body", "orelse"):
                statements = getattr(parent, name, None)
                if isinstance(statements, list) and node in statements:
                    statements[statements.index(node)] = ast.Pass()
        return
    match node:
        case ast.Compare():
            node.ops = [COMPARISONS[type(node.ops[0])]()]
        case ast.BinOp() | ast.BoolOp() | ast.AugAssign():
            node.op = OPERATORS[type(node.op)]()  # type: ignore[assignment]
        case ast.Constant():
            node.value += 1  # type: ignore[operator]


def run_by_python() -> None:
    """Let every kernel be run by Python from now on."""
    original = build.build_module
    begin = compiled_game.CompiledGame.__init__

    def build_by_python(
        game: object, kind: str, kernel_modules: object = codegen.PLAYOUTS, *_: object, **__: object
    ) -> object:
        return original(game, kind, kernel_modules, compiled=False, checked=False)  # type: ignore[arg-type]

    def without_types(self: object, game: object, module: object, compiled: bool) -> None:
        begin(self, game, module, compiled=False)  # type: ignore[arg-type]

    for module in (build, compiled_game, iterative_deepening, learned_values, mcts, exact):
        module.build_module = build_by_python  # type: ignore[attr-defined]
    compiled_game.CompiledGame.__init__ = without_types  # type: ignore[method-assign]


def is_seen(mutant: Mutant | None, tests: tuple[str, ...]) -> bool:
    """Return whether a test fails with a mutant; with the true kernels for None."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] != 0
    status = 1
    with contextlib.suppress(BaseException):
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT_S, CPU_LIMIT_S))
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        if mutant:
            _install(mutant)
        status = int(pytest.main(["-q", "-x", "-p", "no:cacheprovider", *tests]))
    os._exit(min(status, 1))


def _install(mutant: Mutant) -> None:
    """Put a mutant in the place of its kernel, in generated code and in the module that tests import."""
    folder = Path(tempfile.mkdtemp(prefix="mutant-"))
    for file in KERNELS.glob("*.py"):
        text = mutant.text if file.stem == mutant.kernel else file.read_text(encoding="utf-8")
        (folder / file.name).write_text(text, encoding="utf-8")
    sources.KERNELS = codegen.KERNELS = folder  # type: ignore[attr-defined]
    module = import_module(f"smallchange.engine.kernels.{mutant.kernel}")
    exec(compile(mutant.text, str(folder / f"{mutant.kernel}.py"), "exec"), module.__dict__)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help=", ".join(TESTS))
    parser.add_argument("-n", type=int, default=120, help="mutants, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if not set(asked.kernels) <= set(TESTS):
        parser.error(f"the kernels are: {', '.join(TESTS)}")
    os.chdir(ROOT)
    kernels = asked.kernels or list(TESTS)
    every = [mutant for kernel in kernels for mutant in mutants(kernel)]
    chosen = random.Random(asked.seed).sample(every, min(asked.n, len(every)))
    run_by_python()
    for kernel in kernels:
        import_module(f"smallchange.engine.kernels.{kernel}")
    for tests in dict.fromkeys(TESTS[kernel] for kernel in kernels):
        if is_seen(None, tests):
            sys.exit(f"tests fail without any change: {' '.join(tests)}")
    begun, survivors = time.perf_counter(), 0
    for mutant in sorted(chosen, key=lambda mutant: (kernels.index(mutant.kernel), mutant.line)):
        if not is_seen(mutant, TESTS[mutant.kernel]):
            survivors += 1
            print(f"{mutant.kernel}.py:{mutant.line}: {mutant.before}  ->  {mutant.after}", flush=True)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{len(chosen)} of {len(every)} mutants, {survivors} not seen; {children.ru_utime + children.ru_stime:.0f} s "
        f"of processor time, {time.perf_counter() - begun:.0f} s in all"
    )


if __name__ == "__main__":
    main()
