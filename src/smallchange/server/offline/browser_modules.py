"""The modules of the package as a browser gets them: lightened, and with stand-ins for what is large or not there.

The modules are those that `local_table.py` needs. Any other name that is imported fails only where it is used.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from gettext import GNUTranslations
from pathlib import Path
from typing import Any

from smallchange.core.game import Game, games
from smallchange.i18n.catalogues import LANGUAGES, SOURCE, catalogue

PACKAGE = Path(__file__).parents[2]  # the folder of `smallchange`
ENTRY = "smallchange.server.offline.local_table"
GAMES = "smallchange.games"
TRANSLATED = re.compile(
    r"smallchange\.(core\.(?!copied_text$|game_places$|protocols$)|render\.|i18n\.(text|labels)$|games\.\w+\.(?!ai|tests)"
    r"|server\.offline\.|server\.(table|web)\.(?!options$|documents$|embedding$|measured_odds$|board_pictures$))"
)
STAND_INS = {
    "typing": "typed_classes",
    "dataclasses": "typed_classes",
    "msgspec": "typed_classes",
    **dict.fromkeys(("collections", "contextlib", "copy", "enum", "html", "importlib"), "library"),
    **dict.fromkeys(("itertools", "operator"), "library"),
    "collections.abc": "typed_classes",
    "functools": "caches",
    "hmac": "digests",
    "pathlib": "files",
    "smallchange.core.game_places": "game_places",
    "smallchange.i18n.catalogues": "translations",
    "smallchange.bots": "answers",
    "smallchange.server.table.documents": "answers",
    "smallchange.server.table.measured_odds": "answers",
}
LIBRARY = ("hashlib", "json", "math", "re")  # of Brython's own library
ENUM = """
IntFlag = KEEP = None
def global_enum(cls):
    return cls
def _simple_enum(base, boundary):
    return global_enum
"""  # what Brython's `re` needs of `enum`, which is large
MISSING = """
class _Missing:
    def __init__(self, name):
        self.name = name
    def __getitem__(self, key):
        return self
    def __or__(self, other):
        return self
    __ror__ = __or__
    def __call__(self, *given, **named):
        raise NotImplementedError(self.name + " is not there without a connection")
    def __getattr__(self, name):
        raise NotImplementedError(self.name + " is not there without a connection")
"""


@cache
def playable_games() -> tuple[str, ...]:
    """Return the games for one, sorted by id."""
    return tuple(id for id in games() if len(Game(id).seats) == 1)


def own_modules() -> dict[str, list[Any]]:
    """Return the modules of the package and their stand-ins, as Brython keeps them: kind, text, imports."""
    texts: dict[str, str] = {}
    wanted: dict[str, set[str]] = {}
    todo = [ENTRY, *_game_modules()]
    while todo:
        name = todo.pop()
        if name in texts:
            continue
        tree = _lighten(ast.parse(_file(name).read_text(encoding="utf-8")))
        for module, names in _imports(tree, name):
            if TRANSLATED.match(module) and _file(module).is_file():
                todo.append(module)
            elif module not in LIBRARY:  # of what has a stand-in
                wanted.setdefault(module, set()).update(names)
        texts[name] = ast.unparse(tree)
    strings = _strings(texts.values())
    modules: dict[str, list[Any]] = {name: [".py", text, []] for name, text in texts.items()}
    names_there = {_name_there(module): module for module in STAND_INS}
    for module, lacking in wanted.items():
        modules[module] = [".py", _stand_in(names_there.get(module, module), lacking, texts, strings), []]
    modules["enum"] = [".py", ENUM, []]
    packages = {name.rpartition(".")[0] for name in modules if "." in name}
    packages |= {package.rpartition(".")[0] for package in packages} - {""}
    for package in packages | {"smallchange", "smallchange.server"}:
        if not package.startswith("smallchange"):
            continue
        text = modules[package][1] if package in modules else ""
        path = f"\n__path__ = ['/{package.replace('.', '/')}']\n" if package == GAMES else ""
        modules[package] = [".py", text + path, [], True]
    return modules


def _file(module: str) -> Path:
    return PACKAGE.parent / (module.replace(".", "/") + ".py")


def _game_modules() -> Iterator[str]:
    for id in playable_games():
        folder = Game(id).folder
        for file in folder.glob("*.py"):
            if file.stem not in ("__init__", "guide", "presets", "piecepack", "reference", "invariants"):
                yield f"{GAMES}.{folder.name}.{file.stem}"


def _imports(tree: ast.Module, name: str) -> Iterator[tuple[str, list[str]]]:
    """Yield what a module imports at its top: modules, each with the names that are taken from it."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = name.split(".")[: -node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                inside = f"{base}.{alias.name}"
                if _file(inside).is_file():
                    yield inside, []
                else:
                    yield base, [alias.name]


