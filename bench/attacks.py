"""The server attacked from loopback, and a visitor beside the attack: each trial at most 30 s.

    python bench/attacks.py [silent] [unread] [longest] [reviews] [rematches] [heavy]

A server of its own on a temporary file, with the limits that it has by default and 1,024 files. Attackers and
visitors come from addresses of their own, 127.0.0.2 and following, which Linux gives to every program. Docs:
docs/security.md has the figures of one run.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import json
import os
import resource
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import Event, Process, Queue
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, cast

from smallchange.core.game import Game
from smallchange.server.database.opening import prepare_database
from smallchange.server.table.model.command_events import execute
from smallchange.server.table.model.commands import NewTable, PlayMove, Resign
from smallchange.server.table.model.history import MAX_EVENTS, History
from smallchange.server.table.model.new_tables import new_table, random_id
from smallchange.server.table.model.outcome import stage
from smallchange.server.table.storage.store import Store, TableRows

RUN = "from smallchange.server.serve import run; from smallchange.server.settings import settings; run(settings())"
FILES = 1024  # that the server may open
LONGEST_TRIAL_S = 30.0
HOLDER = "0" * 64
GAME = "dodgem"
BOTH = dict.fromkeys(Game(GAME).seats, "me")
VISITOR, OTHER = "127.0.0.9", "127.0.0.8"
Answer = tuple[int, bytes]


class Running(NamedTuple):
    """A server that is up: its port, its process, the file of its log."""

    port: int
    pid: int
    log: Path

    def ask(
        self, path: str, address: str = VISITOR, body: dict[str, Any] | None = None, token: str = ""
    ) -> Answer:
        """Return the status and body of an answer, asked for from this address."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, 30, source_address=(address, 0))
        with contextlib.closing(line):
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            sent = None if body is None else json.dumps(body)
            line.request("GET" if body is None else "POST", path, sent, headers)
            answer = line.getresponse()
            return answer.status, answer.read()

    def call(
        self, path: str, address: str = VISITOR, body: dict[str, Any] | None = None, token: str = ""
    ) -> Any:
        """Return the JSON of an answer that must be well."""
        status, said = self.ask(path, address, body, token)
        if status >= 300:
            sys.exit(f"{path}: {status} {said[:200]!r}")
        return json.loads(said)

    def megabytes(self) -> float:
        """Return the memory that the server holds."""
        for row in Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8").splitlines():
            if row.startswith("VmRSS:"):
                return int(row.split()[1]) / 1024
        return 0.0


@contextlib.contextmanager
def server(folder: Path, **settings: object) -> Iterator[Running]:
    """Yield a server on a database in this folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    chosen = {"port": port, "database": f"sqlite:///{folder / 'tables.db'}", "log": "json"} | settings
    environment = os.environ | {f"SMALLCHANGE_{name.upper()}": str(value) for name, value in chosen.items()}
    log = folder / "log"

    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))

    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-c", RUN], env=environment, stdout=file, stderr=file, preexec_fn=few_files
        )
        try:
            for _ in range(3000):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                time.sleep(0.01)
            yield Running(port, process.pid, log)
        finally:
            process.terminate()
            process.wait(30)


def long_table(steps: int, end: bool) -> History:
    """Return a table of Dodg'em with this many steps at which one person moves to and fro for both sides."""
    order = NewTable(GAME, {"quiet_limit": 1000}, BOTH)
    history, events = new_table(order, HOLDER, random_id, 0)
    history.append(events)
    random = Random(1)
    while history.ply < steps:
        position = history.match.position
        after = [(token, position.played(token)) for token in position.legal()]
        going = [(token, one.s.quiet) for token, one in after if one.actor is not None]
        calm = max if position.s.quiet < 900 else min  # no draw, and no coin leaves for nothing
        best = calm(quiet for _, quiet in going)
        token = random.choice([token for token, quiet in going if quiet == best])
        new = execute(history, HOLDER, PlayMove(history.head.id, history.ply, random_id(9), token), 0)
        history.append(new.events, after=new.after)
    if end:
        resign = execute(history, HOLDER, Resign(history.head.id, history.ply, random_id(9)), 0)
        history.append(resign.events)
    return history


