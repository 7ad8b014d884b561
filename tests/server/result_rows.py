"""Read the rows of result_rows from a page."""

from __future__ import annotations

import re

from tests.server.serving import Person
from tests.server.tables import page_text

Row = tuple[str, str]


def result_rows(person: Person, page: int = 1) -> list[Row]:
    """Return the rows of results: the game, and what is said of it."""
    found = page_text(person.web.get(f"/mine?page={page}").text)
    listed = re.search(r'<ul class="table-rows results".*?</ul>', found, re.DOTALL)
    rows = re.findall(r"<li><b>(.*?)</b>(.*?)<svg", listed[0], re.DOTALL) if listed else []
    return [(title, re.sub(r"<[^>]*>", "", said).strip()) for title, said in rows]
