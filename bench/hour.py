"""Let programs play for an hour on a server, and draw what it takes meanwhile: memory, files, sockets, database.

    python bench/hour.py [--seconds 3600] [--tables 40] [--think 2.5] [--keep SAMPLES] [--picture FILE.svg]
    python bench/hour.py --again SAMPLES --picture FILE.svg

Half of the tables are games of two visitors, the others games for one or against the bot of level 1; all games in
turn. Moves are random, and visitors think. After each game its visitors leave: new ones come to a new table. Somebody
watches each game, and somebody reads pages: lists, tables, records. The server is a process of its own, durable as
ever, without limits of visits, because all come from one address. With `--keep` the samples stay in a file.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import secrets
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

import smallchange
from server import ours
from smallchange.core.game import Game

SAMPLE_S = 15.0
READ_S = 1.0  # between two pages that somebody reads
PAGES = (
    "/",
    "/watch",
    "/games/solo",
    "/ratings/dodgem",
    "/tournaments",
    "/daily",
    "/m/{}",
    "/m/{}/record.txt",
    "/api/matches/{}",
)
FAILURES = (httpx.HTTPError, OSError, WebSocketException, RuntimeError)
BOT = "bot:level1"
MIB = 1 << 20
WIDE, HIGH, LEFT, TOP = 220, 90, 52, 34  # of a panel's axes, and the room beside and above them


@dataclass(frozen=True)
class Sample:
    """One look at the server: memory in MiB of itself and of its bots, open files, sockets, and what was played.

    `database` and `log` are the MiB of the file and of its write-ahead log.
    """

    at_s: float
    memory: float
    bots: float
    files: int
    sockets: int
    database: float
    log: float
    games: int
    moves: int
    pages: int
    failed: int
    processor_s: float


class Hour:
    """The visitors of a server, and a count of what they have done."""

    def __init__(self, port: int, think_s: float) -> None:
        self._port, self._think_s = port, think_s
        self.games = self.moves = self.pages = self.failed = 0
        self._newest: list[str] = []

    async def play_for_ever(self, number: int) -> None:
        """Play one game after the other at a table of this number."""
        luck = random.Random(number)
        games = itertools.islice(itertools.cycle(smallchange.games()), number, None)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self._port}", timeout=60) as web:
            await asyncio.sleep(number * self._think_s / 7)
            for game in games:
                try:
                    await self._play(web, luck, game, of_two=number % 2 == 0)
                except* FAILURES as failures:
                    self.failed += 1
                    print(
                        f"{time.strftime('%X')} a game of {game}: {failures.exceptions}",
                        file=sys.stderr,
                        flush=True,
                    )
                    await asyncio.sleep(self._think_s)

    async def _play(self, web: httpx.AsyncClient, luck: random.Random, game: str, of_two: bool) -> None:
        """Play a game by new visitors to its end."""
        first, *others = Game(game).seats
        seats = {first: "me"} | dict.fromkeys(others, "open" if of_two else BOT)
        made = (await _post(web, "/api/matches", game=game, seats=seats)).json()
        id, tokens = made["match"], [made["token"]]
        if others and of_two:
            tokens.append((await _post(web, f"/api/join/{made['table']['code']}")).json()["token"])
        self._newest = [*self._newest[-20:], id]
        async with asyncio.TaskGroup() as together:
            for token in tokens:
                together.create_task(self._sit(id, token, luck))
            together.create_task(self._watch(id))
        self.games += 1

    async def _sit(self, id: str, token: str, luck: random.Random) -> None:
        """Move at random whenever it is this visitor's turn, until the game is over."""
        headers = {"Authorization": f"Bearer {token}"}
        async with connect(f"ws://127.0.0.1:{self._port}/ws", additional_headers=headers) as line:
            await _send(line, **{"is": "watch", "match": id, "ply": -1, "drawn": False})
            async for frame in line:
                said = json.loads(frame)
                if said["is"] in {"refusal", "closing", "conflict"}:
                    raise RuntimeError(f"a visitor was answered {frame!r}")
                if said["is"] != "state":
                    continue
                if said.get("over"):
                    return
                if said.get("legal"):
                    await asyncio.sleep(luck.expovariate(1 / self._think_s))
                    move = {"move": secrets.token_hex(8), "token": luck.choice(said["legal"])}
                    await _send(line, **{"is": "act", "match": id, "ply": said["ply"]} | move)
                    self.moves += 1

    async def _watch(self, id: str) -> None:
        """Look at a game as pages do, to its end."""
        async with connect(f"ws://127.0.0.1:{self._port}/ws") as line:
            await _send(line, **{"is": "watch", "match": id, "ply": -1})
            async for frame in line:
                if json.loads(frame).get("over"):
                    return

    async def read_for_ever(self) -> None:
        """Read pages one after the other, each as a visitor who was never here."""
        for path in itertools.cycle(PAGES):
            await asyncio.sleep(READ_S)
            if self._newest:
                try:
                    async with httpx.AsyncClient(
                        base_url=f"http://127.0.0.1:{self._port}", timeout=60
                    ) as web:
                        answer = await web.get(path.format(random.choice(self._newest)))
                    answer.raise_for_status()
                    self.pages += 1
                except httpx.HTTPError as wrong:
                    self.failed += 1
                    print(f"{time.strftime('%X')} {path}: {wrong!r}", file=sys.stderr, flush=True)


