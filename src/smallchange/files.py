"""Files that are whole at every moment: the old one, or the new one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def replacing(path: Path) -> Iterator[Any]:
    """A file to write that takes the place of `path` when it is whole, and on disk.

    Its draft, beside it, is gone afterwards, whatever happens; an OSError names `path`. Links are followed,
    and what is no file, as /dev/null, is written to as it is.
    """
    with naming(path):
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                yield device
            return
        target = Path(os.path.realpath(path))
        part = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            with part.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """An OSError within names `path`, whatever draft of it was written."""
    try:
        yield
    except OSError as wrong:
        raise OSError(wrong.errno, wrong.strerror or str(wrong), str(path)) from wrong
