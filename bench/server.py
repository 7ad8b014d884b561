"""The server measured, head to head with boardgame.io where that can do it too.

    python bench/server.py duel [--rounds 3]   100 matches moving at once; ours, its memory, its FlatFile
    python bench/server.py undrawn             the same with nothing drawn: what all the rest of a move costs
    python bench/server.py ceiling [-n 40]     what a move costs without its drawing, its encoding, its commit
    python bench/server.py tables [-n 1000]    open tables, a move every 4 s each: delay and memory a table
    python bench/server.py watchers [-n 5000]  a game that so many watch: until the last has a move; others' moves
    python bench/server.py processes           one process on PostgreSQL against two: processor time of a move
    python bench/server.py buses [-n 50]       moves a second of one, two and four processes on PostgreSQL
    python bench/server.py flat [-n 100000]    the cost of a move before and after so many finished games
    python bench/server.py start               from the command to a served page, warm
    python bench/server.py samples             where the processor time of a move goes (needs py-spy)

It needs Node.js and, once, `npm install` in bench/boardgameio. Quote ratios, both sides in turn in one run.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import re
import resource
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.server.outside import postgresql

HERE = Path(__file__).parent
FOLDER = HERE / "boardgameio"
RUN = "from smallchange.server.serve import run; from smallchange.server.settings import settings; run(settings())"
BARE = """
from smallchange.server.table.http import connection, messages
def bare(subscription, lang):
    history = subscription.live_table.history
    if subscription.known_ply == history.ply:
        return None
    subscription.known_ply = history.ply
    return messages.Changes(history.head.id, history.ply, 0, {"facts": 300 * "-"}, over=history.ending is not None)
connection.changes_message = bare
"""
NOT_ENCODED = """
from smallchange.server.table.http import connection
def frame(self, message):
    text = '{"is":"changes","match":"%s","ply":%d,"over":%s,"html":{"p-":0}}'
    return connection.text_frame((text % (message.match, message.ply, str(message.over).lower())).encode(), False)
connection.Connection._frame = frame
"""
NOT_WRITTEN = """
from smallchange.server.database.group_commit import Writer
submit = Writer.submit
def keep(self, key, job, events=(), size=0):
    if job is not None:
        return submit(self, key, job, events, size)
    future = self._loop.create_future()
    self._loop.call_soon(future.set_result, True)
    return future
Writer.submit = keep
"""
STUBS = {
    "whole": "",
    "undrawn": BARE,
    "not encoded": NOT_ENCODED,
    "not written": NOT_WRITTEN,
    "undrawn and not written": BARE + NOT_WRITTEN,
}
WARM_S = 8  # after all tables were opened
NO_LIMITS = dict.fromkeys(("PLAYING", "WATCHING", "PAGES", "NEW_TABLES", "LISTED_TABLES"), 10**9)
NO_LIMITS |= dict.fromkeys(("SOCKETS", "CONNECTIONS"), 10**6)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def running(command: list[str], port: int, **environment: str) -> Iterator[int]:
    """Run a server, and yield its process id once its port answers."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen(command, env=os.environ | environment, cwd=FOLDER, **quiet)  # type: ignore[call-overload]
    try:
        while server.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.01)
        else:
            sys.exit(f"the server did not start: {' '.join(command)}")
        yield server.pid
    finally:
        server.terminate()
        server.wait(30)


@contextlib.contextmanager
def ours(database: Path | str, before: str = "", **more: str) -> Iterator[tuple[int, int]]:
    """Run our server on this file or database, durable as ever, its limits lifted; yield port and process id.

    The command `before`, if given, runs it.
    """
    port = free_port()
    url = database if isinstance(database, str) else f"sqlite:///{database}"
    chosen = NO_LIMITS | {"PORT": port, "DATABASE": url, "LOG": "json"} | more
    told = {f"SMALLCHANGE_{name}": str(value) for name, value in chosen.items()}
    command = ["-c", before + RUN] if before else ["-m", "smallchange", "serve", "--no-open"]
    with running([sys.executable, *command], port, **told) as pid:
        yield port, pid


@contextlib.contextmanager
def theirs(folder: Path | None) -> Iterator[tuple[int, int]]:
    port = free_port()
    more = {"FOLDER": str(folder)} if folder else {}
    with running(["node", "server.js"], port, PORT=str(port), **more) as pid:
        yield port, pid


def load(script: str, port: int, pid: int, **asked: int) -> dict[str, float]:
    """Run a load once, and return its report."""
    options = [str(part) for name, value in asked.items() for part in (f"--{name}", value)]
    command = ["node", script, "--port", str(port), "--pid", str(pid), *options]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=True)
    said: dict[str, float] = json.loads(done.stdout)
    return said