async def _post(web: httpx.AsyncClient, path: str, **body: Any) -> httpx.Response:
    """Call the API as somebody new."""
    answer = await web.post(path, json=body)
    answer.raise_for_status()
    web.cookies.clear()
    return answer


async def _send(line: ClientConnection, **message: Any) -> None:
    await line.send(json.dumps(message))


def look(pid: int, file: Path, at_s: float, hour: Hour) -> Sample:
    """Measure a server."""
    opened = [_link(one) for one in Path(f"/proc/{pid}/fd").iterdir()]
    log = file.with_name(f"{file.name}-wal")
    times = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
    return Sample(
        round(at_s, 1),
        _memory(pid),
        sum(map(_memory, _descendants(pid))),
        len(opened),
        sum(one.startswith("socket:") for one in opened),
        file.stat().st_size / MIB,
        log.stat().st_size / MIB if log.exists() else 0.0,
        hour.games,
        hour.moves,
        hour.pages,
        hour.failed,
        sum(map(int, times)) / os.sysconf("SC_CLK_TCK"),
    )


def _link(file: Path) -> str:
    try:
        return os.readlink(file)
    except FileNotFoundError:  # closed since
        return ""


def _descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that they have."""
    parents = {int(one.name): _status(int(one.name), "PPid") for one in Path("/proc").glob("[0-9]*")}
    found = [pid]
    for parent in found:
        found += [one for one, of in parents.items() if of == parent]
    return found[1:]


def _memory(pid: int) -> float:
    """Return the resident MiB of a process."""
    return _status(pid, "VmRSS") / 1024


def _status(pid: int, field: str) -> int:
    """Return a number of the state of a process; 0 of one that has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))


async def play(port: int, pid: int, file: Path, asked: argparse.Namespace) -> list[Sample]:
    """Let all play, and return the samples taken meanwhile."""
    hour, samples, began = Hour(port, asked.think), [], time.monotonic()
    at_it = [asyncio.create_task(hour.play_for_ever(number)) for number in range(asked.tables)]
    at_it.append(asyncio.create_task(hour.read_for_ever()))
    while (at_s := time.monotonic() - began) < asked.seconds:
        samples.append(look(pid, file, at_s, hour))
        if asked.keep:
            with asked.keep.open("a") as kept:
                kept.write(json.dumps(asdict(samples[-1])) + "\n")
        failed, _ = await asyncio.wait(at_it, timeout=SAMPLE_S, return_when=asyncio.FIRST_COMPLETED)
        for one in failed:
            one.result()  # nobody ends but by an error
    for one in at_it:
        one.cancel()
    await asyncio.gather(*at_it, return_exceptions=True)
    return samples


