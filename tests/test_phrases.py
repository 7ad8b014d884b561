"""What people read is written once, so that it is said alike everywhere."""

import ast
from collections import Counter
from pathlib import Path

import smallchange

SOURCES = Path(smallchange.__file__).parent


def test_no_phrase_outside_the_games_stands_twice() -> None:
    said: Counter[str] = Counter()
    for file in SOURCES.rglob("*.py"):
        if "games" not in file.parts:
            said.update(phrases(ast.parse(file.read_text(encoding="utf-8"))))
    assert len(said) > 100
    assert [phrase for phrase, n in said.items() if n > 1] == []


def phrases(code: ast.Module) -> list[str]:
    """The English of every Text that is written out, without its full stop."""
    found = []
    for node in ast.walk(code):
        match node:
            case ast.Call(func=ast.Name("Text"), args=[ast.Constant(str(english)), ast.Constant()]) if (
                english
            ):
                found.append(english.lower().replace("’", "'").rstrip("."))
    return found
