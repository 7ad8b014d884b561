"""A folder of files that plays the site without a server: `smallchange static`.

In it are the pages that need no Python yet, drawn beforehand; the client; CPython as WebAssembly (`runtime.py`); and of
this package the modules that drawing all pages needs, compiled by the same Python where Node is installed.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import lzma
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from base64 import b64encode
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from jinja2 import ModuleLoader
from markupsafe import escape

from smallchange import __version__
from smallchange.bots.levels import load_bots
from smallchange.core.atomic_files import replacing
from smallchange.core.game import Game, games
from smallchange.i18n.text import LANGUAGES
from smallchange.render.theme import LIGHT, stylesheet
from smallchange.server.offline import first_tables
from smallchange.server.offline.bundles import bundles
from smallchange.server.offline.first_tables import FOLDER, INDEX, PAGES, Drawn
from smallchange.server.offline.runtime import LOCK, cache_folder, find_runtime
from smallchange.server.table.view.options import gentle_seats
from smallchange.server.web import phrases as p
from smallchange.server.web.frame import COMPILED, templates

PACKAGE = Path(__file__).parents[2]
STATIC = PACKAGE / "server" / "web" / "static"
SECTIONS = 9  # where the size of a module's first section stands
ROOT = "/package"  # where Python finds the modules
VERSIONED = re.compile(' data-version="([0-9a-f]{16})"')
RULES = "rules"  # the folder of pages for browsers that run no scripts
MACHINE = "python/pyodide.asm.wasm.bin"
FIRST = "python/first"  # the part of Python's library and of the package that a board needs
PACKING = {"id": lzma.FILTER_LZMA1, "preset": 6, "lc": 3, "lp": 0, "pb": 0, "dict_size": 1 << 24}
BABEL_LOCALES = ("root", "en", "en_001", "en_GB", *LANGUAGES)
LEFT_OUT = re.compile(r"tests|values(-.*)?\.json")  # of the folders of games
NOT_NEEDED = (  # of Python's library, by the beginnings of its files
    "_ast_unparse", "_pydatetime", "_pyio", "_pyrepl", "antigravity", "argparse", "asyncio/__main__",
    "asyncio/proactor", "asyncio/tools", "asyncio/windows", "bdb", "cProfile", "cmd.", "code.", "compileall",
    "concurrent/futures/process", "concurrent/interpreters", "configparser", "ctypes/", "doctest", "email/_h",
    "email/header", "encodings/cp", "encodings/iso", "encodings/mac", "ftplib", "http/", "idlelib", "imaplib",
    "logging/config", "logging/handlers", "mailbox", "modulefinder", "multiprocessing", "optparse", "pdb",
    "pickletools", "plistlib", "poplib", "profile", "pstats", "pyclbr", "pydoc", "pyodide/console", "runpy",
    "smtplib", "socketserver", "sqlite3", "stringprep", "symtable", "tabnanny", "tarfile", "this", "timeit",
    "tomllib", "trace.", "tracemalloc", "unittest", "urllib/request", "urllib/robotparser", "wave", "webbrowser",
    "wsgiref", "xml", "zipapp",
)  # fmt: skip
NOT_WRITTEN = (  # of Babel's locales: names of things that no page names
    "compact_currency_formats", "currency_names", "currency_names_plural", "currency_symbols", "meta_zones",
    "scripts", "territories", "time_zones", "unit_display_names", "unit_patterns", "variants",
)  # fmt: skip
BUILDING = "babel.messages"  # that phrases are compiled by, when the folder is built
NOT_AT_FIRST = re.compile(r".*(puzzles\.jsonl|puzzle_ratings\.json|values(-.*)?\.json)")
SEARCHES = "smallchange/server/offline/compiled"
SEARCH_NODES = 1 << 12  # that the graph of a search has room for
Files = dict[str, bytes]


def build(folder: Path, runtime: Path | None = None) -> list[Path]:
    """Write the folder, and return its files. Raise NoRuntime where the runtime is missing."""
    from smallchange.engine.compile.webassembly import read_number  # which no page needs

    pinned = find_runtime(runtime)
    with tempfile.TemporaryDirectory() as place:
        files, drawn = draw_in_a_process(Path(place))
    first = json.loads(files.pop(INDEX))
    names = sorted(Path(name).stem for name in files if name.startswith(f"{PAGES}/{LANGUAGES[0]}/"))
    sheet = stylesheet().encode()
    for file in STATIC.rglob("*"):
        if file.is_file() and (file.suffix not in (".js", ".css") or file.stem.startswith("offline")):
            files[f"static/{file.relative_to(STATIC)}"] = file.read_bytes()
    files |= {f"static/{name}": content for name, content in bundles(STATIC, sheet, drawn.pages).items()}
    files |= python_files(pinned, drawn)
    size = sum(len(files[name]) for name in (MACHINE, f"{FIRST}.zip.bin", f"{FIRST}-{LANGUAGES[0]}.bin"))

    def around(version: str) -> Files:
        """Return the files beside those of a version, which lie in a folder of its name: no other mixes with them."""
        page = f"{PAGES}/{LANGUAGES[0]}/rules-%s.packed"
        rules = {f"{RULES}/{id}.html": gzip.decompress(files[page % id]).decode() for id in games()}
        return {
            **{
                name: text.replace('="/static', f'="../{version}/static').encode()
                for name, text in rules.items()
            },
            "licences.txt": licences().encode(),
            "manifest.webmanifest": json.dumps(manifest(version)).encode(),
            "index.html": shell(names, size, version, first).encode(),
        }

    version = hashlib.sha256(_digest(files) + _digest(around(""))).hexdigest()[:16]
    files = {f"{version}/{name}": content for name, content in files.items()} | around(version)
    kept = json.dumps(
        {
            name: b64encode(hashlib.sha256(content).digest()).decode()
            for name, content in sorted(files.items())
            if not name.startswith((f"{version}/{FOLDER}/", f"{RULES}/", f"{version}/{FIRST}"))
        }
        | {"index.html": ""}  # has no digest, as a server changes it (`pages.py`)
    )
    unpack, worker = (
        (STATIC / f"offline_{name}.js").read_text(encoding="utf-8") for name in ("unpack", "service_worker")
    )
    size, begin = read_number(pinned["pyodide.asm.wasm"].read_bytes(), SECTIONS)
    files["service_worker.js"] = (
        f'self.folder = {{FILES: {kept}, VERSION: "{version}", FIRST: {begin + size}}};\n'
        f"{unpack.replace('export function', 'function')}{worker}"
    ).encode()
    former = (
        VERSIONED.findall((folder / "index.html").read_text()) if (folder / "index.html").exists() else []
    )
    for name, content in files.items():  # those that say which version it is come last
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    for name in former:
        if name != version:
            shutil.rmtree(folder / name, ignore_errors=True)
    return [folder / name for name in files]


def _gentle_searches() -> tuple[str, ...]:
    """Return how the files of those searches begin that bots of the first page use."""
    return tuple(
        f"{SEARCHES}/{id}-{load_bots(id)[who.removeprefix('bot:')].engine}."
        for id in games()
        for who in gentle_seats(Game(id)).values()
        if who.startswith("bot:")
    )


def _digest(files: Files) -> bytes:
    """Return a digest of files with their names."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    return json.dumps(digests).encode()


