"""The package's Python as plain JavaScript, so that a page runs it under `script-src 'self'`.

Brython translates Python to JavaScript in the browser, and runs the result by `new Function`, which the content
security policy of our pages forbids. So it is run here first, in V8: a whole game of each kind is played, and every
function that it makes is written down. The bundle has them as ordinary functions of a script, and `Function` on the
page finds them there (`static/offline_functions.js`). Nothing is evaluated on the page.

Needs the extra `offline`. Which modules these are, and what stands in for others, is in `browser_modules.py`.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import os
import sys
import traceback
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import platformdirs

from smallchange import __version__
from smallchange.core.atomic_files import replacing
from smallchange.i18n.catalogues import LANGUAGES
from smallchange.server.offline.browser_modules import ENTRY, PACKAGE, own_modules, playable_games

STATIC = PACKAGE / "server" / "web" / "static"
MODULE = "smallchange.server.offline.bundle"  # this one, as a process of its own runs it
PYTHON, BRYTHON = "python.js.gz", "brython.js.gz"  # the package, and the runtime that it needs
SHA_256 = "crypto_js.rollups.sha256"  # which `hashlib` reads itself
# what V8 lacks of a browser, as far as Brython asks for it before it runs anything
BROWSER = """
var self = globalThis, window = globalThis, name = "";
var console = Object.fromEntries(["log", "debug", "info", "warn", "error"].map((say) => [say, () => {}]));
var location = {href: "http://localhost/", origin: "http://localhost", pathname: "/", search: "", hash: ""};
var navigator = {language: "en", userAgent: ""};
var URL = class { constructor(href) { Object.assign(this, {href, pathname: "/", search: "", hash: ""}); } };
var performance = {now: () => Date.now()};
var crypto = {getRandomValues: (bytes) => bytes.fill(1)};
var addEventListener = () => {};
class Event {} class Node {} class Element extends Node {} class CustomEvent {}
"""

_making = asyncio.Lock()


class NotInstalled(RuntimeError):
    """The extra `offline` is not installed."""


def is_installed() -> bool:
    """Return whether the packages are there that offline play needs."""
    return find_spec("brython") is not None and find_spec("py_mini_racer") is not None


def brython() -> Path:
    """Return the file of Brython's runtime, in the package that is installed."""
    if not is_installed():
        raise NotInstalled
    return Path(str(files("brython") / "data" / "brython.js"))


@cache
def digest() -> str:
    """Return a digest of everything that a bundle is made of, as it was when this was asked first."""
    made_of = hashlib.sha256(f"{__version__} {version('brython')} {version('mini-racer')}".encode())
    for file in sorted(file for file in PACKAGE.rglob("*") if file.suffix in (".py", ".po", ".svg")):
        made_of.update(str(file.relative_to(PACKAGE)).encode() + b"\0" + file.read_bytes())
    made_of.update((STATIC / "offline_functions.js").read_bytes())
    return made_of.hexdigest()[:16]


def _cache_folder() -> Path:
    chosen = os.environ.get("SMALLCHANGE_CACHE")
    return Path(chosen).expanduser() if chosen else platformdirs.user_cache_path("smallchange")


async def script(name: str) -> bytes:
    """Return a script that pages load, compressed by gzip: PYTHON or BRYTHON.

    Both are made once, in a process of its own, and kept in the cache folder.
    """
    folder = _cache_folder() / f"offline-{await asyncio.to_thread(digest)}"
    async with _making:
        if not await asyncio.to_thread((folder / BRYTHON).is_file):
            await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
            made = await asyncio.create_subprocess_exec(sys.executable, "-m", MODULE, str(folder))
            if await made.wait():
                raise RuntimeError("the games could not be made ready to be played offline")
    return await asyncio.to_thread((folder / name).read_bytes)


