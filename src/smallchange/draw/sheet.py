"""What a player looks up at the table, as plain data: pictures with words. A page draws them."""

from __future__ import annotations

from dataclasses import dataclass

from smallchange.text import Text

from .table import Piece, Spot


@dataclass(frozen=True, slots=True)
class Row:
    """A picture and what is said to it, under each column. The picture is of `spots` of the table with what
    lies there now, or of `pieces` side by side."""

    name: Text
    texts: tuple[Text, ...]
    spots: tuple[Spot, ...] = ()
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows under a title; `columns` name what is said, () where that needs no name."""

    title: Text
    rows: tuple[Row, ...]
    columns: tuple[Text, ...] = ()
    about: Text | None = None
