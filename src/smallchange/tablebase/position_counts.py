"""The numbers of positions of a table that are won, drawn and lost."""

from __future__ import annotations

import numpy as np

from .solve import Counts
from .table import NOBODY, PliesTable, Table
from .table_writer import read_values


def counts_of(table: Table) -> Counts:
    """Count the positions that a table holds, for one player to move; the other has as many."""
    if isinstance(table, PliesTable):
        values = read_values(table)
        ended = int(np.count_nonzero(values == NOBODY))
        won = int(np.count_nonzero(values > 0)) - ended
        return Counts(won, int(np.count_nonzero(values == 0)), int(np.count_nonzero(values < 0)), ended)
    blocks = [block for section in table.header["diagonals"] for block in section["blocks"]]
    return Counts(*(sum(block[name] for block in blocks) for name in Counts._fields))
