"""Reference sheets as plain data: pictures with words, which a page draws."""

from __future__ import annotations

from dataclasses import dataclass

from smallchange.i18n.text import Text

from .scene import Piece, Spot

__all__ = ["Row", "Sheet"]


@dataclass(frozen=True, slots=True)
class Row:
    """A picture and its text under each column.

    The picture shows `spots` of the table with the pieces there now, or `pieces` side by side.
    """

    name: Text
    texts: tuple[Text, ...]
    spots: tuple[Spot, ...] = ()
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows under a title; `columns` are the headings, () for none."""

    title: Text
    rows: tuple[Row, ...]
    columns: tuple[Text, ...] = ()
    about: Text | None = None