def store(folder: Path, tables: list[History]) -> None:
    """Store tables in the database of a server that is not up yet."""
    database = f"sqlite:///{folder / 'tables.db'}"
    prepare_database(database)

    async def write() -> None:
        rows = Store(database)
        await rows.open()
        for table in tables:
            await rows.create(TableRows(table.head, table.seats, table.events, stage(table)))
        await rows.close()

    asyncio.run(write())


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def time_request(ask: Callable[[], Answer]) -> tuple[float, Answer | None]:
    """Return how long a request took, in seconds, and its answer; None where the connection was refused."""
    begun = time.perf_counter()
    try:
        answer: Answer | None = ask()
    except OSError:
        answer = None
    return time.perf_counter() - begun, answer


def silent(folder: Path) -> str:
    """1,100 connections that say nothing from one address, then from eleven."""
    said = []
    for addresses in (1, 11):
        with server(folder) as up, contextlib.ExitStack() as opened:
            alone = max(seconds(lambda: up.ask("/")) for _ in range(5))
            for i in range(1100):
                line = opened.enter_context(socket.socket())
                line.settimeout(5)
                with contextlib.suppress(OSError):
                    line.bind((f"127.0.0.{10 + i % addresses}", 0))
                    line.connect(("127.0.0.1", up.port))
            answers = [time_request(lambda: up.ask("/")) for _ in range(5)]
            lines = sum("refused" in row for row in up.log.read_text().splitlines())
            worst = max(took for took, _ in answers)
            well = all(answer is not None and answer[0] == 200 for _, answer in answers)
            said.append(
                f"{addresses} address(es): pages {'well' if well else 'NOT WELL'}, at most {1000 * worst:.0f} ms "
                f"(alone {1000 * alone:.0f} ms), {lines} line(s) in the log"
            )
    return "; ".join(said)


