"""Where things are kept between runs, on whatever system this is."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """Games and tables: SMALLCHANGE_DATA, or the user's data directory. It may not exist yet."""
    asked = os.environ.get("SMALLCHANGE_DATA")
    return Path(asked) if asked else platformdirs.user_data_path("smallchange", appauthor=False)