def duel(rounds: int, seconds: int) -> None:
    """Run each in turn, so many times; return medians, and ours as a ratio of theirs."""
    found: dict[str, list[dict[str, float]]] = {"memory": [], "FlatFile": [], "ours": []}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            with theirs(None) as (port, pid):
                found["memory"].append(load("load.js", port, pid, n=100, seconds=seconds))
            with theirs(Path(folder) / "flat") as (port, pid):
                found["FlatFile"].append(load("load.js", port, pid, n=100, seconds=seconds))
            with ours(Path(folder) / "tables.db") as (port, pid):
                found["ours"].append(load("ours.js", port, pid, n=100, seconds=seconds))
    keys = ("moves_per_s", "p50_ms", "p99_ms", "server_cpu_ms_per_move", "server_rss_mb")
    middle = {
        who: {key: statistics.median(run[key] for run in runs) for key in keys} for who, runs in found.items()
    }
    for who, figures in middle.items():
        print(f"{who:9}", *(f"{key} {figures[key]:g}" for key in keys), sep="  ")
    for who in ("memory", "FlatFile"):
        ratio = middle["ours"]["moves_per_s"] / middle[who]["moves_per_s"]
        print(f"ours / {who}: {ratio:.2f} times the moves a second")


def undrawn(rounds: int, seconds: int) -> None:
    """Compare boardgame.io in memory with ours where all are sent the same 300 bytes, without drawing."""
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            with theirs(None) as (port, pid):
                memory = load("load.js", port, pid, n=100, seconds=seconds)
            with ours(Path(folder) / "tables.db", BARE) as (port, pid):
                bare = load("ours.js", port, pid, n=100, seconds=seconds)
        ratio = bare["moves_per_s"] / memory["moves_per_s"]
        print(f"ours undrawn {bare['moves_per_s']:g} moves/s, {ratio:.2f} times those of memory")


def ceiling(n: int, rounds: int, seconds: int) -> None:
    """Print the processor time of a move without one part of it or another, in turn."""
    for _, (name, stub) in itertools.product(range(rounds), STUBS.items()):
        with tempfile.TemporaryDirectory() as folder, ours(Path(folder) / "tables.db", stub) as (port, pid):
            spent = load("ours.js", port, pid, n=n, seconds=seconds, think=400)["server_cpu_ms_per_move"]
        print(f"{name}: {spent} ms of processor time a move", flush=True)


def tables(n: int, seconds: int) -> None:
    with tempfile.TemporaryDirectory() as folder, ours(Path(folder) / "tables.db") as (port, pid):
        load("ours.js", port, pid, n=50, seconds=2)  # what a server has in memory however few play
        before = _memory(pid)
        said = load("ours.js", port, pid, n=n, seconds=seconds, think=4000, warm=WARM_S)
        print(said)
        print(f"{(_memory(pid) - before) / said['sockets']:.1f} kB a socket, with half a table")


def watchers(n: int, seconds: int) -> None:
    """Run 500 tables without watchers of another game, and beside a game with so many, in turn."""
    with tempfile.TemporaryDirectory() as folder, ours(Path(folder) / "tables.db") as (port, pid):
        print("no watchers:", load("ours.js", port, pid, n=500, seconds=seconds, think=4000))
        command = ["node", "watchers.js", "--port", str(port), "--n", str(n)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, cwd=FOLDER, **pipes) as watching:  # type: ignore[call-overload]
            assert watching.stdout.readline().strip() == "ready"
            print(f"{n} watchers:", load("ours.js", port, pid, n=500, seconds=seconds, think=4000))
            print(watching.communicate()[0].strip())
        print("no watchers:", load("ours.js", port, pid, n=500, seconds=seconds, think=4000))


def processes(n: int, rounds: int, seconds: int) -> None:
    """Compare the processor time of a move in one process, and in each of two as busy."""
    with postgresql() as database:
        for _ in range(rounds):
            one, two = (_cost_of_processes(count, n, seconds, database) for count in (1, 2))
            print(f"two carry {2 * one / two:.2f} times one", flush=True)


def buses(n: int, rounds: int, seconds: int) -> None:
    """Print the moves a second of several processes that hear each other by PostgreSQL, all stored durably."""
    with postgresql(durable=True) as database:
        for _, count in itertools.product(range(rounds), (1, 2, 4)):
            said = _load_processes(count, database, n=n, seconds=seconds, think=0)
            print(f"{count} processes: {sum(one['moves_per_s'] for one in said):g} moves/s", flush=True)


def _load_processes(count: int, database: str, **asked: int) -> list[dict[str, float]]:
    """Run a load on each of so many processes, and return their reports."""
    with contextlib.ExitStack() as together, ThreadPoolExecutor() as pool:
        servers = [together.enter_context(ours(database, ROLES="none")) for _ in range(count)]
        return list(pool.map(lambda server: load("ours.js", *server, **asked), servers))


def _cost_of_processes(count: int, n: int, seconds: int, database: str) -> float:
    """Return the milliseconds of processor time of a move, where so many processes have n tables each."""
    said = _load_processes(count, database, n=n, seconds=seconds, think=4000, warm=WARM_S)
    moves = sum(one["moves"] for one in said)
    cost = sum(one["moves"] * one["server_cpu_ms_per_move"] for one in said) / moves
    print(f"{count}: {moves} moves, {cost:.3f} ms each", said, flush=True)
    return cost


