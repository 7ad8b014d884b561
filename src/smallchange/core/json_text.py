"""JSON from outside: any fault in it is a ValueError."""

from __future__ import annotations

import json
from typing import Any


def read_json(text: str | bytes, **hooks: Any) -> Any:
    """Return a text of JSON as plain data. ValueError where it is none, has too long a number, or nests too deep.

    >>> read_json("[" * 100_000)
    Traceback (most recent call last):
    ValueError: there are too many lists within lists
    """
    try:
        return json.loads(text, **hooks)
    except RecursionError:
        raise ValueError("there are too many lists within lists") from None
