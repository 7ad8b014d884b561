"""A match that has ended has its record for good, also when its rules are no longer played."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from .serving import Person, serving
from .tables import table_for_two, under_way, write


@pytest.mark.parametrize("change", ["game = 'chess'", "options = '{\"size\": 99}'", "version = 99"])
def test_the_record_outlives_the_rules(tmp_path: Path, change: str) -> None:
    with serving(tmp_path) as served, Person(served) as ann, Person(served) as bo:
        over, going = table_for_two(ann, bo, name="<b>Ann</b>"), under_way(served, ann)
        ann.command(over, "resign", 1)
        written = ann.web.get(f"/m/{over}/record.txt").text
        write(served, f"UPDATE match SET {change}")
    with serving(tmp_path) as served, Person(served) as other:
        page = other.web.get(f"/m/{over}")
        shown = re.search("<pre.*?>(.*?)</pre>", page.text, re.DOTALL)
        assert page.status_code == 200
        assert shown is not None
        assert unescape(shown[1]).strip() == written.strip()
        assert "<b>Ann" not in page.text
        for path in (f"/m/{over}/record.txt", f"/api/matches/{over}/record.txt"):
            assert other.web.get(path).text == written
        for path in (f"/m/{going}", f"/m/{going}/record.txt", f"/m/{over}/review"):
            assert other.web.get(path).status_code == 410, "it has not ended, or needs the rules"
        assert other.web.get("/m/none").status_code == 404
        for lang, said in ("en", "version 99 of its rules"), ("de", "Version 99"), ("ja", "第99版"):
            assert (said in other.web.get(f"/m/{going}?lang={lang}").text) == ("version" in change)