def panels(samples: Sequence[Sample]) -> dict[str, list[float]]:
    """Return the courses that are drawn, by their titles."""
    return {
        "memory of the server, MiB": [one.memory for one in samples],
        "memory of its bots, MiB": [one.bots for one in samples],
        "open files": [one.files for one in samples],
        "sockets": [one.sockets for one in samples],
        "write-ahead log, MiB": [one.log for one in samples],
        "database, kB a finished game": [
            1024 * one.database / one.games if one.games >= 50 else 0.0 for one in samples
        ],
    }


def report(samples: Sequence[Sample]) -> None:
    """Print each course at the quarters of the time, and how much was played."""
    last = samples[-1]
    quarters = [samples[max(0, len(samples) * k // 4 - 1)] for k in range(1, 5)]
    print("after minutes".ljust(32), *(f"{one.at_s / 60:8.0f}" for one in quarters))
    for title, course in panels(samples).items():
        print(title.ljust(32), *(f"{course[samples.index(one)]:8.1f}" for one in quarters))
    print(
        f"{last.games:,} games, {last.moves:,} moves of visitors, {last.pages:,} pages, {last.failed} failures "
        f"in {last.at_s / 60:.0f} minutes; "
        f"{last.processor_s / last.at_s:.2f} of a core; {last.database:.0f} MiB of database"
    )


def picture(samples: Sequence[Sample]) -> str:
    """Draw the courses from 0 up, each in a panel, as SVG."""
    across, minutes = 2, samples[-1].at_s / 60
    drawn = []
    for i, (title, course) in enumerate(panels(samples).items()):
        x, y = LEFT + (i % across) * (WIDE + LEFT), TOP + (i // across) * (HIGH + 2 * TOP)
        most = max(course) or 1.0
        points = " ".join(
            f"{WIDE * one.at_s / 60 / minutes:.1f},{HIGH * (1 - value / most):.1f}"
            for one, value in zip(samples, course, strict=True)
        )
        drawn.append(
            f'<g transform="translate({x} {y})"><text y="-9">{escape(title)}</text>'
            f'<path class="axis" d="M0 0V{HIGH}H{WIDE}"/><polyline points="{points}"/>'
            f'<text class="tick" x="-6" y="4" text-anchor="end">{most:.{0 if most >= 20 else 1}f}</text>'
            f'<text class="tick" x="-6" y="{HIGH}" text-anchor="end">0</text>'
            f'<text class="tick" x="{WIDE}" y="{HIGH + 14}" text-anchor="end">{minutes:.0f} min</text></g>'
        )
    width, height = across * (WIDE + LEFT) + 16, (len(drawn) // across) * (HIGH + 2 * TOP)
    style = (
        "text{font:12px sans-serif;fill:#26221c}.tick{font-size:10px;fill:#655c4f}.axis{fill:none;stroke:#655c4f}"
        "polyline{fill:none;stroke:#2a5a9c;stroke-width:1.6}@media(prefers-color-scheme:dark){text{fill:#ece5d8}"
        ".tick{fill:#b5aa99}.axis{stroke:#b5aa99}polyline{stroke:#8db8ee}}"
    )
    title = f"A server for {minutes:.0f} minutes of play: {', '.join(panels(samples))}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    return f"{head}<title>{escape(title)}</title><style>{style}</style>{''.join(drawn)}</svg>\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument(
        "--think", type=float, default=2.5, metavar="SECONDS", help="of a visitor before a move, on average"
    )
    parser.add_argument("--keep", type=Path, metavar="FILE")
    parser.add_argument("--again", type=Path, metavar="FILE", help="draw the samples of another run")
    parser.add_argument("--picture", type=Path, metavar="FILE")
    asked = parser.parse_args()
    if asked.again:
        samples = [Sample(**json.loads(line)) for line in asked.again.read_text().splitlines()]
    else:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "tables.db"
            with ours(file) as (port, pid):
                samples = asyncio.run(play(port, pid, file, asked))
    if not samples:
        sys.exit("there are no samples: the time was too short")
    report(samples)
    if asked.picture:
        asked.picture.write_text(picture(samples))


if __name__ == "__main__":
    main()
