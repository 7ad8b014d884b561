"""Each phrase on a page is written once, so that it is the same everywhere."""

import ast
from collections import Counter
from pathlib import Path

from jinja2 import Environment, nodes

import smallchange

SOURCES = Path(smallchange.__file__).parent


def test_no_phrase_outside_the_games_stands_twice() -> None:
    said: Counter[str] = Counter()
    for file in SOURCES.rglob("*.py"):
        if not {"games", "template"} & {*file.parts}:
            said.update(phrases(ast.parse(file.read_text(encoding="utf-8"))))
    for file in SOURCES.rglob("*.html"):
        said.update(phrases_of_template(file.read_text(encoding="utf-8")))
    assert len(said) > 700
    assert [phrase for phrase, n in said.items() if n > 1] == []


def test_no_name_is_given_to_two_things() -> None:
    """Else a page would say the later phrase in the place of the earlier one."""
    twice = []
    for file in SOURCES.rglob("*.py"):
        names = Counter(
            target.id
            for node in ast.parse(file.read_text(encoding="utf-8")).body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        )
        twice += [f"{file.name}: {name}" for name, n in names.items() if n > 1]
    assert twice == []


def phrases(code: ast.Module) -> list[str]:
    """Return the English of every Text that is written out, comparable."""
    found = []
    for node in ast.walk(code):
        match node:
            case ast.Call(func=ast.Name("Text"), args=[ast.Constant(str(english))]):
                found.append(comparable(english))
    return found


def phrases_of_template(source: str) -> list[str]:
    """Return the English of every phrase of a template, comparable."""
    found = []
    for call in Environment().parse(source).find_all(nodes.Call):
        match call:
            case nodes.Call(node=nodes.Name(name="say" | "Text"), args=[nodes.Const(value=str(english))]):
                found.append(comparable(english))
    return found


def comparable(english: str) -> str:
    """Return a phrase in small letters and without its full stop."""
    return english.lower().replace("’", "'").rstrip(".")