def flat(n: int, seconds: int) -> None:
    """Run the same load on a new database, and on one with so many finished games."""
    with tempfile.TemporaryDirectory() as folder:
        for games in (0, n):
            file = Path(folder) / f"{games}.db"
            with ours(file) as (port, pid):
                load("ours.js", port, pid, n=20, seconds=1)
            _multiply(file, games)
            with ours(file) as (port, pid):
                said = load("ours.js", port, pid, n=100, seconds=seconds)
            print(f"{games} finished games, {file.stat().st_size >> 20} MB:", said)


def start(rounds: int) -> None:
    """Print the seconds from the command to the first page, on a database that exists, and those of the processor.

    Modules and templates were compiled by the start before, as by any installation.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"PYTHONPYCACHEPREFIX": folder, "SMALLCHANGE_CACHE": folder}
        taken, worked = [], []
        for _ in range(rounds + 1):
            began = time.perf_counter()
            with ours(Path(folder) / "tables.db") as (port, pid):
                page = urllib.request.urlopen(f"http://127.0.0.1:{port}/").read()
                taken.append(time.perf_counter() - began)
                worked.append(_processor_s(pid))
        wall, cpu = statistics.median(taken[1:]), statistics.median(worked[1:])
        print(
            f"first page of {len(page)} bytes after {wall:.2f} s, {cpu:.2f} of the processor (median of {rounds})"
        )


def _processor_s(pid: int) -> float:
    """Return the processor time that a process has taken, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def samples(seconds: int) -> None:
    """Return the functions that the server was in while 100 matches moved at once, as shares of samples."""
    if not shutil.which("py-spy"):
        sys.exit("this needs py-spy on the path: pip install py-spy")
    with tempfile.TemporaryDirectory() as folder, ours(Path(folder) / "tables.db") as (port, pid):
        stacks = Path(folder) / "stacks"
        command = ["py-spy", "record", "-p", str(pid), "-d", str(seconds), "-r", "250", "-f", "raw", "-o"]
        with subprocess.Popen([*command, str(stacks)], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL):
            print(load("ours.js", port, pid, n=100, seconds=seconds))
        whole, within = 0, Counter[str]()
        for line in stacks.read_text().splitlines():
            stack, _, times = line.rpartition(" ")
            frames = [re.sub(r":\d+\)$", ")", frame) for frame in stack.split(";")]
            if not frames[-1].startswith(("_worker (concurrent", "Writer._run")):  # these wait for work
                whole += int(times)
                within.update(dict.fromkeys(frames, int(times)))
        for frame, n in within.most_common(60):
            print(f"{100 * n / whole:5.1f} %  {frame}")


def _multiply(file: Path, games: int) -> None:
    """Copy a played game many times, marked as over, as years of play would leave them."""
    if not games:
        return
    with contextlib.closing(sqlite3.connect(file)) as rows:
        (id,) = rows.execute("SELECT match_id FROM event GROUP BY match_id ORDER BY count(*) DESC").fetchone()
        for table, key in (("match", "id"), ("seat", "match_id"), ("event", "match_id")):
            names = [row[1] for row in rows.execute(f"PRAGMA table_info({table})")]
            said = {key: "?1 || n.value", "code": "?1 || n.value", "status": "'over'"}
            chosen = ", ".join(said.get(name, f"{table}.{name}") for name in names)
            count = "WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?3)"
            source = f"SELECT {chosen} FROM {table}, n WHERE {table}.{key} = ?2"
            rows.execute(f"{count} INSERT INTO {table} {source}", ("old", id, games))
        rows.commit()


def _memory(pid: int) -> int:
    """Return the resident kilobytes of a process."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def main() -> None:
    _, most_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (most_files, most_files)
    )  # for each connection one, at both ends
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "what",
        choices=[
            "duel",
            "undrawn",
            "ceiling",
            "tables",
            "watchers",
            "processes",
            "buses",
            "flat",
            "start",
            "samples",
        ],
    )
    parser.add_argument("-n", type=int)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=10)
    asked = parser.parse_args()
    if asked.what != "start" and not (shutil.which("node") and (FOLDER / "node_modules").is_dir()):
        sys.exit("this needs Node.js, and once: cd bench/boardgameio && npm install")
    if asked.what == "duel":
        duel(asked.rounds, asked.seconds)
    elif asked.what == "undrawn":
        undrawn(asked.rounds, asked.seconds)
    elif asked.what == "ceiling":
        ceiling(asked.n or 40, asked.rounds, asked.seconds)
    elif asked.what == "tables":
        tables(asked.n or 1000, asked.seconds)
    elif asked.what == "watchers":
        watchers(asked.n or 5000, asked.seconds)
    elif asked.what == "processes":
        processes(asked.n or 1000, asked.rounds, asked.seconds)
    elif asked.what == "buses":
        buses(asked.n or 50, asked.rounds, asked.seconds)
    elif asked.what == "flat":
        flat(asked.n or 100_000, asked.seconds)
    elif asked.what == "samples":
        samples(asked.seconds)
    else:
        start(asked.rounds)


if __name__ == "__main__":
    main()
