"""Finished levels of a solve that goes on: one file each, there whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from smallchange.files import replacing

DIGEST = 32  # bytes of SHA-256


class Parts:
    """A folder with the finished levels of one solve, which `key` tells apart from all others."""

    def __init__(self, folder: Path, key: str) -> None:
        self.folder = folder
        self.key = key.encode()
        folder.mkdir(parents=True, exist_ok=True)

    def keep(self, level: int, values: Any) -> None:
        """Write the values of a level, int16[n], so that a crash leaves the whole file or none."""
        content = values.tobytes()
        with replacing(self._file(level)) as out:
            out.write(self._digest(level, content))
            out.write(content)

    def recall(self, level: int, n: int) -> Any | None:
        """The n values of a level, or None where they are not there, or not whole, or another solve's."""
        try:
            content = self._file(level).read_bytes()
        except FileNotFoundError:
            return None
        values = content[DIGEST:]
        if content[:DIGEST] != self._digest(level, values) or len(values) != 2 * n:
            return None
        return np.frombuffer(values, np.int16)

    def remove(self) -> None:
        """The solve is done: away with its levels."""
        with contextlib.suppress(OSError):
            shutil.rmtree(self.folder)

    def _file(self, level: int) -> Path:
        return self.folder / f"level-{level:03}"

    def _digest(self, level: int, content: bytes) -> bytes:
        return hashlib.sha256(self.key + b"\0%d\0" % level + content).digest()
