"""The searches of bots and reviews in a browser: WebAssembly that is made of the rules when the folder is built.

Each is called as the search of `smallchange.engine.search` that it was made of, and finds the same.
"""

from __future__ import annotations

import json
import struct
import sys
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from smallchange.bots.engines.compile_cache import MAX_ENGINES
from smallchange.bots.levels import Level
from smallchange.core.game import Game
from smallchange.core.measurements import learned_values_file
from smallchange.core.state import Fields

FOLDER = Path(__file__).parent / "compiled"
FORMATS = {2: "h", 4: "i", 8: "q"}  # of the numbers of a record, by their bytes
WORD = 8  # bytes
Budget = Callable[[int], int]


class CompiledSearch:
    """The compiled code of a search of a game with its options, and its memory."""

    engine = ""

    def __init__(self, game: Game) -> None:
        import js  # type: ignore[import-not-found]  # the browser's objects
        import pyodide_js  # type: ignore[import-not-found]
        from pyodide.ffi import to_js  # type: ignore[import-not-found]

        file = FOLDER / f"{game.id}-{self.engine}.wasm"
        self._made = made = json.loads(file.with_suffix(".json").read_bytes())
        self._places: Mapping[str, int] = made["places"]
        self._columns: Mapping[str, int] = made.get("columns", {})

        def options(**given: Any) -> Any:
            return to_js(given, dict_converter=js.Object.fromEntries)

        memory = js.WebAssembly.Memory.new(options(initial=made["pages"]))
        stack = js.WebAssembly.Global.new(options(value="i32", mutable=True), made["stack"])
        module = js.WebAssembly.Module.new(to_js(file.read_bytes()))
        around = {"__linear_memory": memory, "__stack_pointer": stack, "exp": pyodide_js._module._exp}
        self._run = js.WebAssembly.Instance.new(module, options(env=around)).exports.run
        self._memory = js.Uint8Array.new(memory.buffer)
        self._write_words(made["at"], made["words"])
        self._write_record("board", game.board)

    def _call(self, **numbers: int) -> None:
        for name, n in numbers.items():
            self._write_words(self._places[name], [n])
        if self._run(self._made["at"]):
            raise RuntimeError("the compiled search failed")

    def _write_words(self, at: int, words: Iterable[int]) -> None:
        self._write(at, array("q", words).tobytes())

    def _write(self, at: int, written: bytes) -> None:
        self._memory.subarray(at, at + len(written)).assign(written)

    def _write_record(self, name: str, record: Fields) -> None:
        self._write(self._places[name], record_bytes(record))

    def _read(self, name: str, first: int, n: int, kind: str = "q") -> tuple[Any, ...]:
        at = self._places[name] + WORD * first
        return struct.unpack(f"<{n}{kind}", self._memory.subarray(at, at + WORD * n).to_bytes())


class Found(NamedTuple):
    """The looks of a search at a move, and the share of them that was won: by the first player in a tree."""

    action: int
    visits: int
    won: float


class TreeSearch(CompiledSearch):
    """The tree search of a game with its options."""

    engine = "mcts"

    def search(self, s: Fields, plan: Mapping[str, int], seed: int, budget: Budget) -> list[Found]:
        """Search from a state, as `TreeSearcher.search` does, for as many simulations as there is room for."""
        self._write_record("root", s)
        self._write_words(self._places["plan"], (self._made["plan"] | plan).values())
        done, fresh, room = 0, True, self._made["room"]
        while (n := min(budget(done), room - 1 - done)) > 0 or fresh:
            self._call(seed=seed, n=n, fresh=fresh)
            done, fresh = done + n, False
        columns = self._columns
        root = self._read("tree.nodes", 0, columns["NODE_COLUMNS"])
        first, n, width = root[columns["FIRST_EDGE"]], root[columns["EDGE_COUNT"]], columns["EDGE_COLUMNS"]
        edges = self._read("tree.edges", first * width, n * width)
        kinds = (edges[columns[name] :: width] for name in ("ACTION", "EDGE_VISITS", "WINS"))
        found = [Found(action, n, wins / n if n else 0.0) for action, n, wins in zip(*kinds, strict=True)]
        return sorted(found, key=lambda move: -move.visits)


