"""A search as WebAssembly, run by Node: bit for bit the tree that Numba's code grows."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
from random import Random
from typing import Any

import pytest

from smallchange.core.game import Game, Position
from smallchange.core.match import Match
from smallchange.engine.search.mcts import NODE_BYTES, Plan, TreeSearcher
from smallchange.server.offline.tables import record_bytes

SIMULATIONS = (5, 200)  # as levels 2 and 3 of Dodg'em
MANY_EVERY = 10  # positions
RUN = """
const { made, code, board, cases, columns } = JSON.parse(require("fs").readFileSync(0));
const memory = new WebAssembly.Memory({ initial: made.pages });
const __stack_pointer = new WebAssembly.Global({ value: "i32", mutable: true }, made.stack);
const module = new WebAssembly.Module(Buffer.from(code, "base64"));
const { run } = new WebAssembly.Instance(module, { env: { __linear_memory: memory, __stack_pointer } }).exports;
const bytes = Buffer.from(memory.buffer);
const { places } = made;
const write = (words, at) => words.forEach((word, i) => bytes.writeBigInt64LE(BigInt(word), at + 8 * i));
write(made.words, made.at);
write(Object.values(made.plan), places.plan);
bytes.write(board, places.board, "hex");
for (const [state, n, nodes, edges] of cases) {
  bytes.write(state, places.root, "hex");
  write([n], places.n);
  if (run(made.at)) throw new Error("the search failed");
  const sum = require("crypto").createHash("sha256");
  for (const [name, size] of [["nodes", nodes], ["edges", edges], ["values", nodes / columns]])
    sum.update(bytes.subarray(places[name], places[name] + size));
  console.log(sum.digest("hex"));
}
"""


def positions_by_chance(game: Game, games: int) -> list[Position]:
    found, luck = [], Random(1)
    for _ in range(games):
        match = Match(game, luck.randbytes(16))
        match.settle()
        while not match.over:
            found.append(match.position.copy())
            match.play(luck.choice(match.position.legal()))
            match.settle()
    return found


@pytest.mark.parametrize(
    ("id", "options"),
    [("dodgem", {}), ("dodgem", {"size": 5, "start": "crosswise", "blocked": "wins"}), ("royal-ur", {})],
)
def test_webassembly_searches_as_compiled_code_does(id: str, options: dict[str, Any]) -> None:
    node = shutil.which("node")
    if node is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no node here")
    game = Game(id, options)
    searcher = TreeSearcher(game, memory=NODE_BYTES << 12)
    code, made = searcher.to_webassembly()
    cases, expected = [], []
    for i, position in enumerate(positions_by_chance(game, 10)):
        for n in SIMULATIONS[: 1 if i % MANY_EVERY else 2]:
            searcher.search(position.s, Plan(), 0, lambda done, n=n: n - done)  # type: ignore[misc]
            used, edges = searcher._tree.counters[:2].tolist()
            parts = searcher._tree.nodes[:used], searcher._tree.edges[:edges], searcher._tree.values[:used]
            expected.append(hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest())
            cases.append([record_bytes(position.s).hex(), n, parts[0].nbytes, parts[1].nbytes])
    given = {"made": made, "code": base64.b64encode(code).decode(), "cases": cases}
    given |= {"board": record_bytes(game.board).hex(), "columns": made["columns"]["NODE_COLUMNS"]}
    done = subprocess.run(
        [node, "-e", RUN], input=json.dumps(given), capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == expected
