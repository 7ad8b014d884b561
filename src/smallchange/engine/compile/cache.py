"""Keep generated and compiled code on disk: in the user's cache folder, one folder inside it for each text."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import platform
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Lock
from types import ModuleType

from smallchange.core.atomic_files import naming, take_place
from smallchange.core.data_folder import cache_place

_loading = Lock()  # Python knows a module before it is complete
_passed: set[tuple[Path, str]] = set()  # of this process: folders of texts, and boards that they may play

STALE_AFTER_S = 30 * 86400  # a text that was not loaded for so long is removed
BOARDS = "boards"  # beside a text: a line for each board whose first run passed
SOURCES = ("checked_run.py", "numba_compiler.py", "runtime_numba.py")  # they decide beside the text


@functools.cache
def cache_folder() -> Path:
    """Return the cache folder: SMALLCHANGE_CACHE, else the user's own.

    If it cannot be written, warn once, and return a folder that is removed when the process ends.
    """
    folder = cache_place()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as why:
        warnings.warn(
            f"compiled code cannot be kept in {folder} ({why.strerror}), so every start compiles anew; "
            "set SMALLCHANGE_CACHE to a folder that can be written",
            RuntimeWarning,
            stacklevel=2,
        )
    temporary = tempfile.TemporaryDirectory(prefix="smallchange-", ignore_cleanup_errors=True)
    cache_folder.__dict__["keep"] = temporary  # it is removed when the process ends
    return Path(temporary.name)


@functools.cache
def environment_key() -> str:
    """Return all that decides, beside the text, which machine code is made of it, and if it is good."""
    import llvmlite.binding as llvm

    packages = [f"{name} {version(name)}" for name in ("numba", "llvmlite", "numpy")]
    settings = [f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith("NUMBA_")]
    features = llvm.get_host_cpu_features().flatten()
    sources = [(Path(__file__).parent / name).read_text(encoding="utf-8") for name in SOURCES]
    machine = [platform.machine(), llvm.get_host_cpu_name(), features]
    return "\n".join([sys.version, *packages, *settings, *machine, *sources])


def load_module(
    name: str, text: str, check: Callable[[], None] = lambda: None, board: str = ""
) -> ModuleType:
    """Return the module of a generated text, from its file in the cache.

    If the file is new, or was never loaded for this board, `check` is called first, and may refuse both by an
    exception. `board` is a line with all that the check depends on beside the text.
    """
    digest = hashlib.sha256(f"{environment_key()}\n{text}".encode()).hexdigest()[:32]
    module_name = f"_smallchange_{name.replace('-', '_')}_{digest}"
    folder = cache_folder() / f"{name}-{digest}"
    with _loading:
        if (folder, board) not in _passed:
            _pass(folder, board, check)
        return sys.modules.get(module_name) or _load_file(name, text, folder, module_name)


def _pass(folder: Path, board: str, check: Callable[[], None]) -> None:
    """Check a text for a board, unless the cache knows that it passed."""
    kept, line = folder / BOARDS, hashlib.sha256(board.encode()).hexdigest()[:32]
    if not kept.exists() or line not in kept.read_text(encoding="ascii").split():
        check()
        if not folder.exists():
            _sweep()
        folder.mkdir(exist_ok=True)
        with contextlib.suppress(OSError), kept.open("a", encoding="ascii") as out:  # another user's
            out.write(line + "\n")
    _passed.add((folder, board))


def _load_file(name: str, text: str, folder: Path, module_name: str) -> ModuleType:
    file = folder / f"{name.replace('-', '_')}.py"
    if file.exists():
        with contextlib.suppress(OSError):  # another user's
            os.utime(folder)
    else:
        _write_once(file, text)
    spec = spec_from_file_location(module_name, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    return module


def _write_once(file: Path, text: str) -> None:
    """Write a file whole or not at all. If several processes write it at once, the first one's stays."""
    with naming(file):
        number, name = tempfile.mkstemp(dir=file.parent)
        draft = Path(name)
        try:
            with open(number, "w", encoding="utf-8") as out:
                out.write(text)
            _publish(draft, file)
        finally:
            draft.unlink(missing_ok=True)


def _publish(draft: Path, file: Path) -> None:
    try:
        os.link(draft, file)  # Numba's index names the file's time, so it must not be replaced
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        take_place(draft, file)


def _sweep() -> None:
    """Remove the folders of texts that were not loaded for STALE_AFTER_S."""
    for folder in cache_folder().glob(f"*-{'[0-9a-f]' * 32}"):
        with contextlib.suppress(OSError):
            if time.time() - folder.stat().st_mtime > STALE_AFTER_S:
                shutil.rmtree(folder)