def build() -> str:
    """Return the bundle as the text of a script. It takes some seconds."""
    if not is_installed():
        raise NotInstalled
    from py_mini_racer import MiniRacer

    source = brython().with_name("brython_stdlib.js").read_text(encoding="utf-8")
    library: dict[str, list[Any]] = json.loads(source[source.index("{") : source.rindex("}") + 1])
    del library["$timestamp"]
    modules = own_modules()
    kept = {**library, **modules}
    for name, about in kept.items():
        if about[0] == ".js":
            about[1] = f"/*{name}*/\n{about[1]}"
    machine = MiniRacer()
    machine.eval(BROWSER)
    machine.eval((STATIC / "offline_functions.js").read_text(encoding="utf-8"))
    machine.eval("globalThis.compiledFunctions.record();")
    machine.eval(brython().read_text(encoding="utf-8"))
    machine.eval(f"__BRYTHON__.use_VFS = true; __BRYTHON__.update_VFS({json.dumps(kept)});")
    failed = machine.eval(f"({PLAY_ALL})({json.dumps([ENTRY, playable_games(), LANGUAGES])})")
    if failed:
        raise RuntimeError(f"the package does not run in the browser: {failed}")
    used = json.loads(str(machine.eval("JSON.stringify(Object.keys(__BRYTHON__.imported))")))
    made = json.loads(str(machine.eval("JSON.stringify(compiledFunctions.made)")))
    functions = (STATIC / "offline_functions.js").read_text(encoding="utf-8")
    return functions + _script(made, [SHA_256, *(name for name in used if name in kept)], kept)


# Play a game of each kind to its end and look at all that the page can ask for, so that every function is made.
PLAY_ALL = """(given) => {
  const [entry, games, langs] = given;
  const $B = __BRYTHON__;
  try {
    const frame = Object.assign(["page", {}, "page", {}], {__file__: "page", $lineno: 1});
    $B.frame_obj = $B.push_frame(frame);
    $B.import(entry, [], {}, {});
    const Table = $B.module_getattr($B.imported[entry], "LocalTable");
    const ask = (object, name, ...values) => $B.$call($B.$getattr(object, name), ...values);
    for (const [i, game] of games.entries()) {
      const lang = langs[i % langs.length];
      const secret = $B.$call($B.builtins.bytes, $B.$list(Array(32).fill(7)));
      const table = $B.$call(Table, game, lang, secret);
      let shown = JSON.parse(ask(table, "show"));
      for (let i = 0; !shown.over && i < 2000; i++) {
        const token = ask(table, "first_choice");
        const said = {is: "act", match: shown.match, ply: shown.ply, move: "move-" + i, token};
        shown = JSON.parse(ask(table, "take", JSON.stringify(said)));
        if (i === 0) {
          ask(table, "look", 1);
          ask(table, "take", JSON.stringify({...said, is: "undo"}));
          shown = JSON.parse(ask(table, "show"));
        }
      }
      const saved = ask(table, "save");
      ask($B.$call(Table, game, lang, secret, saved), "show");
    }
    return "";
  } catch (wrong) {
    try {
      return $B.error_trace($B.exception(wrong)) + (wrong.stack ?? "");
    } catch (also) {
      return `${$B.class_name(wrong)} ${wrong.args} ${wrong.stack} ${also.stack ?? also} ${also.args}`;
    }
  }
}"""


def _script(made: dict[str, list[str]], used: list[str], kept: dict[str, list[Any]]) -> str:
    """Return the functions that were made, and what Brython needs to know of each module."""
    lines = []
    for key, (*names, body) in made.items():
        lines.append(f"{json.dumps(key)}: function ({', '.join(names)}) {{\n{body}\n}},")
    about = {}
    for name in used:
        kind, _, *rest = kept[name]
        about[name] = [kind, f"/*{name}*/" if kind == ".js" else "", *rest]
    return (
        f"compiledFunctions.known = {{\n{chr(10).join(lines)}\n}};\n"
        f"compiledFunctions.modules = {json.dumps(about, separators=(',', ':'))};\n"
    )


if __name__ == "__main__":  # as `script` runs it
    try:
        for name, text in ((PYTHON, build().encode()), (BRYTHON, brython().read_bytes())):
            with replacing(Path(sys.argv[1]) / name) as file:
                file.write(gzip.compress(text, mtime=0))
    except BaseException:
        traceback.print_exc()
        os._exit(1)  # V8 may not end by itself
    os._exit(0)
