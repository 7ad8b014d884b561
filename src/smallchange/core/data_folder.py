"""The folders of files that are kept between runs."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """Return SMALLCHANGE_DATA, or the user's data directory. It may not exist yet."""
    if setting := os.environ.get("SMALLCHANGE_DATA"):
        return Path(setting)
    import platformdirs  # where nothing is kept between runs, it is not there

    return platformdirs.user_data_path("smallchange", appauthor=False)


def cache_place() -> Path:
    """Return SMALLCHANGE_CACHE, or the folder of the user for files that can be made again. It may not exist yet."""
    if setting := os.environ.get("SMALLCHANGE_CACHE"):
        return Path(setting).expanduser()
    import platformdirs

    return platformdirs.user_cache_path("smallchange")
