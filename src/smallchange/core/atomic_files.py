"""Files that are whole at every moment: the old one, or the new one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE
from typing import Any

DRAFT_NAME_BYTES = 200  # of the target's name at most; file systems allow 255 with what is added


@contextmanager
def replacing(path: Path) -> Iterator[Any]:
    """Yield a file to write that takes the place of `path` when it is whole, and on disk.

    The draft lies beside it and is removed, whatever happens. An existing file keeps its mode; a new one gets
    the mode that the umask allows. An OSError names `path`. Links are followed. A path that is no regular
    file, as /dev/null, is written to as it is.
    """
    with naming(path):
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                yield device
            return
        target = Path(os.path.realpath(path))
        mode = S_IMODE(target.stat().st_mode) if target.exists() else None
        draft = _draft_path(target)
        try:
            # private until it has the mode of the file that it replaces
            number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666 if mode is None else 0o600)
            with open(number, "wb") as file:
                if mode is not None:
                    os.chmod(draft, mode)
                yield file
                file.flush()
                os.fsync(file.fileno())
            take_place(draft, target)
        finally:
            draft.unlink(missing_ok=True)


def take_place(draft: Path, target: Path, wait: Callable[[float], None] = time.sleep) -> None:
    """Move a draft over its target. Windows refuses that while another program reads the target: try for a second."""
    for pause_s in (0.1, 0.3, 0.6):
        with suppress(PermissionError):
            draft.replace(target)
            return
        wait(pause_s)
    draft.replace(target)


def _draft_path(target: Path) -> Path:
    """Return the path of a draft beside the target, with a name that is no longer than file systems allow."""
    stem = target.name
    while len(os.fsencode(stem)) > DRAFT_NAME_BYTES:
        stem = stem[:-1]
    return target.with_name(f"{stem}.{os.getpid()}.part")


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an OSError inside name `path`, whatever draft of it was written."""
    try:
        yield
    except OSError as wrong:
        raise OSError(wrong.errno, wrong.strerror or str(wrong), str(path)) from wrong
