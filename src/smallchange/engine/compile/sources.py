"""Find the functions and constants that the entry points of some kernels need, in kernels and in a game.

A kernel names by import what it needs; a kernel from elsewhere is named in full, as are its imports. A name from
another kernel module is found there. A name from a module that exists for type checkers only (`calls.pyi`) is the
game's: it is looked for in

1. the file of the game's `ai` folder that stands in for the kernel module with a default of that name,
   or else in that kernel module;
2. `rules.py`;
3. the other files of the game's `ai` folder.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from smallchange.core.errors import RulesError
from smallchange.engine import kernels

from .dialect import check_dialect

KERNELS, OWN = Path(__file__).parents[1] / "kernels", f"{kernels.__name__}."

_parsing = Lock()  # CPython 3.11 counts how deep it is for all threads together (python/cpython#106905)


class Definition(NamedTuple):
    """A function, constant or import of the generated text."""

    name: str  # in the generated text
    node: ast.stmt
    path: Path  # the file it comes from
    label: str  # that file as an error names it
    uses: dict[str, str]  # global names in the node, and their names in the generated text


@dataclass
class Module:
    """The definitions and imports of one file."""

    path: Path
    label: str
    package: str
    is_kernel: bool
    definitions: dict[str, ast.stmt] = field(default_factory=dict)
    bundles: dict[str, ast.ClassDef] = field(default_factory=dict)  # NamedTuples of arrays
    imports: dict[str, ast.ImportFrom] = field(default_factory=dict)


class Sources:
    """The files of one game, and the kernels.

    `folder` is the game's, `package` the name of its package. DialectError where a file of the game that is
    needed is outside the dialect.
    """

    def __init__(self, folder: Path, package: str) -> None:
        self.folder = folder
        self.package = package
        self._model = import_module(f"{package}.model")
        always = [folder / "rules.py", folder / "ai" / "heuristic.py"]
        self._check([path for path in always if path.exists()])
        self.rules: Module = self._game_module("rules.py")
        self._modules: dict[Path, Module] = {self.rules.path: self.rules}
        self._found: dict[tuple[Path, str], Definition] = {}
        self._open: set[tuple[Path, str]] = set()  # what is being added, or has been
        self.bundles: dict[str, ast.ClassDef] = {}  # of the kernels collected last

    def collect(self, kernel_modules: tuple[str, ...]) -> list[Definition]:
        """Return what the entry points of these kernel modules need, each after what it needs itself."""
        self._found, self._open = {}, set()
        for name in kernel_modules:
            module = self._kernel(name)
            for function, node in module.definitions.items():
                if isinstance(node, ast.FunctionDef) and node.decorator_list:
                    self._add(module, function)
        self.bundles = self._find_bundles()
        return self._refuse_two_meanings()

    def _refuse_two_meanings(self) -> list[Definition]:
        """Return each definition once. RulesError for two of one name that differ."""
        first: dict[str, Definition] = {}
        for definition in self._found.values():
            other = first.setdefault(definition.name, definition)
            if other is not definition and ast.dump(other.node) != ast.dump(definition.node):
                raise RulesError(
                    f"{definition.label}:{definition.node.lineno}: the name {definition.name!r} has another "
                    f"meaning in {other.label}"
                )
        return list(first.values())

    def _add(self, module: Module, name: str) -> str:
        """Add a definition and all that it needs; return its name in the generated text."""
        key = module.path, name
        # a kernel's names have an underscore before them, so that a game may use the same ones
        new_name = f"_{name}" if module.is_kernel else name
        if key in self._found or key in self._open:
            return new_name
        self._open.add(key)
        node = module.definitions[name]
        uses = {}
        for used in _global_names(node):
            new = self._resolve(module, used)
            if new is not None and new != used:
                uses[used] = new
        self._found[key] = Definition(new_name, node, module.path, module.label, uses)
        return new_name

    def _find_bundles(self) -> dict[str, ast.ClassDef]:
        """Return the bundles of arrays of all kernel modules that the definitions come from, or their modules use."""
        ahead = [self._modules[path] for path in dict.fromkeys(path for path, _ in self._found)]
        found: dict[str, ast.ClassDef] = {}
        seen: set[Path] = set()
        while ahead:
            module = ahead.pop()
            if module.is_kernel and module.path not in seen:
                seen.add(module.path)
                found |= module.bundles
                used = [self._imported_module(module, statement) for statement in module.imports.values()]
                ahead += [other for other in used if other is not None]
        return found

    def _resolve(self, module: Module, name: str) -> str | None:
        """Find a global name that is used in a module; return its name in the generated text.

        Names of Python and of the runtime are left alone.
        """
        if name in module.definitions:
            return self._add(module, name)
        statement = module.imports.get(name)
        if statement is None:
            return "_entry" if name == "entry" else None
        original = next(a.name for a in statement.names if (a.asname or a.name) == name)
        source = self._imported_module(module, statement)
        if source is not None and original in source.definitions:
            return self._add(source, original)
        if source is None and module.is_kernel and _kernel_named(statement):
            return self._add(self._provider(original, module), original)
        value = getattr(_import(module, statement), original)
        if isinstance(value, (int, tuple)):
            literal = ast.parse(f"{name} = {value!r}").body[0]
            self._found.setdefault(
                (module.path, name), Definition(name, literal, module.path, module.label, {})
            )
            return name
        return "_entry" if original == "entry" else None

    def _imported_module(self, module: Module, statement: ast.ImportFrom) -> Module | None:
        """Return the file that an import names, if it is a file of kernels or of rules."""
        if module.is_kernel:
            name = _kernel_named(statement)
            return self._kernel(name) if (KERNELS / f"{name}.py").exists() else None
        if statement.level == 0 or statement.module is None:
            return None
        folder = module.path.parent if statement.level == 1 else module.path.parent.parent
        path = folder / f"{statement.module.replace('.', '/')}.py"
        if path.name == "model.py" or not path.exists():
            return None
        return self._module(path.relative_to(self.folder).as_posix())

    def _provider(self, name: str, asking: Module) -> Module:
        """Return the module whose definition a kernel gets under a name that is the game's to define."""
        stem = self._default_module(name)
        if stem is not None:
            own = f"ai/{stem}.py"
            module = self._module(own) if (self.folder / own).exists() else self._kernel(stem)
            if name not in module.definitions:
                raise RulesError(f"{module.label}: {name} is missing, which {asking.label} calls")
            return module
        if name in self.rules.definitions:
            return self.rules
        paths = [p for p in sorted(self.folder.glob("ai/*.py")) if name in p.read_text(encoding="utf-8")]
        modules = [self._modules.get(path) or self._game_module(f"ai/{path.name}") for path in paths]
        providers = [module for module in modules if name in module.definitions]
        if len(providers) != 1:
            where = " and ".join(m.label for m in providers) or "neither rules.py nor a file of ai/"
            raise RulesError(f"{self.folder.name}: {where} defines {name}, which {asking.label} calls")
        return self._module(providers[0].path.relative_to(self.folder).as_posix())

    def _default_module(self, name: str) -> str | None:
        """Return the kernel module that has a default for a function of the game, if there is one."""
        for path in sorted(KERNELS.glob("*.py")):
            if f"def {name}(" in path.read_text(encoding="utf-8"):
                module = self._kernel(path.stem)
                if name in module.definitions and _is_default(module):
                    return path.stem
        return None

    def _kernel(self, name: str) -> Module:
        """Return a module of kernels: one of the engine, or another by its full name."""
        package, _, stem = f"{'' if '.' in name else OWN}{name}".rpartition(".")
        path = (
            KERNELS / f"{stem}.py" if package == kernels.__name__ else Path(str(import_module(name).__file__))
        )
        if path not in self._modules:
            label = f"{package.removeprefix('smallchange.').replace('.', '/')}/{stem}.py"
            self._modules[path] = _read(path, label, package, True)
        return self._modules[path]

    def _module(self, file: str) -> Module:
        path = self.folder / file
        if path not in self._modules:
            self._check([path])
            self._modules[path] = self._game_module(file)
        return self._modules[path]

    def _check(self, paths: list[Path]) -> None:
        """Refuse files that are outside the dialect."""
        labels = [f"{self.folder.name}/{path.relative_to(self.folder).as_posix()}" for path in paths]
        check_dialect(list(zip(labels, paths, strict=True)), self._model)

    def _game_module(self, file: str) -> Module:
        package = f"{self.package}.ai" if file.startswith("ai/") else self.package
        return _read(self.folder / file, f"{self.folder.name}/{file}", package, False)


