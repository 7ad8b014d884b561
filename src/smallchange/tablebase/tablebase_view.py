"""The view of a tablebase in which compiled code looks positions up."""

from __future__ import annotations

import numpy as np

from smallchange.engine.kernels.tablebase_probe import TablebaseView

from .table import PliesTable, layout


def tablebase_view(table: PliesTable) -> TablebaseView:
    """Return the arrays that `kernels/tablebase_probe.py` reads; the codes stay on disk until they are read."""
    header = table.header
    begin, end, stop = layout(header)
    body = table.body
    return TablebaseView(
        np.frombuffer(body[:begin], np.uint8),
        header["bits"],
        np.array([*header["values"], table.positions], np.int64),
        np.frombuffer(body[begin:end], "<u4").astype(np.uint32),
        np.frombuffer(body[end:stop], "<i2").astype(np.int16),
    )
