"""kill -9 at random moments under load. SMALLCHANGE_KILLS says how often (3 here, 100 in the long form)."""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

from smallchange import games
from smallchange.game import Game
from smallchange.state import CHANCE
from smallchange.web.store import Store
from smallchange.web.store.engine import engine
from smallchange.web.story import Story

from .outside import Process
from .serving import fresh

KILLS = int(os.environ.get("SMALLCHANGE_KILLS", "3"))
TABLES = 8
STEPS = threading.Semaphore(0)  # one for each acknowledged step: the kill comes after so many


class Player:
    """Plays one table after another with both hands, and remembers what was acknowledged."""

    def __init__(self, seed: int) -> None:
        self.luck = random.Random(seed)
        self.match = ""
        self.token = ""
        self.acknowledged: list[tuple[str, int, str]] = []  # match, ply, move
        self.last: dict[str, Any] = {}  # a move that was sent, and no answer heard

    def play(self, url: str, stop: threading.Event) -> None:
        with httpx.Client(base_url=url, timeout=10) as client:
            try:
                while not stop.is_set():
                    self._step(client)
            except httpx.TransportError:
                pass  # killed

    def _step(self, client: httpx.Client) -> None:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if not self.match:
            game = self.luck.choice(games())
            order = {"game": game, "seats": dict.fromkeys(Game(game).seats, "me")}
            made = client.post("/api/matches", json=order, headers=headers).json()
            self.match, self.token = made["match"], made["token"] or self.token
            return
        path = f"/api/matches/{self.match}"
        if self.last:  # sent before the kill: sending it again must be safe, whether or not it was committed
            answer = client.post(f"{path}/act", json=self.last, headers=headers)
            assert answer.status_code in (200, 409), answer.text
            self.last = {}
        table = client.get(path, headers=headers).json()
        if table["ended"]:
            self.match = ""
            return
        assert table["legal"], "a table that has not ended waits for somebody"
        self.last = {"ply": table["ply"], "move": fresh(), "token": self.luck.choice(table["legal"])}
        answer = client.post(f"{path}/act", json=self.last, headers=headers)
        assert answer.status_code == 200, answer.text
        self.acknowledged.append((self.match, self.last["ply"], self.last["move"]))
        STEPS.release()
        self.last = {}


def test_no_acknowledged_step_is_lost_and_every_table_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    luck = random.Random(11)
    players = [Player(seed) for seed in range(TABLES)]
    for _ in range(KILLS):
        server = Process(database=f"sqlite:///{file}")
        stop = threading.Event()
        threads = [threading.Thread(target=player.play, args=(server.url, stop)) for player in players]
        for thread in threads:
            thread.start()
        for _ in range(luck.randint(1, 60)):
            assert STEPS.acquire(timeout=60)
        server.kill()
        stop.set()
        for thread in threads:
            thread.join()
        _nothing_is_lost_or_halved(file, players)


def test_a_commit_waits_for_the_disk(tmp_path: Path) -> None:
    opened = engine(f"sqlite:///{tmp_path / 'tables.db'}")
    with opened.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    opened.dispose()


def _nothing_is_lost_or_halved(file: Path, players: list[Player]) -> None:
    with closing(sqlite3.connect(file)) as rows:
        found = rows.execute("SELECT match_id, ply, move_id FROM event ORDER BY match_id, ply").fetchall()
        tables = [id for (id,) in rows.execute("SELECT id FROM match").fetchall()]
    kept = {(match, ply): move for match, ply, move in found}
    for player in players:
        for match, ply, move in player.acknowledged:
            assert kept.get((match, ply)) == move, "an acknowledged step was lost"
    for match in tables:
        mine = [ply for id, ply, _ in found if id == match]
        assert mine == list(range(len(mine))), "a step is missing"
    with ThreadPoolExecutor(1) as apart:  # the browser tests leave a loop running in this thread
        stories = apart.submit(asyncio.run, _replayed(file, tables)).result()
    for story in stories:
        assert story.turn != CHANCE, "half a step: chance has not answered"


async def _replayed(file: Path, ids: list[str]) -> list[Story]:
    """Every table, its steps played again by the rules and its luck compared with the deal."""
    store = Store(f"sqlite:///{file}")
    await store.open()
    stories = [await store.story(id) for id in ids]
    await store.close()
    return [story for story in stories if story is not None]
