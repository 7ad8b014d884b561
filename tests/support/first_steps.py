"""The pages of first steps, with their commands and programs."""

from __future__ import annotations

import re
from pathlib import Path

PAGES = sorted((Path(__file__).parents[2] / "docs" / "first-steps").glob("*.md"))
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs(page: Path) -> dict[str, str]:
    """Return the programs of a page by the names in their first lines."""
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    return {text.split("\n", 1)[0].removeprefix("# "): text for kind, text in blocks if kind == "python"}
