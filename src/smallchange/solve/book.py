"""A table in the form in which compiled code looks it up."""

from __future__ import annotations

import numpy as np

from smallchange.fast.deepen import Book

from .table import Table, layout


def as_book(table: Table) -> Book:
    """The arrays of `fast/stored.py`; the codes stay on disk until they are read."""
    header = table.header
    begin, end, stop = layout(header)
    body = table.body
    return Book(
        np.frombuffer(body[:begin], np.uint8),
        header["bits"],
        np.array([*header["values"], table.positions], np.int64),
        np.frombuffer(body[begin:end], "<u4").astype(np.uint32),
        np.frombuffer(body[end:stop], "<i2").astype(np.int16),
    )
