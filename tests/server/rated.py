"""Programs with accounts that meet over the API, and what they play."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from sqlalchemy import Connection, select

from smallchange.server.database import schema
from smallchange.server.ratings import rows
from smallchange.server.ratings.standings import Board, RatedMatch, Standing
from smallchange.server.table.model.outcome import MIN_COUNTED_MOVES

from .serving import TIMEOUT_S, Person, fresh
from .tables import PAIR

PASSWORD = "correct horse battery"


def rated_matches(connection: Connection) -> list[RatedMatch]:
    """Return all matches that were rated, from the results at their seats, in order."""
    return list(rows._rated_matches(connection, schema.rating_change.c.number.is_not(None)).values())


def all_standings(connection: Connection) -> dict[Board, Standing]:
    """Return the newest standing on every board with a rated match."""
    rated = connection.execute(select(schema.rating).where(schema.rating.c.matches > 0))
    return {Board(row.account_id, row.game, row.speed): rows._read_standing(row) for row in rated}


def sign_up(person: Person, name: str) -> None:
    """Create an account in the browser of a person, who is signed in to it then."""
    person.post("/account/sign-up", name=name, password=PASSWORD)


def bearer(person: Person) -> dict[str, str]:
    """Return the header by which a program acts as a person."""
    return {"Authorization": f"Bearer {person.web.cookies['who']}"}


class Program:
    """A program that is signed in to an account of its own."""

    def __init__(self, url: str, name: str) -> None:
        self.name = name
        self._web = httpx.Client(base_url=f"{url}/api", timeout=TIMEOUT_S)
        made = self.post("/accounts", 201, name=name, password=PASSWORD)
        self._web.headers["Authorization"] = f"Bearer {made['token']}"
        self._site, self._cookies = url, {"who": made["token"]}

    def page(self, id: str) -> str:
        """Return the page of a table as the account sees it."""
        return httpx.get(f"{self._site}/m/{id}", cookies=self._cookies, timeout=TIMEOUT_S).text

    def close(self) -> None:
        self._web.close()

    def get(self, path: str) -> Any:
        answer = self._web.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, status: int = 200, /, **body: Any) -> Any:
        answer = self._web.post(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    @contextmanager
    def stream(self, path: str) -> Iterator[Iterator[str]]:
        """Yield the data of the events of a stream."""
        with self._web.stream("GET", path) as answer:
            lines = answer.iter_lines()
            yield (line.removeprefix("data: ") for line in lines if line.startswith("data: "))

    def open(self, time: str = "5+3", rated: bool = True, **more: Any) -> dict[str, Any]:
        """Return a new table with a free seat."""
        table: dict[str, Any] = self.post("/matches", 201, game=PAIR, time=time, rated=rated, **more)["table"]
        return table

    def table(self, id: str) -> Any:
        return self.get(f"/matches/{id}")

    def ratings(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.get(f"/accounts/{self.name}")["ratings"]
        return found

    def command(self, id: str, kind: str, **more: Any) -> Any:
        return self.post(f"/matches/{id}/{kind}", ply=self.table(id)["ply"], move=fresh(), **more)


def begin(first: Program, second: Program, **options: Any) -> str:
    """Return a table at which both sit."""
    table = first.open(**options)
    second.post(f"/join/{table['code']}")
    return str(table["match"])


def play(id: str, *players: Program, moves: int = 2 * MIN_COUNTED_MOVES) -> None:
    """Take some moves, each by whoever is on turn."""
    for _ in range(moves):
        for player in players:
            if legal := player.table(id)["legal"]:
                player.command(id, "act", token=legal[0])
                break


def play_and_resign(id: str, winner: Program, loser: Program) -> None:
    """Play long enough to count, and let the loser resign."""
    play(id, winner, loser)
    loser.command(id, "resign")