def unread(folder: Path) -> str:
    """150 readers that ask for a long table and read nothing."""
    table = long_table(1500, end=False)
    store(folder, [table])
    with server(folder) as up, contextlib.ExitStack() as opened:
        for path in ("", "/record.json", "/record.txt"):
            up.ask(f"/m/{table.head.id}{path}")
        before = up.megabytes()
        most = before
        for i in range(150):
            line = opened.enter_context(socket.socket())
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.bind((f"127.0.0.{20 + i % 3}", 0))
            line.connect(("127.0.0.1", up.port))
            path = ("", "/record.json", "/record.txt")[i % 3]
            line.sendall(f"GET /m/{table.head.id}{path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        end = time.monotonic() + 6
        while time.monotonic() < end:
            most = max(most, up.megabytes())
            time.sleep(0.1)
        status = up.ask("/")[0]
        return f"{most - before:.0f} MB more ({before:.0f} before), a page beside them: {status}"


def fetch_often(up: Running, table: str, stop: Any, answers: Any) -> None:
    """Fetch a table and its record by four threads from addresses of their own; put the statuses at the end."""
    fetched: list[int] = []

    def fetch(address: str) -> None:
        while not stop.is_set():
            for path in ("", "/record.json"):
                fetched.append(up.ask(f"{table}{path}", address)[0])

    threads = [threading.Thread(target=fetch, args=(f"127.0.0.{30 + i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers.put(fetched)


def longest(folder: Path) -> str:
    """Four threads that fetch the longest table and its record, while somebody moves.

    They are in a process of their own: in this one they would hold up the visitor's clock.
    """
    table = long_table(MAX_EVENTS, end=False)
    store(folder, [table])
    with server(folder, playing=10**6) as up:
        made = up.call("/api/matches", body={"game": GAME, "seats": BOTH})
        id, token = made["match"], made["token"]

        def move_times(n: int) -> list[float]:
            took, ply = [], up.call(f"/api/matches/{id}", token=token)["ply"]
            for _ in range(n // 2):
                for kind in ("act", "undo"):
                    body = {"ply": ply, "move": secrets.token_hex(8)}
                    if kind == "act":
                        body["token"] = up.call(f"/api/matches/{id}", OTHER, token=token)["legal"][0]
                    took.append(seconds(lambda: up.call(f"/api/matches/{id}/{kind}", body=body, token=token)))  # noqa: B023
                    ply += 1
            return took

        size = len(up.ask(f"/m/{table.head.id}")[1])
        move_times(20)
        alone = move_times(200)
        stop, answers = Event(), cast("Any", Queue())
        readers = Process(target=fetch_often, args=(up, f"/m/{table.head.id}", stop, answers))
        readers.start()
        beside = move_times(200)
        stop.set()
        fetched = answers.get()
        readers.join()
        p99 = [1000 * statistics.quantiles(took, n=100)[98] for took in (alone, beside)]
        well = fetched.count(200)
        return (
            f"{MAX_EVENTS} steps, a page of {size / 1000:.0f} kB; {well} fetched and {len(fetched) - well} refused; "
            f"moves of another: p99 {p99[1]:.1f} ms, alone {p99[0]:.1f} ms, {p99[1] / p99[0]:.1f} times"
        )


def reviews(folder: Path) -> str:
    """Four long reviews from two addresses, and a short one from a third."""
    long, short = [long_table(960, end=True) for _ in range(4)], [long_table(30, end=True) for _ in range(2)]
    store(folder, [*long, *short])
    with server(folder, bot_simulations=20) as up:

        def wait_for_review(id: str) -> None:
            end = time.monotonic() + LONGEST_TRIAL_S
            while time.monotonic() < end:
                said = up.call(f"/api/matches/{id}/review", token="a" * 43)
                if said["done"] == said["total"]:
                    return
                time.sleep(0.1)

        wait_for_review(short[0].head.id)  # which compiles too
        alone = seconds(lambda: wait_for_review(short[1].head.id))
    with server(folder, bot_simulations=20) as up:
        wait_for_review(short[0].head.id)
        for i, table in enumerate(long):
            up.ask(f"/api/matches/{table.head.id}/review", f"127.0.0.{40 + i // 2}", token=f"{i // 2:043}")
        beside = seconds(lambda: wait_for_review(short[1].head.id))
        return f"a short review {beside:.1f} s beside four long ones, alone {alone:.1f} s: {beside / alone:.1f} times"


def rematches(folder: Path) -> str:
    """55 rematches that the other player does not answer."""
    with server(folder) as up:
        made = up.call("/api/matches", body={"game": GAME})
        id, token = made["match"], made["token"]
        other = up.call(f"/api/join/{made['table']['code']}", OTHER, {"name": "Bo"})["token"]
        ply = up.call(f"/api/matches/{id}", token=token)["ply"]
        up.call(f"/api/matches/{id}/resign", body={"ply": ply, "move": secrets.token_hex(8)}, token=token)
        for _ in range(55):
            up.ask(f"/api/matches/{id}/again", VISITOR, {}, token)
        seated = len(up.call("/api/mine", OTHER, token=other)["matches"])
        return f"the other sits at {seated} table(s)"


HEAVY = "127.0.0.7"
TILES = "%23%23%23%23%23"


def heavy_requests(up: Running, table: str) -> dict[str, Callable[[int], Answer]]:
    """Return the expensive kinds of requests, each with a number that makes it another one."""

    def drawing(n: int) -> str:
        edge = "." * (n % 10)
        return "%0A".join(f"{edge}{TILES}" for _ in range(4)) + f"%0A{'.' * (5 + n % 10)}" * (n // 10 % 12)

    hard = {"game": "solo", "difficulty": "hard"}
    return {
        "solo": lambda n: up.ask("/games/solo", HEAVY),
        "analysis": lambda n: up.ask(f"/m/{table}/analysis?at={n % 30}", HEAVY),
        "sign-in": lambda n: up.ask("/api/sign-in", HEAVY, {"name": "nobody", "password": f"{n}"}),
        "difficulty": lambda n: up.ask(f"/games/solo/difficulty?board.drawn={drawing(n)}", HEAVY),
        "deals": lambda n: up.ask("/api/matches", HEAVY, hard),
        "table": lambda n: up.ask(f"/m/{table}?at={n % 30}", HEAVY),
        "drawing": lambda n: up.ask(f"/games/solo/draw?topology=torus&board.drawn={drawing(n)}", HEAVY),
        "record": lambda n: up.ask("/api/verify", HEAVY, {"x": ">" * 500_000}),
    }


def repeat(up: Running, table: str, kind: str, visitors: int, stop: Any, statuses: Any) -> None:
    """Repeat requests of a kind from one address, by so many visitors at once."""
    ask, said, numbers = heavy_requests(up, table)[kind], list[int](), iter(range(1_000_000))

    def go_on() -> None:
        while not stop.is_set():
            _, answer = time_request(lambda: ask(next(numbers)))
            said.append(answer[0] if answer else 0)

    threads = [threading.Thread(target=go_on) for _ in range(visitors)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    statuses.put(said)


def heavy(folder: Path) -> str:
    """One and sixteen visitors of one address who ask for what is expensive; a light page and a move beside them."""
    table = long_table(60, end=True)
    store(folder, [table])
    free = dict.fromkeys(("pages", "hints", "playing", "new_tables", "sign_ins", "sign_ups"), 100_000)
    said = []
    with server(folder, **free) as up:
        made = up.call("/api/matches", body={"game": GAME, "seats": BOTH})
        id, token = made["match"], made["token"]

        def move() -> None:
            seen = up.call(f"/api/matches/{id}", token=token)
            body = {"ply": seen["ply"], "move": secrets.token_hex(8)}
            if seen["legal"] and not seen["ply"] % 2:
                up.ask(f"/api/matches/{id}/act", VISITOR, body | {"token": seen["legal"][0]}, token)
            else:
                up.ask(f"/api/matches/{id}/undo", VISITOR, body, token)

        for kind in heavy_requests(up, table.head.id):
            while time_request(lambda: heavy_requests(up, table.head.id)[kind](10_001))[1] is None:  # noqa: B023
                pass  # it loads and compiles
        for kind in ("nothing", *heavy_requests(up, table.head.id)):
            for visitors in (1, 16) if kind != "nothing" else (0,):
                stop, statuses = Event(), cast("Any", Queue())
                asking = Process(target=repeat, args=(up, table.head.id, kind, visitors, stop, statuses))
                if visitors:
                    asking.start()
                took = {"page": list[float](), "move": list[float]()}
                for _ in range(100):
                    took["page"].append(seconds(lambda: up.ask("/about")))
                    took["move"].append(seconds(move) / 2)
                stop.set()
                if visitors:
                    answers = statuses.get()
                    asking.join()
                    well = sum(0 < status < 400 for status in answers)
                    kinds = f"{well} of {len(answers)} answered"
                else:
                    kinds = "alone"
                figures = [
                    f"{name} p50 {1000 * cuts[49]:.0f} p99 {1000 * cuts[98]:.0f} ms"
                    for name, times in took.items()
                    for cuts in [statistics.quantiles(times, n=100)]
                ]
                said.append(f"{kind} x {visitors}: {', '.join(figures)}; {kinds}")
    return "\n  ".join(["", *said])


TRIALS = {
    "silent": silent,
    "unread": unread,
    "longest": longest,
    "reviews": reviews,
    "rematches": rematches,
    "heavy": heavy,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trials", nargs="*", choices=["all", *TRIALS], default="all")
    asked = parser.parse_args().trials
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8192) if most > 0 else 8192, most))
    for name in TRIALS if "all" in asked else asked:
        with tempfile.TemporaryDirectory() as folder:
            print(f"{name}: {TRIALS[name](Path(folder))}", flush=True)


if __name__ == "__main__":
    main()
