// What it costs to play the games for one by the same Python in a browser, with Pyodide under Node.
//
//   npm install --no-save pyodide && node bench/offline.mjs SITE_PACKAGES
//
// SITE_PACKAGES is a folder with the packages that the core needs (babel, click, platformdirs). Prints the bytes to
// fetch (gzip -9), the time to load Python, to import the package, to play a random game, and to draw its board.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(process.cwd(), "package.json"));
const folder = dirname(require.resolve("pyodide"));
for (const file of ["pyodide.asm.wasm", "pyodide.asm.mjs", "python_stdlib.zip"]) {
  const bytes = readFileSync(join(folder, file));
  console.log(`${file}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} compressed`);
}
const { loadPyodide } = await import(join(folder, "pyodide.mjs"));
const begun = performance.now();
const python = await loadPyodide();
console.log(`Python loaded in ${Math.round(performance.now() - begun)} ms`);
for (const [name, root] of [
  ["/src", join(here, "../src")],
  ["/packages", process.argv[2]],
]) {
  python.FS.mkdirTree(name);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, name);
}
const lines = python.runPython(`
import sys
from random import Random
from time import perf_counter

sys.dont_write_bytecode = True
sys.path[:0] = ["/src", "/packages"]
start = perf_counter()
from smallchange.core.game import Game
from smallchange.core.match import Match
from smallchange.render.svg import board_svg

lines = [f"imported in {1000 * (perf_counter() - start):.0f} ms, Python {sys.version.split()[0]}"]
for id in ("coin-collectors", "solo", "thrag"):
    start, luck = perf_counter(), Random(1)
    match = Match(Game(id), bytes(16))
    match.settle()
    while not match.over:
        match.play(luck.choice(match.position.legal()))
        match.settle()
    played = perf_counter()
    scene = match.game.layout.scene(match.game.board, match.position.s)
    board_svg(scene.areas[0], scene, "en")
    drawn = perf_counter()
    lines.append(f"{id}: {len(match)} steps in {1000 * (played - start):.0f} ms, drawn in {1000 * (drawn - played):.0f} ms")
"\\n".join(lines)
`);
console.log(lines);
console.log(`${process.memoryUsage().rss >> 20} MB in memory`);
