"""Translate an entry point to WebAssembly: the code that Numba makes of it, by LLVM for another machine.

A browser then runs the same code as a computer, to the same bits. The code takes no arguments but one address: all
arguments lie there, and all arrays lie in its memory where they were placed when it was made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from llvmlite import binding as llvm
from numba import njit, typeof

from .numba_compiler import EntryCompiler, EntryLibrary

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+simd128"
STACK_BYTES = 1 << 16  # at the start of the memory
PAGE_BYTES = 1 << 16  # in which memory is given
ALIGNED_BYTES = 16
NAME = "run"
IMPORTS, FUNCTIONS, EXPORTS = 2, 3, 7  # kinds of sections
TO_MEMORY = re.compile(r"(?m)^target (datalayout|triple) = .*$")
IMPORTED = b"\x03env\x03exp\x00"  # the one function that code may need of others
SHARED = re.compile(r"= (common|linkonce) global")


class Portable(NamedTuple):
    """A module of WebAssembly: its code, and the addresses and constants for its caller, for JSON.

    It finds `words` at the address `at`. `places` has the address of each array and number by its name among the
    arguments: "tree.nodes" is a part of the bundle "tree". It may ask for the function `exp`.
    """

    code: bytes
    how: dict[str, Any]


def translate(function: Any, arguments: Mapping[str, Any], **more: Any) -> Portable:
    """Translate an entry point, for arguments of these types, with arrays of these sizes."""
    texts: list[str] = []

    class Library(EntryLibrary):
        def _optimize_final_module(self) -> None:
            texts.append(str(self._final_module))
            super()._optimize_final_module()

    class Compiler(EntryCompiler):
        library = Library

    bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
    types = tuple(typeof(argument) for argument in arguments.values())
    njit(pipeline_class=Compiler, error_model="numpy", **bare)(function.py_func).compile(types)
    places: dict[str, int] = {}
    moved: dict[int, int] = {}  # from the address here to that there: views of an array lie where it lies
    flat, at = list(_leaves(arguments.items())), STACK_BYTES
    for name, leaf in flat:
        if isinstance(leaf, np.ndarray):
            places[name] = moved.setdefault(leaf.ctypes.data, at)
            at += -(-leaf.nbytes // ALIGNED_BYTES) * ALIGNED_BYTES if places[name] == at else 0
    words = [at, at]  # the addresses of the result and of an exception
    at += ALIGNED_BYTES
    for name, leaf in flat:
        if isinstance(leaf, np.ndarray):  # as Numba passes it: nobody owns it
            words += [0, 0, leaf.size, leaf.itemsize, places[name], *leaf.shape, *leaf.strides]
        else:
            places[name] = at + 8 * len(words)
            words.append(int(leaf))
    pages = -(-(at + 8 * len(words)) // PAGE_BYTES)  # of memory
    how = {"words": words, "at": at, "pages": pages, "stack": STACK_BYTES, "places": places}
    return Portable(_compile(texts[0]), how | more)


def _leaves(arguments: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Yield the arrays and numbers of arguments, those in bundles too, each with its name."""
    for name, argument in arguments:
        if isinstance(argument, tuple):
            bundle: Any = argument  # a named tuple
            yield from _leaves((f"{name}.{part}", value) for part, value in bundle._asdict().items())
        else:
            yield name, argument


def _compile(text: str) -> bytes:
    """Compile the code of LLVM that has one function for others, into a module that exports it as `run`."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(features=FEATURES, opt=3)
    here = {"datalayout": machine.target_data, "triple": TRIPLE}
    text = TO_MEMORY.sub(lambda line: f'target {line[1]} = "{here[line[1]]}"', text)
    module = llvm.parse_assembly(SHARED.sub("= internal global", text).replace("@sqrt(", "@llvm.sqrt.f64("))
    (entry,) = (f for f in module.functions if not f.is_declaration and f.linkage == llvm.Linkage.external)
    entry.linkage = "internal"
    module = llvm.parse_assembly(f"{module}\n{_reader(entry)}")
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return _export(machine.emit_object(module))


def _reader(entry: Any) -> str:
    """Return a function that reads the arguments of another from an address, and calls it."""
    lines, given = [f"define i32 @{NAME}(ptr %at) {{"], []
    for i, argument in enumerate(entry.arguments):
        lines.append(f"%p{i} = getelementptr i8, ptr %at, i32 {8 * i}")
        lines.append(f"%v{i} = load {argument.type}, ptr %p{i}")
        given.append(f"{argument.type} %v{i}")
    return "\n".join([*lines, f'%r = call i32 @"{entry.name}"({", ".join(given)})', "ret i32 %r", "}"])


def _export(module: bytes) -> bytes:
    """Make a module of an object file: export its last function, and leave out the sections for a linker."""
    sections = list(_sections(module))
    own, _ = read_number(next(content for kind, content in sections if kind == FUNCTIONS), 0)
    last = own - 1 + next(content for kind, content in sections if kind == IMPORTS).count(IMPORTED)
    exported = bytes([1, len(NAME), *NAME.encode(), 0, *_number(last)])
    kept = [(kind, content) for kind, content in sections if kind != 0]
    first_after = next(i for i, (kind, _) in enumerate(kept) if kind > EXPORTS)
    kept.insert(first_after, (EXPORTS, exported))
    return module[:8] + b"".join(bytes([kind]) + _number(len(content)) + content for kind, content in kept)


def _sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    at = 8
    while at < len(module):
        size, begin = read_number(module, at + 1)
        yield module[at], module[begin : begin + size]
        at = begin + size


def read_number(text: bytes, at: int) -> tuple[int, int]:
    """Return a number in LEB128 and the place behind it.

    >>> read_number(_number(300), 0)
    (300, 2)
    """
    number, shift = 0, 0
    while text[at] & 128:
        number |= (text[at] & 127) << shift
        at, shift = at + 1, shift + 7
    return number | text[at] << shift, at + 1


def _number(number: int) -> bytes:
    if number < 128:
        return bytes([number])
    return bytes([number & 127 | 128]) + _number(number >> 7)
