"""Two servers that look alike and hold different secrets, and the same people at both."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self

import httpx

from smallchange import games, mind
from smallchange.game import Game
from smallchange.match import Match

from .serving import Person, Served, hear, say, serving

STEPS = 6
GAMES = games()
MIDDLE, SCREEN, WAITING, OTHER = "by two", "at one screen", "waiting for a player", "another by two"
ALONE = (MIDDLE,)  # of a game for one
# How a deed is sent: as a form, as a call of the API, or over a line that is shown pictures, that is told
# what a program needs, or that follows nothing.
FORM, CALL, DRAWN, TOLD, APART = WAYS = ("form", "call", "drawn", "told", "apart")
LINES = (DRAWN, TOLD, APART)


class Played(NamedTuple):
    """Two servers with the same tables but for the secrets; people are known by their cookies."""

    game: Game
    sides: tuple[Served, Served]
    tables: dict[str, str]
    people: dict[str, httpx.Cookies]


@contextmanager
def played_twice(game: Game, here: Path, there: Path) -> Iterator[Played]:
    """The tables are played on one server, and its database is copied."""
    with serving(here) as served, Person(served) as ann, Person(served) as bo:
        tables = {MIDDLE: in_the_middle(served, game, [ann, bo])}
        if len(game.seats) > 1:
            both = {f"seat.{player}": "me" for player in game.seats}
            tables[SCREEN] = in_the_middle(served, game, [ann, ann], **both)
            tables[WAITING] = ann.open(game.id, name="Ann")
            tables[OTHER] = in_the_middle(served, game, [ann, bo])
        told = {id: len(served.room(id).story.match) for id in tables.values()}
        people = {"ann": ann.web.cookies, "bo": bo.web.cookies, "eve": httpx.Cookies()}
    with closing(sqlite3.connect(here / "tables.db")) as rows:
        _keep(rows, list(told))
        for id, steps in told.items():  # what was drawn so far fits one of the secrets alone
            rows.execute("UPDATE match SET told = ? WHERE id = ?", (steps, id))
        rows.commit()
    shutil.copy(here / "tables.db", there / "tables.db")
    with closing(sqlite3.connect(there / "tables.db")) as rows:
        rows.execute("UPDATE match SET secret = ?", (b"another secret of thirty-two byt",))
        rows.commit()
    # time enough that what bots find depends on the position alone
    with serving(here, bot_seconds=10) as one, serving(there, bot_seconds=10) as two:
        for id in told:
            assert one.room(id).story.head.secret != two.room(id).story.head.secret
        yield Played(game, (one, two), tables, people)


def in_the_middle(served: Served, game: Game, people: Sequence[Person], **fields: str) -> str:
    """A table where some steps were taken and more are to come, one of which chance does not answer."""
    choose = mind.bot("greedy", luck=Random(5))
    while True:
        id = people[0].open(game.id, name="Ann", **fields)
        story = served.room(id).story
        if not story.started:
            people[1].post(f"/j/{story.head.code}", name="Bo")
        taken = 0
        while not story.ended and (taken < STEPS or not quiet(story.match)):
            people[story.turn].deed(id, "act", story.ply, token=choose(story.match.position))
            taken += 1
        if not story.ended:
            return id


def quiet(match: Match) -> list[str]:
    """The moves that chance does not answer, and that do not end the game."""
    found = []
    for token in match.position.legal():
        after = match.copy()
        after.play(token)
        if after.position.actor not in ("chance", None):
            found.append(token)
    return found


def _keep(rows: sqlite3.Connection, ids: list[str]) -> None:
    """Without the tables whose games ended too soon."""
    marks = ", ".join("?" * len(ids))
    for table, key in (("event", "match_id"), ("seat", "match_id"), ("match", "id")):
        rows.execute(f"DELETE FROM {table} WHERE {key} NOT IN ({marks})", ids)


class Twins:
    """The same viewer of the same table at both servers."""

    def __init__(self, played: Played, table: str, who: str) -> None:
        self.sides, self.id = played.sides, played.tables[table]
        self._code, self._game = self.sides[0].room(self.id).story.head.code, played.game.id
        self.people = [Person(side) for side in self.sides]
        for person in self.people:
            person.web.cookies = played.people[who] or self.people[0].web.cookies
            person.forgery = _forgery_of(person)
            person.web.headers["Authorization"] = f"Bearer {person.web.cookies['who']}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for person in self.people:
            person.web.close()

    def path(self, pattern: str) -> str:
        return pattern.format(id=self.id, code=self._code, game=self._game)

    def get(self, pattern: str) -> list[bytes]:
        return [same(person, person.web.get(self.path(pattern))) for person in self.people]

    def post(self, pattern: str, body: dict[str, Any]) -> list[bytes]:
        said = []
        for side, person in zip(self.sides, self.people, strict=True):
            path = self.path(pattern)
            if pattern.startswith("/api"):
                answer = person.web.post(path, json=body)
            else:
                ply = side.room(self.id).story.ply
                first = side.room(self.id).story.seats[0].player
                fields = {name.format(first=first): value for name, value in body.items()}
                answer = person.post(path, **({"ply": ply, "move": "form-" + "0" * 8} | fields))
            said.append(same(person, answer))
        return said


class Company:
    """All viewers of a table at one of two servers, each on three lines, and what they hear of it."""

    def __init__(self, viewers: dict[str, Twins], side: int) -> None:
        self._people = {who: twins.people[side] for who, twins in viewers.items()}
        self.id = next(iter(viewers.values())).id
        self.room = next(iter(viewers.values())).sides[side].room(self.id)
        self._open = ExitStack()
        sockets = {(who, way): person.socket() for who, person in self._people.items() for way in LINES}
        self._lines = {key: self._open.enter_context(line) for key, line in sockets.items()}
        for (_, way), line in self._lines.items():
            if way != APART:
                say(line, **{"is": "watch", "match": self.id, "drawn": way == DRAWN})
                hear(line, "shown", "told")
        self.heard()  # who has come meanwhile

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def do(self, who: str, way: str, kind: str, fields: dict[str, Any]) -> list[bytes]:
        """Something that is accepted: how it is answered, and what everybody hears."""
        person, ply = self._people[who], self.room.story.ply
        body = {"ply": ply, "move": f"deed-{ply:04}"} | fields
        answers = []
        if way == FORM:
            answers = [person.post(f"/m/{self.id}/{kind}", **body)]
        elif way == CALL:
            answers = [person.web.post(f"/api/matches/{self.id}/{kind}", json=body)]
        else:
            say(self._lines[who, way], **{"is": kind, "match": self.id} | body)
        assert all(answer.status_code in (200, 303) for answer in answers)
        return [*(same(person, answer) for answer in answers), *self.heard(ply + 1)]

    def heard(self, ply: int = 0) -> list[bytes]:
        """Everything that the lines say until they are at this ply."""
        said = []
        for (who, way), line in self._lines.items():
            frames: list[str] = []
            while way != APART and ply and not any(_at(frame, ply) for frame in frames[-1:]):
                frames.append(str(line.recv(60)))
            say(line, **{"is": "ping"})
            while '"pong"' not in "".join(frames[-1:]):
                frames.append(str(line.recv(60)))
            said += [f"{who} {way} {frame}".encode() for frame in sorted(frames)]
        return said


def _at(frame: str, ply: int) -> bool:
    message = json.loads(frame)
    return message["is"] in ("shown", "told") and message["ply"] >= ply


def _forgery_of(person: Person) -> str:
    found = re.search(r'name="forgery" value="(\w+)"', person.web.get("/games/" + GAMES[0]).text)
    assert found
    return found[1]


def same(person: Person, answer: httpx.Response) -> bytes:
    """An answer without what differs from call to call: the clock, figures, the id for the next move."""
    headers = [(k, v) for k, v in answer.headers.items() if k not in ("date", "content-length")]
    text = re.sub(r'name="move" value="[^"]+"', "move", answer.text)
    text = text.replace(f'content="{person.served.url}/', 'content="')  # a whole address, for messengers
    if answer.url.path == "/metrics":
        text = re.sub(r"[\d.e+-]+", "0", text)
    return f"{answer.status_code} {headers} {text}".encode()