def _strings(texts: Iterable[str]) -> set[str]:
    """Return all texts that stand in these modules."""
    found = set()
    for text in texts:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return found


def _stand_in(module: str, names: set[str], texts: dict[str, str], strings: set[str]) -> str:
    """Return the text of a module's stand-in, where every name is that is imported from it."""
    if module not in STAND_INS:
        text, has = "", set()
    else:
        file = Path(__file__).parent / "stand_ins" / f"{STAND_INS[module]}.py"
        tree = _lighten(ast.parse(file.read_text(encoding="utf-8")))
        tree.body = [node for node in tree.body if not isinstance(node, ast.ImportFrom)]  # for types
        text = ast.unparse(tree)
        has = _top_names(tree)
        if module == "pathlib":
            text = text.replace("FILES = {}", f"FILES = {_files(texts)!r}")
        if module == "smallchange.i18n.catalogues":
            text = text.replace("CATALOGUES = {}", f"CATALOGUES = {_catalogues(strings)!r}")
    lacking = sorted(names - has)
    if lacking:
        text += MISSING + "\n".join(f"{name} = _Missing({f'{module}.{name}'!r})" for name in lacking) + "\n"
    return text


def _top_names(tree: ast.Module) -> set[str]:
    """Return the names that a module gives to something at its top."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return found


def _files(texts: dict[str, str]) -> dict[str, str]:
    """Return the files that the package looks for, by path; the text of those that it reads."""
    found = {"/" + module.replace(".", "/") + ".py": "" for module in texts}
    for id in playable_games():
        folder = "/smallchange/games/" + Game(id).folder.name
        found |= {f"{folder}/rulebook.en.md": "", f"{folder}/ai/heuristic.py": ""}
    shapes = "render/shapes.svg"
    return found | {f"/smallchange/{shapes}": (PACKAGE / shapes).read_text(encoding="utf-8")}


def _catalogues(strings: set[str]) -> dict[str, dict[str, Any]]:
    """Return the translations of the phrases that stand in the modules."""
    found = {}
    for lang in LANGUAGES:
        if lang == SOURCE:
            continue
        phrases: dict[str, str] = {}
        plurals: dict[str, dict[int, str]] = {}
        translations: Any = catalogue(lang)
        plural = translations.plural
        while isinstance(translations, GNUTranslations):
            for key, said in translations._catalog.items():  # type: ignore[attr-defined]
                message = key[0] if isinstance(key, tuple) else key
                if message.rpartition("\x04")[2] not in strings or not message:
                    continue
                if isinstance(key, tuple):
                    plurals.setdefault(message, {}).setdefault(key[1], said)
                else:
                    phrases.setdefault(key, said)
            translations = translations._fallback  # type: ignore[attr-defined]
        found[lang] = {
            "phrases": phrases,
            "plurals": {key: [forms[i] for i in sorted(forms)] for key, forms in plurals.items()},
            "forms": [plural(n) for n in range(200)],
        }
    return found


class _Lightened(ast.NodeTransformer):
    """Leaves out what does nothing when a program runs: annotations, docstrings, imports for types."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.returns = None
        for argument in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
            argument.annotation = None
        for rest in (node.args.vararg, node.args.kwarg):
            if rest:
                rest.annotation = None
        node.body = _without_docstring(node.body)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        names = []
        for part in node.body:
            if not isinstance(part, ast.AnnAssign) or not isinstance(part.target, ast.Name):
                continue
            if not ast.unparse(part.annotation).startswith("ClassVar"):
                names.append(part.target.id)
        self.generic_visit(node)
        node.body = _without_docstring(node.body)
        if names:
            node.body.insert(0, ast.parse(f"__fields__ = {tuple(names)!r}").body[0])
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.generic_visit(node)
        if node.value is None:
            return None
        return ast.Assign([node.target], node.value)

    def visit_If(self, node: ast.If) -> ast.AST | None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return None
        return self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        if node.module == "__future__":
            return None
        node.module = _name_there(node.module) if node.module and not node.level else node.module
        return node

    def visit_Import(self, node: ast.Import) -> ast.AST:
        for alias in node.names:
            there = _name_there(alias.name)
            if there != alias.name:
                alias.name, alias.asname = there, alias.asname or alias.name
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST | None:
        return None


def _name_there(module: str) -> str:
    """Return the name of a module in the browser: one that is not of Brython's library has a name of its own."""
    if module in LIBRARY or module.startswith("smallchange"):
        return module
    return "instead_of_" + module.replace(".", "_")


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        body = body[1:]
    return body or [ast.Pass()]


def _lighten(tree: ast.Module) -> ast.Module:
    light = _Lightened().visit(tree)
    light.body = _without_docstring(light.body)
    return ast.fix_missing_locations(light)  # type: ignore[no-any-return]
