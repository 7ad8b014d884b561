"""The tree search of bots in a browser: WebAssembly that was made of the rules when the folder was built.

It is the code that a server runs (`engine/compile/webassembly.py`), and finds the same moves.
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from smallchange.bots.engines import mcts
from smallchange.bots.engines.compile_cache import MAX_ENGINES
from smallchange.bots.levels import Level
from smallchange.core.game import Game
from smallchange.core.state import Fields

FOLDER = Path(__file__).parent / "compiled"
FORMATS = {2: "h", 4: "i", 8: "q"}  # of the numbers of a record, by their bytes
WORD = 8  # bytes


class Found(NamedTuple):
    """The visits of a search to a move."""

    action: int
    visits: int


class CompiledSearch:
    """The tree search of a game with its options."""

    def __init__(self, game: Game) -> None:
        import js  # type: ignore[import-not-found]  # the browser's objects
        from pyodide.ffi import to_js  # type: ignore[import-not-found]

        made = json.loads((FOLDER / f"{game.id}.json").read_bytes())
        self._places, self._columns, self._plan = made["places"], made["columns"], made["plan"]
        self._at, self._words, self._room = made["at"], made["words"], made["room"]

        def options(**given: Any) -> Any:
            return to_js(given, dict_converter=js.Object.fromEntries)

        memory = js.WebAssembly.Memory.new(options(initial=made["pages"]))
        stack = js.WebAssembly.Global.new(options(value="i32", mutable=True), made["stack"])
        module = js.WebAssembly.Module.new(to_js((FOLDER / f"{game.id}.wasm").read_bytes()))
        around = options(env={"__linear_memory": memory, "__stack_pointer": stack})
        self._run = js.WebAssembly.Instance.new(module, around).exports.run
        self._memory = js.Uint8Array.new(memory.buffer)
        self._write(self._at, self._words)
        self._write_record("board", game.board)

    def search(self, s: Fields, plan: dict[str, int], seed: int, budget: Callable[[int], int]) -> list[Found]:
        """Search from a state, as `TreeSearcher.search` does, for as many simulations as there is room for."""
        self._write_record("root", s)
        self._write(self._places["plan"], (self._plan | plan).values())
        self._write(self._places["seed"], [seed])
        done, fresh = 0, True
        while (n := min(budget(done), self._room - 1 - done)) > 0 or fresh:
            self._write(self._places["n"], [n])
            self._write(self._places["fresh"], [fresh])
            if self._run(self._at):
                raise RuntimeError("the compiled search failed")
            done, fresh = done + n, False
        columns = self._columns
        root = self._read("nodes", 0, columns["NODE_COLUMNS"])
        first, n, width = root[columns["FIRST_EDGE"]], root[columns["EDGE_COUNT"]], columns["EDGE_COLUMNS"]
        edges = self._read("edges", first * width, n * width)
        actions, visits = (edges[columns[name] :: width] for name in ("ACTION", "EDGE_VISITS"))
        found = [Found(*both) for both in zip(actions, visits, strict=True)]
        return sorted(found, key=lambda move: -move.visits)

    def _write(self, at: int, words: Iterable[int]) -> None:
        written = b"".join(struct.pack("<q", word) for word in words)
        self._memory.subarray(at, at + len(written)).assign(written)

    def _write_record(self, name: str, record: Fields) -> None:
        at, written = self._places[name], record_bytes(record)
        self._memory.subarray(at, at + len(written)).assign(written)

    def _read(self, name: str, first: int, n: int) -> tuple[int, ...]:
        at = self._places[name] + WORD * first
        return struct.unpack(f"<{n}q", self._memory.subarray(at, at + WORD * n).to_bytes())


def record_bytes(plain: Fields) -> bytes:
    """Return a plain object as the bytes of a record: its numbers in their order, aligned as in C."""
    rows = [(FORMATS[field.bytes], getattr(plain, name)) for name, field in plain.ranges.items()]
    form = "".join(f"{len(value)}{kind}" if isinstance(value, list) else kind for kind, value in rows)
    return struct.pack(
        form, *(n for _, value in rows for n in (value if isinstance(value, list) else [value]))
    )


@lru_cache(MAX_ENGINES)
def _search(game: Game) -> CompiledSearch:
    return CompiledSearch(game)


def prepare(game: Game, level: Level) -> None:
    """Give a bot its compiled search, in a browser."""
    if level.engine == "mcts" and sys.platform == "emscripten":
        mcts.provide(game, _search(game).search)
