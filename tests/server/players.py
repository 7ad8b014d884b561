"""Programs that play while servers are killed, and remember what was acknowledged."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import httpx

from smallchange import games
from smallchange.core.game import Game
from smallchange.core.state import CHANCE
from smallchange.server.database.opening import engine
from smallchange.server.table.model.history import History
from smallchange.server.table.storage.store import Store

from .serving import TIMEOUT_S, fresh


class Move(NamedTuple):
    match: str
    ply: int
    id: str


class Desk:
    """So many tables, one after the other, where one person has every seat, and the moves made at them."""

    def __init__(self, seed: int, tables: int = 1) -> None:
        self._luck, self._tables, self._lock = random.Random(seed), tables, threading.Lock()
        self._open: list[str] = []
        self.token = ""
        self.acknowledged: list[Move] = []
        self.refused: list[Move] = []
        self.newest: dict[str, int] = {}  # match: the latest ply of an acknowledged move

    def table(self, client: httpx.Client, url: str) -> str:
        """Return one of the tables; a new one as long as there are too few."""
        with self._lock:
            if len(self._open) < self._tables:
                game = self._luck.choice(games())
                order = {"game": game, "seats": dict.fromkeys(Game(game).seats, "me")}
                made = client.post(f"{url}/api/matches", json=order, headers=self.headers).json()
                self.token = made["token"] or self.token
                self._open.append(made["match"])
            return self._luck.choice(self._open)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def clear(self, match: str) -> None:
        """Drop a game that is over."""
        with self._lock, suppress(ValueError):
            self._open.remove(match)

    def note(self, move: Move, done: bool) -> None:
        with self._lock:
            (self.acknowledged if done else self.refused).append(move)
            if done:
                self.newest[move.match] = max(move.ply, self.newest.get(move.match, -1))


class Player:
    """Plays at a desk, with others or `alone`, on any of the servers; `done` is called for each acknowledged
    step."""

    def __init__(self, seed: int, desk: Desk, done: Callable[[], object], alone: bool = True) -> None:
        self._luck, self._desk, self._done, self._alone = random.Random(seed), desk, done, alone
        self._sent: tuple[str, dict[str, Any]] | None = None  # a move of which no answer was heard

    def play(self, urls: Sequence[str], stop: threading.Event) -> None:
        with httpx.Client(timeout=TIMEOUT_S) as client:
            while not stop.is_set():
                with suppress(httpx.TransportError):  # killed
                    self.step(client, self._luck.choice(urls), self._luck.choice(urls))

    def step(self, client: httpx.Client, one: str, other: str, match: str = "") -> None:
        """Take a step at this table, or at one of the desk: ask one server, and send the move to another."""
        if self._sent:  # sending it again must be safe, whether or not it was committed
            self._send(client, other, *self._sent, rivals=True)
        match = match or self._desk.table(client, other)
        known = self._desk.newest.get(match, -1)
        shown = client.get(f"{one}/api/matches/{match}", headers=self._desk.headers)
        assert shown.status_code == 200, shown.text
        table = shown.json()
        assert table["ply"] > known, "an acknowledged step is not shown"
        if table["ended"]:
            self._desk.clear(match)
            return
        assert table["legal"], "a table that has not ended waits for somebody"
        body = {"ply": table["ply"], "move": fresh(), "token": self._luck.choice(table["legal"])}
        self._send(client, other, match, body, rivals=not self._alone)

    def _send(self, client: httpx.Client, url: str, match: str, body: dict[str, Any], rivals: bool) -> None:
        """Send a move; where there are rivals, one of them may be faster."""
        self._sent = match, body
        answer = client.post(f"{url}/api/matches/{match}/act", json=body, headers=self._desk.headers)
        assert answer.status_code == 200 or (rivals and answer.status_code == 409), answer.text
        self._desk.note(Move(match, body["ply"], body["move"]), answer.status_code == 200)
        self._sent = None
        if answer.status_code == 200:
            self._done()


@contextmanager
def playing(players: Sequence[Player], urls: Sequence[str]) -> Iterator[None]:
    """Let all of them play meanwhile."""
    stop, pool = threading.Event(), ThreadPoolExecutor(len(players))
    at_it = [pool.submit(player.play, urls, stop) for player in players]
    try:
        yield
    finally:
        stop.set()
        pool.shutdown()
        for player in at_it:
            player.result()


def nothing_is_lost_or_halved(database: str, desks: Sequence[Desk]) -> list[History]:
    """Replay every table by the rules and compare its luck with the deal."""
    opened = engine(database)
    with opened.connect() as rows:
        asked = rows.exec_driver_sql("SELECT match_id, ply, command_id FROM event ORDER BY match_id, ply")
        found = [tuple(row) for row in asked]
        tables = [str(id) for (id,) in rows.exec_driver_sql("SELECT id FROM match")]
    opened.dispose()
    kept = {(match, ply): move for match, ply, move in found}
    moves = {move for _, _, move in found}
    for desk in desks:
        for match, ply, move in desk.acknowledged:
            assert kept.get((match, ply)) == move, "an acknowledged step was lost"
        assert moves.isdisjoint(move.id for move in desk.refused), "a step was refused, and taken"
    for match in tables:
        mine = [ply for id, ply, _ in found if id == match]
        assert mine == list(range(len(mine))), "a step is missing"
    with ThreadPoolExecutor(1) as apart:  # the browser tests leave a loop running in this thread
        histories = apart.submit(asyncio.run, _replay(database, tables)).result()
    for history in histories:
        assert history.turn != CHANCE, "half a step: chance has not answered"
    return histories


async def _replay(database: str, ids: list[str]) -> list[History]:
    store = Store(database)
    await store.open()
    histories = [await store.load(id) for id in ids]
    await store.close()
    return [history for history in histories if history is not None]
