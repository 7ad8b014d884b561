"""Compile generated code by Numba in one piece: the entry point with all functions below it.

Numba by itself optimises and translates every function where it is called first, and once more inside each of
its callers: up to four times the work. Here only entry points are optimised and translated. The functions
below them are linked into them untouched, and are known to nobody else, so that LLVM inlines what is worth it.
Only the passes run that the dialect needs.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from llvmlite import binding as llvm
from numba.core import typed_passes, untyped_passes
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.core.runtime import rtsys
from numba.core.types.functions import BaseFunction

PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)

logger = logging.getLogger(__name__)


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that only compiled functions call: never translated by itself."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Leave everything to the entry point that this is linked into."""
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: there is no machine code that could be called from outside."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> InnerLibrary:
        """Return the place that Numba gives the function's environment to, which is not used."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        pass


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of an entry point, with all that it calls."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        self._linking_libraries = list(dict.fromkeys(_with_callees(self._linking_libraries)))
        super().finalize()

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = "internal"  # nobody else calls it, so it need not stay
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


def _with_callees(libraries: Iterable[Any]) -> Iterator[Any]:
    for library in libraries:
        yield library
        if isinstance(library, InnerLibrary):
            yield from _with_callees(library._linking_libraries)


class DialectPasses(PassManager):  # type: ignore[misc]
    """Passes each of which leaves the graph of a function in order, so that it is not analysed anew after each."""

    _ENFORCING = False


class InnerCompiler(CompilerBase):  # type: ignore[misc]
    """Compiles a function that only compiled functions call."""

    library: type[JITCodeLibrary] = InnerLibrary

    def define_pipelines(self) -> list[PassManager]:
        state = self.state
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        passes = DialectPasses("dialect")
        for each in PASSES:
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]


class EntryCompiler(InnerCompiler):
    """Compiles an entry point."""

    library = EntryLibrary

    def __init__(self, *given: Any) -> None:
        _load_arrays()
        super().__init__(*given)

    def compile_extra(self, function: Any) -> Any:
        """Compile a function, with the garbage collector paused, since most new objects stay."""
        logger.info("compiling %s", function.__name__)
        collecting = gc.isenabled()
        gc.disable()
        try:
            with _resolving_once():
                return super().compile_extra(function)
        finally:
            if collecting:
                gc.enable()


@contextmanager
def _resolving_once() -> Iterator[None]:
    """Find the definition of each operation on each combination of types once, not at each of its uses.

    Numba tries all definitions of an operation in turn. Held by the compiler's lock, as all compiling is.
    """
    resolve = BaseFunction.get_call_type
    found: dict[Any, Any] = {}

    def resolve_once(function: Any, context: Any, args: Any, kws: Any) -> Any:
        key = function, args, tuple(kws.items())
        if key not in found:
            found[key] = resolve(function, context, args, kws)
        return found[key]

    BaseFunction.get_call_type = resolve_once
    try:
        yield
    finally:
        BaseFunction.get_call_type = resolve


def _load_arrays() -> None:
    """Load Numba's arrays without SciPy's linear algebra, which they import only to see whether it is there."""
    from numba.np import linalg

    def look_for_scipy() -> None:
        if find_spec("scipy") is None:
            raise ImportError("scipy")

    ensure_blas, linalg.ensure_blas = linalg.ensure_blas, look_for_scipy
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        linalg.ensure_blas = ensure_blas


class EntryCache(FunctionCache):  # type: ignore[misc]
    """The machine code of an entry point on disk, loaded without all that Numba needs to compile."""

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)  # compiled code needs it to take arrays
        with self._guard_against_spurious_io_errors():
            return self._load_overload(signature, target_context)
