"""Write docs/architecture/*.md: a page per package, with a line for each module, from their docstrings.

Usage: python scripts/architecture.py [--check]

With --check nothing is written; the exit code is 1 where a page differs from the code.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "smallchange"
PAGES = ROOT / "docs" / "architecture"
SKIPPED = {"tests", "migrations", "__pycache__"}


def docstring(file: Path) -> str:
    """Return the docstring of a module, "" where it has none."""
    return ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""


def summary(file: Path) -> str:
    """Return the first sentence of a module's docstring on one line."""
    paragraph = " ".join(docstring(file).split("\n\n")[0].split())
    return paragraph or "(no docstring)"


def table(folder: Path) -> list[str]:
    """Return a table of the modules of one folder."""
    files = [file for file in sorted(folder.glob("*.py")) if file.name != "__init__.py"]
    rows = [f"| [`{file.name}`](../../{file.relative_to(ROOT)}) | {summary(file)} |" for file in files]
    return ["| module | |", "| --- | --- |", *rows, ""] if rows else []


def page(package: Path) -> str:
    """Return the page of a package and of the packages inside it; the games are all alike, so one is shown."""
    lines = [f"# {package.name}", "", "<!-- Written by scripts/architecture.py; do not edit. -->", ""]
    lines += [docstring(package / "__init__.py"), "", *table(package)]
    inner = [
        folder for folder in sorted(package.rglob("*/")) if not SKIPPED & {*folder.relative_to(package).parts}
    ]
    if package.name == "games":
        inner = [folder for folder in inner if folder.relative_to(package).parts[0] == "coin_age"]
    for folder in inner:
        if (folder / "__init__.py").exists():
            about = docstring(folder / "__init__.py")
            lines += [
                f"## {folder.relative_to(package)}",
                "",
                *([about, ""] if about else []),
                *table(folder),
            ]
    return "\n".join(lines).rstrip() + "\n"


def main(arguments: list[str]) -> int:
    """Write or check every page."""
    check, stale = "--check" in arguments, []
    PAGES.mkdir(exist_ok=True)
    for package in sorted(folder.parent for folder in PACKAGE.glob("*/__init__.py")):
        file, text = PAGES / f"{package.name}.md", page(package)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            stale.append(file)
            if not check:
                file.write_text(text, encoding="utf-8")
    if check and stale:
        print(
            f"run python scripts/architecture.py: {', '.join(str(file.relative_to(ROOT)) for file in stale)}"
        )
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
