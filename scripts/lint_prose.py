"""Report names and prose that are hard to read, one fault a line; exit with 1 if there are any.

Ruff's pydocstyle rules check the form of a docstring. This script checks the rest:

- a docstring starts with a verb in the imperative or a noun, not with "What", "Who" or "How";
- a sentence in a docstring, a help text, a phrase or a page has a noun as its subject, not "What .." or "Whoever ..";
- a function is named by a verb or a noun, not by a participle alone ("told", "opened");
- a module's name says what is in it;
- a file that a docstring, a comment or a page names is there.

The docstring of a test may be any sentence.

Usage: python scripts/lint_prose.py [PATH ...]
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOTS = ("src", "bench", "research", "scripts", "examples", "tests", "docs", "README.md", "CONTRIBUTING.md")
KEPT_AS_THEY_WERE = {"lab-log.md"}  # the entries keep the words of their day
OPENING = re.compile(r"(What|Who|Whoever|Whom|Whose|How|Whether|Where|Of|None|Such)\b")
SUBJECT = re.compile(
    r"(?:(?<=[.:!?] )|^)(What|Whatever|Who|Whoever|Whose) [^.?!:]{8,}(?=\.(?: |$))", re.MULTILINE
)
IRREGULAR = re.compile(
    r"(alike|begun|brought|built|chosen|come|dealt|drawn|due|fallen|found|given|gone|grown|heard|held|kept|"
    r"known|laid|led|left|lost|lying|made|met|put|said|sat|seen|sent|shown|sought|spent|standing|stood|"
    r"sworn|taken|taught|thought|thrown|told|worth|woven|written)"
)
NOUNS = {"played", "feed", "need", "seed", "speed", "bed", "indeed"}
PHRASES = {"Text", "Plural"}  # what a player reads
EMPTY_NAMES = {"util", "utils", "helper", "helpers", "common", "misc", "manager"}
NAMED_FILE = re.compile(r"(?<![\w*<{])[\w./-]*[a-z0-9_]\.(?:py|md|js|css|toml|ya?ml)\b(?![*>(])")
NOT_OURS = {"Node.js"}
SKIPPED = {"node_modules", "__pycache__"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def file_ends() -> set[str]:
    """Return the ways in which a file of the repository is named: its path, and each end of that."""
    top = [path for path in Path().iterdir() if not path.name.startswith(".")]
    found = [file for path in top for file in (path, *path.rglob("*")) if not SKIPPED & {*file.parts}]
    return {"/".join(file.parts[i:]) for file in found for i in range(len(file.parts))}


def lint_files(path: Path, line: int, text: str) -> Iterator[str]:
    """Yield the names of files in a text that are nowhere; a name in capitals stands for any."""
    for found in NAMED_FILE.finditer(text):
        name = re.sub(r"^[./]+", "", found[0])
        if name not in file_ends() | NOT_OURS and not re.search("[A-Z]{2}", name):
            yield f"{path}:{line}: there is no file {name}"


def lint(path: Path) -> Iterator[str]:
    """Yield the faults of one file as "PATH:LINE: FAULT"."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield from lint_page(path, text)
        for number, code in enumerate(text.split("\n"), 1):
            for span in re.findall("`[^`]+`", code):
                yield from lint_files(path, number, span)
        return
    for number, comment in enumerate(text.split("\n"), 1):
        if marked := re.search(r"# .*", comment):
            yield from lint_files(path, number, marked[0])
    if path.stem in EMPTY_NAMES:
        yield f"{path}:1: the name {path.stem!r} does not say what is in the file"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.keyword) and node.arg == "help" and isinstance(node.value, ast.Constant):
            yield from lint_sentences(path, node.value.lineno, str(node.value.value))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in PHRASES:
            for phrase in node.args:
                if isinstance(phrase, ast.Constant) and isinstance(phrase.value, str):
                    yield from lint_sentences(path, phrase.lineno, phrase.value)
        if isinstance(node, ast.Module | ast.ClassDef | Function):
            yield from lint_definition(path, node)


def lint_definition(path: Path, node: ast.Module | ast.ClassDef | Function) -> Iterator[str]:
    """Yield the faults of a name and its docstring."""
    line = getattr(node, "lineno", 1)
    if isinstance(node, Function):
        if node.name.startswith("test_"):
            return
        name = node.name.lstrip("_")
        is_participle = IRREGULAR.fullmatch(name) or (re.fullmatch("[a-z]+ed", name) and name not in NOUNS)
        is_fixture = any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list)
        if is_participle and not is_fixture:
            yield f"{path}:{line}: the function {node.name!r} is named by a participle: use a verb or a noun"
    doc = ast.get_docstring(node) or ""
    if opening := OPENING.match(doc):
        yield f"{path}:{line}: the docstring starts with {opening[0]!r}: say in the imperative what it does"
    yield from lint_sentences(path, line, doc)
    yield from lint_files(path, line, doc)


def lint_page(path: Path, text: str) -> Iterator[str]:
    """Yield the faults of a page of documentation, without its code, tables and lists."""
    text = re.sub(r"```.*?```", lambda code: "\n" * code[0].count("\n"), text, flags=re.DOTALL)
    line = 1
    for paragraph in re.split(r"(\n(?=\n|[-#|*>]|\d+\. ))", text):
        yield from lint_sentences(path, line + paragraph.startswith("\n"), paragraph)
        line += paragraph.count("\n")


def lint_sentences(path: Path, line: int, text: str) -> Iterator[str]:
    """Yield the sentences that have a clause in the place of their subject."""
    for found in SUBJECT.finditer(" ".join(text.split())):
        yield f"{path}:{line}: make a noun the subject: {found[0]!r:.60}"


def files(root: Path) -> list[Path]:
    """Return the files of a root that are linted: Python, and pages that are no rulebooks."""
    if root.is_file():
        return [root]
    return sorted(
        path
        for path in root.rglob("*")
        if path.suffix in (".py", ".md")
        and "rulebook" not in path.name
        and path.name not in KEPT_AS_THEY_WERE
    )


def main(arguments: list[str]) -> int:
    """Lint the given paths, by default the whole repository."""
    faults = [fault for root in arguments or ROOTS for file in files(Path(root)) for fault in lint(file)]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
