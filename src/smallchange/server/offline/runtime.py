"""CPython as WebAssembly: the files that a folder to play in needs, pinned by their digests (`runtime.json`).

They are the npm package `pyodide` and a wheel of the Python index, fetched where a folder is built, never by a player.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from smallchange.core.data_folder import cache_place

LOCK = json.loads(Path(__file__).with_name("runtime.json").read_text(encoding="utf-8"))
WHEEL = re.compile(
    r"(?P<name>\w+)-(?P<version>[\d.]+)-cp(?P<python>\d)(?P<minor>\d+)-(?P<abi>\w+)-(?P<platform>\w+)\.whl"
)


class NoRuntime(ValueError):
    """The runtime cannot be found or fetched, or is another than the pinned one."""


def cache_folder() -> Path:
    """Return the folder in which fetched files are kept."""
    return cache_place() / f"pyodide-{LOCK['pyodide']}"


def find_runtime(given: Path | None = None) -> dict[str, Path]:
    """Return the pinned files by name, from a folder or the cache; fetch those that neither has. Raise NoRuntime."""
    cache, found = cache_folder(), {}
    for name, digest in (LOCK["files"] | LOCK["wheels"]).items():
        file = next(
            (folder / name for folder in (given, cache) if folder and (folder / name).is_file()), None
        )
        if file is None:
            _fetch_wheel(name, cache) if name in LOCK["wheels"] else _fetch_package(cache)
            file = cache / name
        if hashlib.sha256(file.read_bytes()).hexdigest() != digest:
            raise NoRuntime(
                f"{file} is not the file of pyodide {LOCK['pyodide']} that this version is built with"
            )
        found[name] = file
    return found


def _fetch_package(cache: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise NoRuntime(
            "the runtime is the npm package pyodide: install npm, or give its folder by --runtime"
        )
    with tempfile.TemporaryDirectory() as folder:
        _run([npm, "pack", f"pyodide@{LOCK['pyodide']}", "--silent", "--pack-destination", folder])
        (packed,) = Path(folder).glob("*.tgz")
        with tarfile.open(packed) as archive:
            for name in LOCK["files"]:
                member = archive.extractfile(f"package/{name}")
                assert member is not None
                cache.mkdir(parents=True, exist_ok=True)
                (cache / name).write_bytes(member.read())


def _fetch_wheel(name: str, cache: Path) -> None:
    about = WHEEL.fullmatch(name)
    assert about is not None
    options = ["--no-deps", "--only-binary", ":all:", "--implementation", "cp", "--abi", about["abi"]]
    options += ["--python-version", f"{about['python']}.{about['minor']}", "--platform", about["platform"]]
    wanted = f"{about['name']}=={about['version']}"
    _run([sys.executable, "-m", "pip", "download", "--quiet", *options, "--dest", str(cache), wanted])


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        *_, reason = done.stderr.strip().splitlines() or [""]
        raise NoRuntime(f"the runtime could not be fetched: {reason}")


if __name__ == "__main__":  # as scripts/install runs it
    find_runtime(Path(sys.argv[1]) if sys.argv[1:] else None)
