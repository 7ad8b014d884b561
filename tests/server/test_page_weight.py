"""The first page and a table's page are light, with all that a browser loads for them."""

from __future__ import annotations

import re

import pytest

from .serving import Person
from .tables import PAIR

LOADED = re.compile(
    r'<(?:link rel="(?:stylesheet|preload|icon)"|script type="module") (?:href|src)="([^"]+)"'
)
IMPORTED = re.compile(r'^import [^;]*?"\./([^"]+)"', re.MULTILINE)
LINE_END = 2  # bytes, after each header, its name and value being parted by two more


@pytest.mark.parametrize(("of", "most"), [("first", 51_000), ("table", 81_500)])
def test_a_page_and_what_it_loads_are_light(ann: Person, of: str, most: int) -> None:
    waiting = ["/" if of == "first" else f"/m/{ann.open(PAIR)}"]
    sizes: dict[str, int] = {}
    while waiting:
        path = waiting.pop()
        if path in sizes:
            continue
        answer = ann.web.get(path, headers={"Accept-Encoding": "gzip"})
        headers = sum(len(name) + len(value) + 2 + LINE_END for name, value in answer.headers.items())
        sizes[path] = headers + answer.num_bytes_downloaded
        if path.endswith(".js"):
            waiting += [f"/static/{name}" for name in IMPORTED.findall(answer.text)]
        elif not path.startswith("/static/"):
            waiting += LOADED.findall(answer.text)
    assert sum(sizes.values()) <= most, sorted(sizes.items(), key=lambda one: -one[1])
