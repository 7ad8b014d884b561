"""Non-interference: two servers that look alike and hold different secrets say the same, byte for byte.

A table is played, its database copied, and in the copy every secret is another one. Then each kind of viewer
asks both servers everything there is to ask, which `test_asked.py` lists.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from smallchange import games, mind
from smallchange.game import Game

from .serving import Person, Served, say, serving
from .test_asked import MESSAGES, PATHS, POSTS, filled

STEPS = 6
VIEWERS = ["first", "second", "spectator"]
GAMES = games()


class Twins:
    """Two servers, and the same viewer at both."""

    def __init__(self, sides: tuple[Served, Served], id: str, code: str, cookies: httpx.Cookies) -> None:
        self.sides, self.id, self.code = sides, id, code
        self.people = [Person(side) for side in sides]
        for person in self.people:
            if cookies:
                person.web.cookies = cookies
            else:
                person.web.cookies = self.people[0].web.cookies
            person.forgery = _forgery_of(person)
            person.web.headers["Authorization"] = f"Bearer {person.web.cookies['who']}"

    def path(self, pattern: str) -> str:
        game = self.sides[0].room(self.id).story.head.game.id
        return pattern.format(id=self.id, code=self.code, game=game)

    def get(self, pattern: str) -> list[bytes]:
        return [_same(person, person.web.get(self.path(pattern))) for person in self.people]

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
            said.append(_same(person, answer))
        return said


def _forgery_of(person: Person) -> str:
    found = re.search(r'name="forgery" value="(\w+)"', person.web.get("/games/" + GAMES[0]).text)
    assert found
    return found[1]


def _same(person: Person, answer: httpx.Response) -> bytes:
    """An answer without what differs from call to call: the clock, figures, the id for the next move."""
    headers = [(k, v) for k, v in answer.headers.items() if k not in ("date", "content-length")]
    text = re.sub(r'name="move" value="[^"]+"', "move", answer.text)
    text = text.replace(f'content="{person.served.url}/', 'content="')  # a whole address, for messengers
    if answer.url.path == "/metrics":
        text = re.sub(r"[\d.e+-]+", "0", text)
    return f"{answer.status_code} {headers} {text}".encode()


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A table in the middle of its game, on two servers that differ in the secret alone."""
    game = Game(request.param)
    here, there = tmp_path_factory.mktemp("here"), tmp_path_factory.mktemp("there")
    with serving(here) as served, Person(served) as ann, Person(served) as bo:
        id = in_the_middle(served, game, [ann, bo])
        story = served.room(id).story
        code = story.head.code
        cookies = {"first": ann.web.cookies, "second": bo.web.cookies, "spectator": httpx.Cookies()}
    _keep(here / "tables.db", id)
    _change(here / "tables.db", "told = ?", len(story.match))  # what was drawn fits one of the secrets alone
    shutil.copy(here / "tables.db", there / "tables.db")
    _change(there / "tables.db", "secret = ?", b"another secret of thirty-two byt")
    # time enough that what bots find depends on the position alone
    with serving(here, bot_seconds=10) as one, serving(there, bot_seconds=10) as two:
        assert one.room(id).story.head.secret != two.room(id).story.head.secret
        yield (one, two), id, code, cookies


def in_the_middle(served: Served, game: Game, people: list[Person]) -> str:
    """A table where some steps were taken, and more are to come."""
    choose = mind.bot("greedy", luck=Random(5))
    while True:
        id = people[0].open(game.id, name="Ann")
        story = served.room(id).story
        if not story.started:
            people[1].post(f"/j/{story.head.code}", name="Bo")
        for _ in range(STEPS):
            if not story.ended:
                people[story.turn].deed(id, "act", story.ply, token=choose(story.match.position))
        if not story.ended:
            return id


def _keep(file: Path, id: str) -> None:
    """Without the tables whose games ended too soon."""
    with closing(sqlite3.connect(file)) as rows:
        for table, key in (("event", "match_id"), ("seat", "match_id"), ("match", "id")):
            rows.execute(f"DELETE FROM {table} WHERE {key} != ?", (id,))
        rows.commit()


def _change(file: Path, change: str, value: object) -> None:
    with closing(sqlite3.connect(file)) as rows:
        rows.execute(f"UPDATE match SET {change}", (value,))
        rows.commit()


@pytest.fixture(params=VIEWERS)
def twins(played: Any, request: pytest.FixtureRequest) -> Iterator[Twins]:
    sides, id, code, cookies = played
    twins = Twins(sides, id, code, cookies[request.param])
    yield twins
    for person in twins.people:
        person.web.close()


def test_every_page_and_call_says_the_same(twins: Twins) -> None:
    for patterns in PATHS.values():
        for pattern in patterns:
            here, there = twins.get(pattern)
            assert here == there, pattern


def test_every_message_is_answered_the_same(twins: Twins) -> None:
    heard: list[list[str]] = []
    for side, person in zip(twins.sides, twins.people, strict=True):
        ply = side.room(twins.id).story.ply
        with person.socket() as line:
            said: list[str] = []
            for n, message in enumerate(MESSAGES):
                say(line, **(filled(message, twins.id, ply, n) | message))
                last = ['"hinted"', '"wrong"']  # a hint is answered when it is found
                if message["is"] != "hint":
                    say(line, **{"is": "watch", "match": "nosuchmatch"})
                    last = ['"nosuchmatch"']
                while not said or not any(word in said[-1] for word in last):
                    said.append(str(line.recv(60)))
                said.append("")
        heard.append([re.sub(r'"ply":\d+', "ply", frame) for frame in said if frame])
    assert sorted(heard[0]) == sorted(heard[1])


def test_streams_tell_the_same(twins: Twins) -> None:
    told = []
    for person in twins.people:
        with person.web.stream("GET", f"/api/matches/{twins.id}/stream") as stream:
            told.append(next(stream.iter_lines()))
    assert told[0] == told[1]


def test_every_form_and_post_is_answered_the_same(twins: Twins) -> None:
    for pattern, body in POSTS.items():
        here, there = twins.post(pattern, body)
        assert here == there, pattern


def test_a_bot_is_given_nothing_but_the_position(played: Any) -> None:
    """What a bot is handed is equal on both sides, and holds neither secret nor deal."""
    sides, id, _, _ = played
    one, two = (side.room(id).story for side in sides)
    assert one.match.position == two.match.position
    assert set(vars(one.match.position)) == {"game", "s"}


def test_the_secret_of_a_running_match_leaves_by_no_door(played: Any) -> None:
    sides, id, _, _ = played
    for side in sides:
        story = side.room(id).story
        for text in (story.head.secret.hex(), story.match.deal.hex() if story.match.deal else "none"):
            for path in (f"/m/{id}", f"/m/{id}/envelope", f"/m/{id}/record.json", f"/api/matches/{id}"):
                assert text not in httpx.get(side.url + path).text
