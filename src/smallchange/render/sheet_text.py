"""A reference sheet as plain text: a title, a row a line, numbers under their columns."""

from __future__ import annotations

from .reference_sheet import Sheet
from .text_lines import fold
from .text_screen import WIDTH, wide

__all__ = ["sheet_text"]


def sheet_text(sheet: Sheet, lang: str) -> str:
    """Return a sheet as lines of text, at most 80 columns wide where its words allow it.

    `lang` is one of i18n.text.LANGUAGES.
    """
    lines = [sheet.title[lang]]
    if sheet.about:
        lines.append(fold(sheet.about[lang], WIDTH))
    head = [("", *(column[lang] for column in sheet.columns))] if sheet.columns else []
    table = [*head, *((row.name[lang], *(text[lang] for text in row.texts)) for row in sheet.rows)]
    columns = max(map(len, table))
    widths = [max(wide(row[i]) for row in table if len(row) > i) for i in range(columns)]
    for row in table:
        cells = [cell + " " * (widths[i] - wide(cell)) for i, cell in enumerate(row)]
        lines.append("  " + "   ".join(cells).rstrip())
    return "\n".join(lines)
