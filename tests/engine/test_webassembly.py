"""Searches as WebAssembly, run by the Python of browsers in Node: they find what Numba's code finds, bit for bit."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import smallchange
from smallchange.core.game import Game, Position
from smallchange.core.match import Match
from smallchange.engine.search.iterative_deepening import AlphaBetaSearcher
from smallchange.engine.search.learned_values import Lookahead, ValueSearcher
from smallchange.engine.search.mcts import NODE_BYTES, Plan, TreeSearcher
from tests.support.offline_folder import PYODIDE

Rows = list[list[float]]
SOURCE = Path(smallchange.__file__).parents[1]
RUN = """
import fs from "node:fs";
const [, , pyodide, source, made, cases] = process.argv;
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
for (const [at, folder] of [["/src", source], ["/made", made]]) {
  python.FS.mkdir(at);
  python.mountNodeFS(at, folder);
}
python.globals.set("given", fs.readFileSync(cases, "utf8"));
const found = python.runPythonAsync(`
import json, sys
from pathlib import Path
sys.dont_write_bytecode = True
sys.path.insert(0, "/src")
from smallchange.core.game import Game
from smallchange.server.offline import searches
searches.FOLDER = Path("/made")
id, options, engine, cases = json.loads(given)
game = Game(id, options)
kind = next(one for one in searches.CompiledSearch.__subclasses__() if one.engine == engine)
search, found = kind(game).search, []
for fields, n, more in cases:
    s = game.state_type()
    for name, value in fields.items():
        setattr(s, name, value)
    budget = lambda done: n - done
    if engine == "alphabeta":
        found.append([search(s, budget, *more)[:2]])
    else:
        found.append(search(s, more[0], 1, budget, *more[1:]))
json.dumps(found)
`);
console.log(await found.catch(({ message }) => message)); // without the code of the machine
"""


def trees(game: Game, cases: list[tuple[Position, int]]) -> tuple[Any, list[Any], list[Rows]]:
    searcher = TreeSearcher(game, memory=NODE_BYTES << 12)
    found = [searcher.search(at.s, Plan(), 1, lambda done, n=n: n - done) for at, n in cases]  # type: ignore[misc]
    return searcher, [[{}] for _ in cases], [[[m.action, m.visits, m.won] for m in moves] for moves in found]


def values(game: Game, cases: list[tuple[Position, int]]) -> tuple[Any, list[Any], list[Rows]]:
    searcher = ValueSearcher(game)
    plan = {"turns": 2, "full_turns": 1}
    found = [
        searcher.search(at.s, Lookahead(**plan), 1, lambda done, n=n: n - done, n)  # type: ignore[misc]
        for at, n in cases
    ]
    rows = [[[m.action, m.visits, m.won] for m in moves if m.visits or m.won] for moves in found]
    return searcher, [[plan, n] for _, n in cases], rows


def depths(game: Game, cases: list[tuple[Position, int]]) -> tuple[Any, list[Any], list[Rows]]:
    searcher = AlphaBetaSearcher(game)
    steps = [[game.actions[token] for token in at.legal()] for at, _ in cases]
    found = [
        searcher.search(at.s, lambda done, n=n: n - done, actions, contempt=100)  # type: ignore[misc]
        for (at, n), actions in zip(cases, steps, strict=True)
    ]
    return searcher, [[actions, 60, 100] for actions in steps], [[[one.action, one.nodes]] for one in found]


def positions_by_chance(game: Game, n: int) -> list[Position]:
    found, luck = list[Position](), Random(1)
    while len(found) < n:
        match = Match(game, luck.randbytes(16))
        match.settle()
        while not match.over:
            found.append(match.position.copy())
            match.play(luck.choice(match.position.legal()))
            match.settle()
    return luck.sample(found, n)


@pytest.mark.parametrize(
    ("find", "id", "options", "looks"),
    [
        (trees, "dodgem", {}, (5, 200)),
        (trees, "dodgem", {"size": 5, "start": "crosswise", "blocked": "wins"}, (5, 200)),
        (trees, "royal-ur", {}, (5, 200)),
        (values, "royal-ur", {}, (8, 200)),
        (values, "royal-ur", {"path": "masters", "coins": 5}, (8, 200)),
        (values, "coin-age", {}, (20, 200)),
        (depths, "dodgem", {}, (3000, 20000)),
        (depths, "dodgem", {"size": 4, "blocked": "wins"}, (3000, 20000)),
    ],
)
def test_webassembly_searches_as_compiled_code_does(
    find: Callable[..., tuple[Any, list[Any], list[Rows]]],
    id: str,
    options: dict[str, Any],
    looks: tuple[int, int],
    tmp_path: Path,
) -> None:
    node = shutil.which("node")
    if node is None or not PYODIDE.is_dir():
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no node or no pyodide here")
    game = Game(id, options)
    cases = [(at, looks[not i % 4]) for i, at in enumerate(positions_by_chance(game, 40))]
    searcher, more, expected = find(game, cases)
    code, how = searcher.to_webassembly()
    engine = {trees: "mcts", values: "learned_values", depths: "alphabeta"}[find]
    (tmp_path / f"{id}-{engine}.wasm").write_bytes(code)
    (tmp_path / f"{id}-{engine}.json").write_text(json.dumps(how))
    fields = [{name: getattr(at.s, name) for name in at.s.ranges} for at, _ in cases]
    rows = [(s, n, given) for s, (_, n), given in zip(fields, cases, more, strict=True)]
    (tmp_path / "cases.json").write_text(json.dumps([id, options, engine, rows]))
    (tmp_path / "run.mjs").write_text(RUN)
    command: list[str | Path] = [
        node,
        tmp_path / "run.mjs",
        PYODIDE,
        SOURCE,
        tmp_path,
        tmp_path / "cases.json",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    assert json.loads(done.stdout) == expected
