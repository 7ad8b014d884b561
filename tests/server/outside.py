"""Processes beside the tests: PostgreSQL, and servers that can be killed."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

TIMEOUT_S = 300.0
RUN = "from smallchange.server.serve import run; from smallchange.server.settings import settings; run(settings())"


def require_program(program: str) -> str:
    """Return the path of a program; without it tests are skipped, but not in CI."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which(program, path=os.pathsep.join([*map(str, places), os.environ["PATH"]]))
    if found is None:
        if os.environ.get("CI"):
            pytest.fail(f"{program} is not installed; scripts/install does it")
        pytest.skip(f"{program} is not installed")
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@cache
def _empty_cluster() -> Path:
    """Return the folder of a PostgreSQL that was never started, made once by this process."""
    folder = Path(tempfile.mkdtemp(prefix="smallchange-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    words = ["--pgdata", str(folder / "data"), "--auth", "trust", "--username", "small", "--no-sync"]
    user = _as_user(folder)
    subprocess.run(
        [require_program("initdb"), *words], check=True, stdout=subprocess.DEVNULL, cwd=folder, **user
    )
    return folder / "data"


def _as_user(folder: Path) -> Any:
    """Return the arguments for a process that may run PostgreSQL, which refuses root, and give it the folder."""
    if os.getuid() != 0:
        return {}
    shutil.chown(folder, "postgres")
    return {"user": "postgres"}


@contextlib.contextmanager
def postgresql(durable: bool = False) -> Iterator[str]:
    """Yield the URL of an empty PostgreSQL on loopback, gone afterwards. No test cuts the power of the machine."""
    postgres, createdb, port = require_program("postgres"), require_program("createdb"), str(free_port())
    folder = Path(tempfile.mkdtemp(prefix="smallchange-"))
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    run = quiet | _as_user(folder)
    subprocess.run(["cp", "-a", str(_empty_cluster()), str(folder / "data")], check=True, **run)
    where = ["-D", str(folder / "data"), "-k", str(folder), "-h", "127.0.0.1", "-p", port]
    where += [] if durable else ["-c", "fsync=off"]
    server = subprocess.Popen([postgres, *where], **run)
    try:
        made = [createdb, "-h", "127.0.0.1", "-p", port, "-U", "small", "small"]
        until(lambda: subprocess.run(made, **quiet).returncode == 0)  # type: ignore[call-overload]
        yield f"postgresql://small@127.0.0.1:{port}/small"
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(TIMEOUT_S)
        shutil.rmtree(folder, ignore_errors=True)


class Process:
    """A server as a process of its own."""

    def __init__(self, **settings: object) -> None:
        self.port = free_port()
        chosen = {
            "port": self.port,
            "playing": 100_000,
            "watching": 100_000,
            "pages": 100_000,
            "connections": 10_000,
            "sockets": 10_000,
            "new_tables": 10_000,
            "listed_tables": 10_000,
            "sign_ups": 10_000,
            "sign_ins": 10_000,
        } | settings
        environment = os.environ | {f"SMALLCHANGE_{k.upper()}": str(v) for k, v in chosen.items()}
        self.url = f"http://127.0.0.1:{self.port}"
        self._process = subprocess.Popen(
            [sys.executable, "-c", RUN], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        until(lambda: answers(self.port))

    def kill(self) -> None:
        """Kill the process, as a power cut would."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, bytes]:
        """Ask it to stop; its exit status and what it said."""
        self._process.send_signal(how)
        _, said = self._process.communicate(timeout=TIMEOUT_S)
        return self._process.returncode, said


def answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def until(true: Callable[[], object], timeout_s: float = TIMEOUT_S) -> None:
    """Wait for what is to come true."""
    end = time.monotonic() + timeout_s
    while not true():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.05)