def draw_in_a_process(folder: Path) -> tuple[Files, Drawn]:
    """Return the pages and tables that are drawn beforehand, and what drawing took."""
    done = subprocess.run(
        [sys.executable, "-m", first_tables.__name__, str(folder)], check=True, capture_output=True
    )
    files = {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*.*")}
    return files, Drawn(*json.loads(done.stdout))


# Python: the runtime, its library, and the package


def python_files(pinned: dict[str, Path], drawn: Drawn) -> Files:
    """Return the files of Python: the runtime, and its library and the package: what a board needs, and the whole."""
    library = zipfile.ZipFile(pinned["python_stdlib.zip"])
    sources = {
        f"library/{name}": library.read(name)
        for name in library.namelist()
        if name.endswith(".py") and not name.startswith(NOT_NEEDED)
    }
    package = dict(_modules(drawn.modules)) | dict(_templates(drawn.templates)) | dict(_other_files())
    package |= dict(_wheel_files(pinned, drawn.modules)) | dict(_searches())
    sources |= {f"package/{name}": text for name, text in package.items()}
    compiled, at_first = _compile(sources, pinned)
    tree: Files = {}  # by path in the package
    later = set[str]()
    for name, text in package.items():
        module, _, stem = name.rpartition("/")
        cached = f"{module}/__pycache__/{stem.removesuffix('.py')}.cpython-314.pyc"
        code = compiled.get(f"package/{name}c")
        tree[name] = b"" if code else text  # code that was compiled is not compared with it
        if code:
            tree[cached] = code
        if name.endswith(".py") and f"package/{name}" not in at_first:
            later |= {name, cached}
    at_once = _gentle_searches()
    later |= {name for name in tree if name.startswith(SEARCHES) and not name.startswith(at_once)}
    files = {
        # many hosts know no type of .mjs, and browsers run no script without one
        "python/pyodide.js": pinned["pyodide.mjs"].read_bytes(),
        "python/pyodide.asm.js": pinned["pyodide.asm.mjs"].read_bytes(),
        "python/pyodide-lock.json": json.dumps(
            json.loads(pinned["pyodide-lock.json"].read_text(encoding="utf-8")) | {"packages": {}}
        ).encode(),
        MACHINE: packed_machine(pinned["pyodide.asm.wasm"]),
        "python/python_stdlib.zip.bin": pack(_zip(sources, compiled, sources.keys())),
        "python/package.bin": pack(_join(tree)),
        f"{FIRST}.zip.bin": pack(_zip(sources, compiled, at_first)),
    }
    for lang in LANGUAGES:
        spoken = {  # of other languages, empty files say that there are more
            name: text if _is_of(name, lang) else b"" for name, text in tree.items() if name not in later
        }
        files[f"{FIRST}-{lang}.bin"] = pack(_join(spoken))
    return files


def _is_of(name: str, lang: str) -> bool:
    """Return whether a file is needed in the first minutes where this language is spoken."""
    others = [f"/{one}{kind}" for one in LANGUAGES[1:] if one != lang for kind in (".mo", ".dat")]
    return not (NOT_AT_FIRST.fullmatch(name) or name.endswith(tuple(others)))


def _zip(sources: Files, compiled: Files, names: Container[str]) -> bytes:
    """Return the library, or a part of it, as an archive."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:  # stored: it is compressed as a whole
        for name in sources:
            if name.startswith("library/") and name in names:
                stored = name + "c" if compiled else name
                archive.writestr(
                    zipfile.ZipInfo(stored.removeprefix("library/")), (compiled or sources)[stored]
                )
    return written.getvalue()


def _modules(names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of these modules, and of those packages that are taken whole."""
    for name in names:
        top = name.partition(".")[0]
        spec = find_spec(name) if top in ("smallchange", "jinja2", "babel") else None
        if spec and spec.origin and spec.origin.endswith(".py") and not name.startswith(BUILDING):
            path = name.replace(".", "/") + ("/__init__.py" if spec.submodule_search_locations else ".py")
            yield path, Path(spec.origin).read_bytes()
    for file in (PACKAGE / "bots" / "engines").glob("*.py"):  # which the levels of games name
        yield str(file.relative_to(PACKAGE.parent)), file.read_bytes()
    for file in _folder("markupsafe").glob("*.py"):  # here its C may be loaded, there only its Python can be
        yield f"markupsafe/{file.name}", file.read_bytes()


def _templates(names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield templates as the Python that they are compiled to."""
    wanted = set(names)
    for file in PACKAGE.glob("server/*/templates/*.html"):
        if file.name not in wanted:
            continue
        name = str((COMPILED / ModuleLoader.get_module_filename(file.name)).relative_to(PACKAGE.parent))
        text = templates().compile(file.read_text(encoding="utf-8"), file.name, raw=True, defer_init=True)
        yield name, text.encode()


def _other_files() -> Iterator[tuple[str, bytes]]:
    """Yield the files that modules read: shapes, phrases, measurements and locales."""
    for file in PACKAGE.rglob("*"):
        name = str(file.relative_to(PACKAGE.parent))
        if any(map(LEFT_OUT.fullmatch, file.parts)):
            continue
        if file.suffix == ".po":
            yield name.removesuffix(".po") + ".mo", _compiled_phrases(file)
        elif file.name == "rulebook.en.md":
            yield name, b""  # that it is there makes the game complete; it is drawn beforehand
        elif file.name == "shapes.svg" or (
            file.suffix in (".json", ".jsonl") and file.parent.parent.name == "games"
        ):
            yield name, file.read_bytes()
    babel = _folder("babel")
    known = pickle.loads((babel / "global.dat").read_bytes())
    yield "babel/global.dat", pickle.dumps({"parent_exceptions": known["parent_exceptions"]})
    for locale in BABEL_LOCALES:
        known = pickle.loads((babel / "locale-data" / f"{locale}.dat").read_bytes())
        for part in NOT_WRITTEN:
            known.pop(part, None)
        known["languages"] = {
            lang: known["languages"][lang] for lang in LANGUAGES if lang in known["languages"]
        }
        yield f"babel/locale-data/{locale}.dat", pickle.dumps(known)


def _compiled_phrases(file: Path) -> bytes:
    written = io.BytesIO()
    with file.open("rb") as source:
        write_mo(written, read_po(source, locale=file.stem))
    return written.getvalue()


def _searches() -> Iterator[tuple[str, bytes]]:
    """Yield the searches of bots and reviews, compiled for the browser: from the cache if they are there."""
    from smallchange.engine.search.iterative_deepening import AlphaBetaSearcher  # which no page needs
    from smallchange.engine.search.learned_values import ValueSearcher
    from smallchange.engine.search.mcts import NODE_BYTES, TreeSearcher

    makers: dict[str, Callable[[Game], Any]] = {
        "mcts": partial(TreeSearcher, memory=SEARCH_NODES * NODE_BYTES),
        "alphabeta": AlphaBetaSearcher,
        "learned_values": ValueSearcher,
    }
    for game in map(Game, games()):
        made_of = [PACKAGE / "core", PACKAGE / "engine", game.folder]
        sources = [file.read_bytes() for folder in made_of for file in sorted(folder.rglob("*.py"))]
        versions = "".join(distribution(name).version for name in ("numba", "llvmlite")).encode()
        digest = hashlib.sha256(b"".join([versions, *sources])).hexdigest()
        for engine in {"mcts"} | engines_of(game):
            kept = cache_folder() / f"{game.id}-{engine}-{digest[:16]}"
            if not kept.is_file():
                compiled, how = makers[engine](game).to_webassembly()
                _keep(kept, json.dumps(how).encode() + b"\n" + compiled)
            about, _, code = kept.read_bytes().partition(b"\n")
            yield f"{SEARCHES}/{game.id}-{engine}.wasm", code
            yield f"{SEARCHES}/{game.id}-{engine}.json", about
        if "learned_values" in engines_of(game):
            for file in sorted(game.folder.glob("values*.json")):
                yield str(file.relative_to(PACKAGE.parent)), file.read_bytes()


def engines_of(game: Game) -> set[str]:
    """Return the engines of bots that search and sit at tables of a game: in those for one there are none."""
    levels = load_bots(game).values() if len(game.seats) > 1 else ()
    return {level.engine for level in levels if not level.instant}


def _wheel_files(pinned: dict[str, Path], modules: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield those files of wheels that modules are."""
    wanted = set(modules)
    for wheel in LOCK["wheels"]:
        with zipfile.ZipFile(pinned[wheel]) as archive:
            for name in archive.namelist():
                module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
                if module in wanted or name.endswith(".so"):
                    yield name, archive.read(name)


def _compile(sources: Files, pinned: dict[str, Path]) -> tuple[Files, set[str]]:
    """Return the compiled code of Python files, and the names of those that the first minutes need.

    Where Node is not installed that is {}, as the browser compiles them, and all of them.
    """
    node = shutil.which("node")
    if node is None:
        return {}, set(sources)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name in LOCK["files"]:
            shutil.copy(pinned[name], place)
        with zipfile.ZipFile(place / "in.zip", "w") as archive:
            for name, text in sources.items():
                archive.writestr(zipfile.ZipInfo(name), text)
        script = Path(__file__).with_name("compile.mjs")
        done = subprocess.run(
            [node, script, place, place / "in.zip", place / "out.zip"], check=True, capture_output=True
        )
        with zipfile.ZipFile(place / "out.zip") as archive:
            compiled = {name: archive.read(name) for name in archive.namelist()}
    return compiled, set(json.loads(done.stdout))


def _join(tree: Files) -> bytes:
    """Return files as one: the length of the list of paths and sizes, the list, the contents (`offline_worker.js`)."""
    listed = json.dumps([[f"{ROOT}/{name}", len(content)] for name, content in tree.items()]).encode()
    return len(listed).to_bytes(4, "big") + listed + b"".join(tree.values())


def pack(content: bytes) -> bytes:
    """Return content as `offline_unpack.js` unpacks it: its size, and the LZMA of it."""
    return len(content).to_bytes(4, "big") + lzma.compress(content, lzma.FORMAT_RAW, filters=[PACKING])


def packed_machine(file: Path) -> bytes:
    """Return the machine packed, from the cache if it is there: that takes ten seconds."""
    kept = cache_folder() / f"{file.name}.packed"
    if not kept.is_file():
        _keep(kept, pack(file.read_bytes()))
    return kept.read_bytes()


def _keep(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with replacing(file) as draft:
        draft.write(content)


def _folder(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


# what is written around it


SAYS = {  # over a page, by the names in `offline_shell.js`
    "waits": p.LOADING_OFFLINE,
    "failed": p.NOT_KEPT_OFFLINE,
    "forbidden": p.PYTHON_FORBIDDEN,
    "wrong": p.PAGE_FAILED,
    "full": p.STORAGE_FULL,
    "full-button": p.SAVE_GAME,
    "elsewhere": p.OPEN_ELSEWHERE,
    "stopped": p.GAMES_STOPPED,
    "stopped-button": p.GO_ON_HERE,
    "newer": p.NEWER_VERSION,
    "newer-button": p.GO_ON_HERE,
    "file": p.NEEDS_HOST,
    "window": p.NEEDS_WINDOW,
    "browser": p.NEEDS_BROWSER,
    "elsewhere-button": p.GO_ON_HERE,
}


def shell(drawn: Iterable[str], size: int, version: str, first: Sequence[object]) -> str:
    """Return the page in whose frame all others are shown."""
    says = {name: {lang: text[lang] for lang in LANGUAGES} for name, text in SAYS.items()}
    rules = "".join(
        f'<li><a href="{RULES}/{id}.html">{escape(Game(id).words.TITLE.en)}</a></li>' for id in games()
    )
    return f"""<!doctype html>
<html lang="en" data-languages="{" ".join(LANGUAGES)}" data-drawn="{" ".join(drawn)}"
 data-bytes="{size}" data-version="{version}" data-home="">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(p.NAME.en)}</title>
<meta name="description" content="{escape(p.INTRO_ALONE.en)}">
<link rel="icon" href="{version}/static/icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="{version}/static/touch.png">
<link rel="manifest" href="manifest.webmanifest">
<link rel="stylesheet" href="{version}/static/offline.css">
<script type="application/json" id="says">{_json(says)}</script>
<script type="application/json" id="first">{_json(first)}</script>
<link rel="modulepreload" href="{version}/static/offline_shell.js">
</head>
<body>
<progress max="1" value="0" aria-label="{escape(p.LOADING_OFFLINE.en)}"></progress>
<p id="wait" role="status" hidden></p>
<script src="{version}/static/offline_needs.js"></script>
<noscript><h1>{escape(p.NAME.en)}</h1><p>{escape(p.NEEDS_SCRIPTS.en)}</p><ul>{rules}</ul></noscript>
</body>
</html>
"""


def _json(content: object) -> str:
    """Return JSON that stands in a script element."""
    return json.dumps(content, ensure_ascii=False).replace("<", "\\u003c")


def manifest(version: str) -> dict[str, object]:
    """Return what a browser needs to install the folder, wherever it lies."""
    return {
        "name": p.NAME.en,
        "description": p.INTRO_ALONE.en,
        "start_url": ".",
        "scope": ".",
        "display": "standalone",
        "background_color": LIGHT["paper"],
        "theme_color": LIGHT["paper"],
        "icons": [
            {"src": f"{version}/static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
            *(
                {
                    "src": f"{version}/static/icon-{size}.png",
                    "sizes": f"{size}x{size}",
                    "type": "image/png",
                    "purpose": "any maskable",
                }
                for size in (192, 512)
            ),
        ],
    }


def licences() -> str:
    """Return the names, versions and licences of all software in the folder."""
    lines = [
        f"Small Change {__version__}: MIT",
        f"Pyodide {LOCK['pyodide']}: MPL-2.0, its source is that of the npm package",
    ]
    lines.append("CPython 3.14, within Pyodide: PSF-2.0")
    for name in ("babel", "jinja2", "markupsafe", "msgspec"):
        about = distribution(name)
        text = "".join(
            file.read_text() for file in about.files or () if file.name.upper().startswith("LICENSE")
        )
        lines += ["", f"{about.name} {about.version}", text]
    return "\n".join(lines) + "\n"
