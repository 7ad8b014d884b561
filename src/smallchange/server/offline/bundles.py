"""Style sheets and modules of pages as few files: each request costs a visit the way there and back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

IMPORT = re.compile(r'^import (?:(?:\* as )?([^"]*?) from )?"\./(\w+)\.js";\n', re.MULTILINE)
CALLED = re.compile(r'import\("\./(\w+)\.js"\)')
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) ([\w$]+))", re.MULTILINE)
LINKED = re.compile(r"/static/([\w-]+)\.(css|js)\b")
BUNDLE = "modules.js"
DEEPER = 'URL("..", import.meta.url)', 'URL("../..", import.meta.url)'  # in the folder of a version


def bundles(static: Path, pieces: bytes, pages: Iterable[str]) -> dict[str, bytes]:
    """Return the style sheets and modules that pages link, by their names below `static`.

    `pieces` is the sheet that is made. Sheets that are named with "-" between are joined. All modules are in one
    file; those of their names lead there.
    """
    linked = {found for page in pages for found in LINKED.findall(page)}
    files = {
        f"{name}.css": b"".join(
            pieces if part == "pieces" else (static / f"{part}.css").read_bytes() for part in name.split("-")
        )
        for name, kind in linked | {("documents", "css")}  # which a module loads
        if kind == "css"
    }
    waiting, sources = {name for name, kind in linked if kind == "js"}, {}
    while waiting:
        name = waiting.pop()
        sources[name] = text = (static / f"{name}.js").read_text(encoding="utf-8")
        waiting |= {found for _, found in IMPORT.findall(text)} | set(CALLED.findall(text))
        waiting -= sources.keys()
    for name, text in sources.items():
        names = ", ".join(EXPORT.findall(text))
        file = f'import {{ load }} from "./{BUNDLE}";\nexport const {{ {names} }} = load("{name}");\n'
        files[f"{name}.js"] = file.encode()
    files[BUNDLE] = "".join(
        (
            "const made = {};\nexport const load = (name) => (made[name] ??= modules[name]());\nconst modules = {\n",
            *(_module(name, text) for name, text in sorted(sources.items())),
            "};\n",
        )
    ).encode()
    return files


def _module(name: str, text: str) -> str:
    """Return a module as a function that runs it and returns what it exports."""
    names = ", ".join(EXPORT.findall(text))
    imported = IMPORT.sub(_load, text).replace(*DEEPER)
    inside = EXPORT.sub("", imported)
    return f"{name}() {{\n{inside}return {{ {names} }};\n}},\n"


def _load(imported: re.Match[str]) -> str:
    names = imported[1] and imported[1].replace(" as ", ": ")
    return f'{f"const {names} = " if names else ""}load("{imported[2]}");\n'