def parse(text: str, path: Path) -> ast.Module:
    """Parse a file's text, one thread at a time. SyntaxError with the file's name."""
    with _parsing:
        return ast.parse(text, str(path))


def _read(path: Path, label: str, package: str, is_kernel: bool) -> Module:
    tree = parse(path.read_text(encoding="utf-8"), path)
    bundles = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    module = Module(path, label, package, is_kernel, dict(_definitions(tree)), bundles)
    for node in ast.walk(tree):  # those for type checkers too
        if isinstance(node, ast.ImportFrom):
            module.imports.update({alias.asname or alias.name: node for alias in node.names})
    return module


def _kernel_named(statement: ast.ImportFrom) -> str:
    """Return the engine's kernel module that an import of a kernel names, or ""."""
    name = statement.module or ""
    return name if statement.level == 1 else name.removeprefix(OWN) if name.startswith(OWN) else ""


def _import(module: Module, statement: ast.ImportFrom) -> object:
    return import_module("." * statement.level + str(statement.module), module.package)


def _definitions(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the constants and functions that a module defines, by name."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name):
                yield name, node
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield name, node
            case ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.expr() as value):
                yield name, _assign(target, value, node)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                for part, value in zip(names, values, strict=True):
                    yield ast.unparse(part), _assign(part, value, node)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=value):  # A, B, C = range(3)
                for i, part in enumerate(names):
                    yield (
                        ast.unparse(part),
                        _assign(part, ast.Subscript(value, ast.Constant(i), ast.Load()), node),
                    )


def _assign(target: ast.expr, value: ast.expr, place: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Assign([target], value), place)


def _is_default(module: Module) -> bool:
    """Return whether a kernel module holds defaults for a game: it has no entry, and needs no other kernel."""
    nodes = module.definitions.values()
    no_entry = all(isinstance(node, ast.FunctionDef) and not node.decorator_list for node in nodes)
    return no_entry and not any(
        node.level == 1 and (KERNELS / f"{node.module}.py").exists() for node in module.imports.values()
    )


def _global_names(node: ast.stmt) -> list[str]:
    """Return the names that a definition reads and does not bind, in order, without those of annotations."""
    local: set[str] = set()
    parts: list[ast.AST] = [node]
    if isinstance(node, ast.FunctionDef):
        local = {arg.arg for arg in node.args.args}
        parts = [*node.decorator_list, *node.body]
    elif isinstance(node, ast.Assign):
        parts = [node.value]
    names = [n for part in parts for n in walk_code(part) if isinstance(n, ast.Name)]
    local |= {n.id for n in names if isinstance(n.ctx, ast.Store)}
    return list(dict.fromkeys(n.id for n in names if n.id not in local))


def walk_code(node: ast.AST) -> Iterator[ast.AST]:
    """Walk a tree without the annotations of its variables."""
    yield node
    for name, value in ast.iter_fields(node):
        if name != "annotation":
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from walk_code(child)
