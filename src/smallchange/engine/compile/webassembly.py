"""Translate an entry point to WebAssembly: the code that Numba makes of it, by LLVM for another machine.

A browser then runs the same code as a computer, to the same bits. The code takes no arguments but one address: all
arguments lie there, and all arrays lie in its memory where they were placed when it was made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from llvmlite import binding as llvm
from numba import njit, typeof

from .numba_compiler import EntryCompiler, EntryLibrary

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint"
STACK_BYTES = 1 << 16  # at the start of the memory
PAGE_BYTES = 1 << 16  # in which memory is given
ALIGNED_BYTES = 16
NAME = "run"
EXPORTS, CODE = 7, 10  # kinds of sections
TO_MEMORY = re.compile(r"(?m)^target (datalayout|triple) = .*$")
SHARED = re.compile(r"= (common|linkonce) global")


class Portable(NamedTuple):
    """A module of WebAssembly: its code, and the words that it finds at the address `at`.

    `places` has the address of each array and number by its path among the arguments: (6, 0) is the first of a bundle
    that is the seventh argument.
    """

    code: bytes
    words: list[int]
    at: int
    places: dict[tuple[int, ...], int]

    @property
    def pages(self) -> int:
        """The pages of memory that it needs."""
        return -(-(self.at + 8 * len(self.words)) // PAGE_BYTES)


def translate(function: Any, arguments: Sequence[Any]) -> Portable:
    """Translate an entry point, for arguments of these types, with arrays of these sizes."""
    texts: list[str] = []

    class Library(EntryLibrary):
        def _optimize_final_module(self) -> None:
            texts.append(str(self._final_module))
            super()._optimize_final_module()

    class Compiler(EntryCompiler):
        library = Library

    bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
    types = tuple(typeof(argument) for argument in arguments)
    njit(pipeline_class=Compiler, error_model="numpy", **bare)(function.py_func).compile(types)
    places: dict[tuple[int, ...], int] = {}
    moved: dict[int, int] = {}  # from the address here to that there: views of an array lie where it lies
    flat, at = list(_leaves(arguments)), STACK_BYTES
    for path, leaf in flat:
        if isinstance(leaf, np.ndarray):
            places[path] = moved.setdefault(leaf.ctypes.data, at)
            at += -(-leaf.nbytes // ALIGNED_BYTES) * ALIGNED_BYTES if places[path] == at else 0
    words = [at, at]  # the addresses of the result and of an exception
    at += ALIGNED_BYTES
    for path, leaf in flat:
        if isinstance(leaf, np.ndarray):  # as Numba passes it: nobody owns it
            words += [0, 0, leaf.size, leaf.itemsize, places[path], *leaf.shape, *leaf.strides]
        else:
            places[path] = at + 8 * len(words)
            words.append(int(leaf))
    return Portable(_compile(texts[0]), words, at, places)


def _leaves(arguments: Iterable[Any], path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Yield the arrays and numbers of arguments, those in bundles too, each with its path."""
    for i, argument in enumerate(arguments):
        if isinstance(argument, tuple):
            yield from _leaves(argument, (*path, i))
        else:
            yield (*path, i), argument


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
    functions = next(content for kind, content in sections if kind == 3)
    last, _ = read_number(functions, 0)
    exported = bytes([1, len(NAME), *NAME.encode(), 0, *_number(last - 1)])
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
