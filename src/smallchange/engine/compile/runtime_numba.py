"""The functions that generated code uses where Numba compiles it; `runtime_python.py` has the same for Python."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from .numba_compiler import EntryCache, EntryCompiler, InnerCompiler

word = np.uint64  # 64 bits that wrap around
whole = np.int64


def decorators(checked: bool) -> tuple[Any, Any]:
    """Return the decorators of entry points and of all other functions.

    Entry points are kept on disk and run without the GIL; the others cannot be called from Python. They count
    no references to arrays (`_nrt`): the caller of an entry point holds them, and none is made. That makes
    alpha-beta search twice as fast. `checked` raises IndexError where an index lies outside its array, which
    is not noticed otherwise.
    """
    numbers = {"boundscheck": True} if checked else {"error_model": "numpy"}

    def entry(function: Any) -> Any:
        dispatcher = njit(pipeline_class=EntryCompiler, nogil=True, no_cfunc_wrapper=True, **numbers)(
            function
        )
        dispatcher._cache = EntryCache(function)
        return dispatcher

    bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
    return entry, njit(pipeline_class=InnerCompiler, **bare, **numbers)


@intrinsic  # type: ignore[untyped-decorator]
def at(typing: Any, i: Any) -> Any:
    """Return an index that is never negative: spares the test by which Python counts from the end."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return arguments[0]

    return types.uint64(types.uint64), generate


@intrinsic  # type: ignore[untyped-decorator]
def bit(typing: Any, i: Any) -> Any:
    """Return the mask of one element, by one machine instruction."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.shl(ir.Constant(ir.IntType(64), 1), arguments[0])

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def lowest(typing: Any, mask: Any) -> Any:
    """Return the least element of a mask, by one machine instruction."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def count(typing: Any, mask: Any) -> Any:
    """Return the number of elements of a mask, by one machine instruction."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate
