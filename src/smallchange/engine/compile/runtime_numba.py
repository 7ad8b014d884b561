"""The functions that generated code uses where Numba compiles it; `runtime_python.py` has the same for Python."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

word = np.uint64  # 64 bits that wrap around
whole = np.int64


def decorators(checked: bool) -> tuple[Any, Any, Any]:
    """Return the decorators of entry points, of functions inlined where they are called, and of all others.

    Entry points are kept on disk and run without the GIL; the others cannot be called from Python, which
    halves the time of compiling. The others count no references to arrays (`_nrt`): the caller of an entry
    point holds them, and none is made. That makes alpha-beta search twice as fast. `checked` raises IndexError
    where an index lies outside its array, which is not noticed otherwise.
    """
    bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
    if checked:
        careful = njit(boundscheck=True, **bare)
        return njit(cache=True, nogil=True, boundscheck=True), careful, careful
    numbers = {"error_model": "numpy"}
    return (
        njit(cache=True, nogil=True, **numbers),
        njit(forceinline=True, **numbers, **bare),
        njit(**numbers, **bare),
    )


@intrinsic  # type: ignore[untyped-decorator]
def at(typing: Any, i: Any) -> Any:
    """Return an index that is never negative: spares the test by which Python counts from the end."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return arguments[0]

    return types.uint64(types.uint64), generate


@njit(error_model="numpy", no_cfunc_wrapper=True)  # type: ignore[untyped-decorator]
def bit(i: int) -> Any:
    return np.int64(1) << np.int64(i)


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
