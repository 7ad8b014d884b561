"""Every phrase is filled whole where it is filled, and every refusal says what its sentence asks for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import smallchange
from smallchange.i18n.text import Plural, Text
from smallchange.server.web.errors import ErrorCode

SOURCE = Path(smallchange.__file__).parent
FILLED_LATER = {ErrorCode.BAD_SEATS: {"why"}}  # by `refusal_text`


def braces(*messages: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", "".join(messages)))


def incomplete(path: Path) -> Iterator[str]:
    """Yield what in a file fills a phrase without all of its braces."""
    text = path.read_text("utf-8")
    if ".fill(" not in text and "Refused(" not in text:
        return
    module = import_module(".".join(path.relative_to(SOURCE.parent).with_suffix("").parts))
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or any(given.arg is None for given in node.keywords):
            continue
        given = {str(keyword.arg) for keyword in node.keywords}
        if isinstance(node.func, ast.Attribute) and node.func.attr == "fill":
            phrase = look_up(node.func.value, module)
            if type(phrase) is Text and given != braces(phrase.message):
                yield f"{path.name}:{node.lineno}: {phrase!r}"
            if type(phrase) is Plural and given < braces(phrase.message, phrase.many):
                yield f"{path.name}:{node.lineno}: {phrase!r}"
        elif isinstance(node.func, ast.Name) and node.func.id == "Refused" and node.args:
            code = look_up(node.args[0], module)
            if (
                isinstance(code, ErrorCode)
                and braces(code.text.message) - FILLED_LATER.get(code, set()) > given
            ):
                yield f"{path.name}:{node.lineno}: {code}"


def look_up(node: ast.expr, module: Any) -> Any:
    """Return the value of a name of a module, or of an attribute of one; None for anything else."""
    if isinstance(node, ast.Attribute):
        return getattr(look_up(node.value, module), node.attr, None)
    return vars(module).get(node.id) if isinstance(node, ast.Name) else None


FILES = [path for path in SOURCE.rglob("*.py") if not {"tests", "template", "contract"} & {*path.parts}]


def test_no_phrase_is_filled_in_part() -> None:
    assert [said for path in FILES for said in incomplete(path)] == []
