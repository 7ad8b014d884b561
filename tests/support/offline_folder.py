"""The folder that plays without a server, built once for a run of tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from smallchange.server.offline.folder import build
from smallchange.server.offline.runtime import LOCK

PYODIDE = (
    Path(__file__).parents[2] / "tools" / "js" / "node_modules" / "pyodide"
)  # as scripts/install puts it


def build_folder(folder: Path) -> list[Path]:
    """Build the folder, and return its files. Skip the test where the runtime is not installed."""
    if not all((PYODIDE / name).is_file() for name in LOCK["files"]):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no pyodide here; scripts/install gets it")
    return build(folder, PYODIDE)
