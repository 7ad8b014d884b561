"""Two servers that look alike and hold different secrets, and the same people at both."""

from __future__ import annotations

import hashlib
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self

import httpx

from smallchange import games, mind
from smallchange.game import Game
from smallchange.match import Match
from smallchange.web.story import Story

from .serving import Person, Served, serving

STEPS = 6
SECRETS = 1000  # that are tried with the same moves
GAMES = games()
MIDDLE, SCREEN, WAITING, OTHER = "by two", "at one screen", "waiting for a player", "another by two"
ALONE = (MIDDLE,)  # of a game for one


class Played(NamedTuple):
    """Two servers with the same tables but for the secrets; people are known by their cookies."""

    game: Game
    sides: tuple[Served, Served]
    tables: dict[str, str]
    people: dict[str, httpx.Cookies]
    lines: dict[str, list[tuple[int, str]]]  # of each table; chance answers the last move, alike on both


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
        stories = {table: served.room(id).story for table, id in tables.items()}
        people = {"ann": ann.web.cookies, "bo": bo.web.cookies, "eve": httpx.Cookies()}
    told = {story.head.id: len(story.match) for story in stories.values()}
    with closing(sqlite3.connect(here / "tables.db")) as rows:
        _keep(rows, list(told))
        for id, steps in told.items():  # what was drawn so far fits one of the secrets alone
            rows.execute("UPDATE match SET told = ? WHERE id = ?", (steps, id))
        rows.commit()
    shutil.copy(here / "tables.db", there / "tables.db")
    lines = {}
    with closing(sqlite3.connect(there / "tables.db")) as rows:
        for table, story in stories.items():
            secret, lines[table] = another_secret(story)
            rows.execute("UPDATE match SET secret = ? WHERE id = ?", (secret, story.head.id))
        rows.commit()
    # time enough that what bots find depends on the position alone
    with serving(here, bot_seconds=10) as one, serving(there, bot_seconds=10) as two:
        for id in told:
            assert one.room(id).story.head.secret != two.room(id).story.head.secret
        yield Played(game, (one, two), tables, people, lines)


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


def another_secret(story: Story) -> tuple[bytes, list[tuple[int, str]]]:
    """Another secret for a table, and moves of which chance answers the last one alike by both; one move
    where there is no chance."""
    secrets = (hashlib.sha256(f"another {n}".encode()).digest() for n in count())
    if not story.started:
        return next(secrets), []
    for n in count():
        match, moves, luck = story.match.copy(), list[tuple[int, str]](), Random(n)
        bots = [mind.bot(name, luck=luck) for name in ("greedy", "random")]
        while not moves or (match.game.sources and match.position.actor not in ("chance", None)):
            token = luck.choice(bots)(match.position)
            moves.append((match.position.s.turn, token))
            match.play(token)
        after = match.copy()
        answered = after.settle()
        for secret in islice(secrets, 0 if after.over else SECRETS):
            other = match.copy()
            other.deal = replace(story.envelope, secret=secret).deal()
            if other.settle() == answered:
                return secret, moves
    raise AssertionError


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
        return self._same([person.web.get(self.path(pattern)) for person in self.people])

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
            said.append(answer)
        return self._same(said)

    def _same(self, answers: list[httpx.Response]) -> list[bytes]:
        stories = [side.room(self.id).story for side in self.sides]
        said = [same(*asked) for asked in zip(self.people, answers, strict=True)]
        return [unsealed(*of) for of in zip(stories, said, strict=True)]


def unsealed(story: Story, said: bytes) -> bytes:
    """What is said of a table, without its secrets once it is over: then they are told, as they should be."""
    if story.ended and story.match.deal:
        for secret in (story.head.secret, story.match.deal):
            said = said.replace(secret.hex().encode(), b"opened")
    return said


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
