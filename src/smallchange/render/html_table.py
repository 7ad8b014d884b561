"""A table as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def table_html(
    head: Sequence[object], rows: Iterable[Sequence[object]], caption: str = "", note: str = ""
) -> str:
    """Return a table with its caption and a note below it; everything is escaped.

    >>> table_html(["bot"], [["<greedy>"]])
    '<table><thead><tr><th>bot</th></tr></thead><tbody><tr><td>&lt;greedy&gt;</td></tr></tbody></table>'
    """
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = "".join(f"<tr>{_cells('td', row)}</tr>" for row in rows)
    below = f"<p>{escape(note)}</p>" if note else ""
    return f"<table>{above}<thead><tr>{_cells('th', head)}</tr></thead><tbody>{body}</tbody></table>{below}"


def _cells(tag: str, row: Sequence[object]) -> str:
    return "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in row)