class ValueSearch(CompiledSearch):
    """The search of a game with its options on learned values."""

    engine = "learned_values"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        net = json.loads(learned_values_file(game).read_bytes())
        rows = {"first": chain(*net["first"]), "second": net["second"], "scales": net["scales"]}
        for name, numbers in (rows | {"blend": [net["blend"]]}).items():
            self._write(self._places[f"search.net.{name}"], array("d", numbers).tobytes())

    def search(self, s: Fields, plan: Mapping[str, int], seed: int, budget: Budget, most: int) -> list[Found]:
        """Search from a state, as `ValueSearcher.search` does."""
        self._write_record("root", s)
        self._write_words(self._places["plan"], (self._made["plan"] | plan).values())
        done, fresh, room = 0, True, self._made["room"]
        while (n := budget(done)) > 0 or fresh:
            self._call(seed=seed, n=n, most=most, fresh=fresh)
            done, fresh = done + n, False
        (n,) = self._read("search.visits", room, 1)
        actions, visits = (self._read(f"search.{name}", 0, n) for name in ("candidates.actions", "visits"))
        values, sums = (self._read(f"search.{name}", 0, n, "d") for name in ("candidates.values", "sums"))
        best: dict[int, Found] = {}
        for action, looks, value, more in zip(actions, visits, values, sums, strict=True):
            if action not in best or best[action].visits < looks:
                best[action] = Found(action, looks, (value + more) / (1 + looks))
        return sorted(best.values(), key=lambda move: -move.visits)


class AlphaBetaSearch(CompiledSearch):
    """The alpha-beta search of a game with its options, without solved positions."""

    engine = "alphabeta"
    _age = 0  # of what it knows; a visit has far fewer searches than ages

    def search(self, s: Any, budget: Budget, steps: Sequence[int], max_depth: int, contempt: int) -> Found:
        """Search from a state, as `AlphaBetaSearcher.search` does, and return the best of some steps."""
        columns, counters = self._columns, self._places["search.counters"]
        self._age += 1
        given = {"AGE": self._age, "DRAW": contempt if s.turn else -contempt}
        given["MAX_DEPTH"] = max(1, min(max_depth, self._made["max_depth"]))
        for name, n in given.items():
            self._write_words(counters + WORD * columns[name], [n])
        self._write_record("search.states", s)
        self._write_words(self._places["search.actions"], steps)
        self._call(roots=len(steps), n=0)
        while True:
            found = self._read("search.counters", 0, columns["COUNTERS"])
            is_done = found[columns["PHASE"]] == columns["END"]
            if is_done or (n := budget(found[columns["NODES"]])) <= 0:
                break
            self._call(roots=0, n=n)
        frame = self._read("search.frames", 0, columns["FRAME_COLUMNS"])
        step, n = found[columns["BEST_STEP"]], frame[columns["NEXT"]]
        loses = not is_done and found[columns["BEST_VALUE"]] < -columns["MAX_EVALUATION"]
        if loses and n < frame[columns["STEP_COUNT"]]:  # no loss before all are searched as deep
            (step,) = self._read("search.actions", n, 1)
        return Found(step, found[columns["NODES"]], 0.0)


def record_bytes(plain: Fields) -> bytes:
    """Return a plain object as the bytes of a record: its numbers in their order, aligned as in C."""
    rows = [(FORMATS[field.bytes], getattr(plain, name)) for name, field in plain.ranges.items()]
    form = "".join(kind if isinstance(value, int) else f"{len(value)}{kind}" for kind, value in rows)
    return struct.pack(
        form, *(n for _, value in rows for n in ([value] if isinstance(value, int) else value))
    )


@lru_cache(3 * MAX_ENGINES)
def _search(kind: type[CompiledSearch], game: Game) -> Any:
    return kind(game)


def prepare(game: Game, level: Level) -> None:
    """Give a bot its compiled search, in a browser."""
    if sys.platform != "emscripten" or level.instant:
        return
    kind = next(kind for kind in CompiledSearch.__subclasses__() if kind.engine == level.engine)
    level.module.provide(game, _search(kind, game).search)
