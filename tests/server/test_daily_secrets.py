"""Two servers whose deals of the day differ only in what has not been drawn yet say the same, byte for byte.

Everything there is to ask is asked, as `test_route_matrix.py` lists it: of the server by the player, and of every table
by the player, by another player of the same deal and by a stranger.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from smallchange.core.game import Game
from smallchange.server.daily.days import daily_games
from tests.support.site_paths import PATHS

from .company import tells_spectators
from .dailies import begin, move
from .sample_requests import MESSAGES, POSTS, required_fields
from .serving import TIMEOUT_S, Person, Served, say, serving
from .twins import given_steps, same

MOVES = 2
MEASURED = ("/games/{game}/difficulty", "/games/{game}/solved")  # the same for everybody, and slow
GAMES = daily_games()[:1]
OTHER_ROOT = hashlib.sha256(b"another deal of the day").digest()


class Days(NamedTuple):
    """Both servers, the tables of the day by whose they are, and the cookies of people."""

    game: Game
    sides: tuple[Served, Served]
    tables: dict[str, str]
    people: dict[str, httpx.Cookies]


@contextmanager
def play_twice(game: Game, folder: Path) -> Iterator[Days]:
    """Play deals of the day on one server, and copy its database with other secrets."""
    here, there = folder / "here", folder / "there"
    here.mkdir()
    there.mkdir()
    with serving(here, bot_simulations=1) as served, Person(served) as ann, Person(served) as bo:
        tables = {"running": begin(ann, game.id), "other": begin(bo, game.id)}
        for person, table in ((ann, "running"), (bo, "other")):
            for _ in range(MOVES):
                move(served, person, tables[table])
        people = {"ann": ann.web.cookies, "bo": bo.web.cookies, "eve": httpx.Cookies()}
    with closing(sqlite3.connect(here / "tables.db")) as rows, rows:
        # a player's move ended what is over
        drawn = "(SELECT count(*) FROM event WHERE match_id = match.id) - (status = 'over')"
        lengths = dict(rows.execute(f"SELECT id, {drawn} FROM match").fetchall())
    shutil.copy(here / "tables.db", there / "tables.db")
    with closing(sqlite3.connect(there / "tables.db")) as rows, rows:
        rows.execute("UPDATE daily SET secret = ?", (OTHER_ROOT,))
        people_only = "SELECT match_id FROM seat WHERE kind = 'person'"
        update = f"UPDATE match SET secret = ? WHERE game = ? AND id IN ({people_only})"
        rows.execute(update, (OTHER_ROOT, game.id))
    with (
        given_steps(lengths),
        serving(here, bot_simulations=1) as one,
        serving(there, bot_simulations=1) as two,
    ):
        for id in tables.values():
            ours, theirs = (side.live_table(id).history for side in (one, two))
            assert ours.head.secret != theirs.head.secret
            assert ours.match.steps == theirs.match.steps
        yield Days(game, (one, two), tables, people)


@pytest.fixture(scope="module", params=GAMES)
def days(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Days]:
    with play_twice(Game(request.param), tmp_path_factory.mktemp("day")) as days:
        yield days


@contextmanager
def twice(days: Days, who: str) -> Iterator[list[Person]]:
    """Yield the same person at both servers."""
    people = [Person(side) for side in days.sides]
    try:
        for person in people:
            person.web.cookies = days.people[who] or people[0].web.cookies
            person.web.headers["Authorization"] = f"Bearer {person.web.cookies['who']}"
        yield people
    finally:
        for person in people:
            person.web.close()


def fill(days: Days, pattern: str, table: str) -> str:
    code = days.sides[0].live_table(days.tables[table]).history.head.code
    for part in ("{name:path}", "{tournament}", "{variant}", "{puzzle}"):
        pattern = pattern.replace(part, "none")
    return pattern.format(id=days.tables[table], code=code, game=days.game.id)


def difference(here: bytes, there: bytes) -> list[bytes]:
    at = next((i for i, (one, other) in enumerate(zip(here, there, strict=False)) if one != other), 0)
    return [said[max(0, at - 80) : at + 80] for said in (here, there)]


@pytest.mark.parametrize("who", ["ann", "bo", "eve"])
def test_no_page_and_no_call_tells_a_throw_that_was_not_made(days: Days, who: str) -> None:
    with twice(days, who) as people:
        for route, patterns in PATHS.items():
            of_table = "{id}" in route or "{code}" in route
            asked = of_table or (who == "ann" and route not in MEASURED)
            for pattern in patterns if asked else ():
                for table in days.tables if of_table else ["running"]:
                    path = fill(days, pattern, table)
                    here, there = (same(person, person.web.get(path)) for person in people)
                    assert here == there, (table, pattern, difference(here, there))


@pytest.mark.parametrize("who", ["ann", "bo", "eve"])
def test_no_form_and_no_post_tells_a_throw_that_was_not_made(days: Days, who: str) -> None:
    with twice(days, who) as people:
        for pattern, body in POSTS.items():
            if "password" in body:
                continue  # slow on purpose, and of no table
            of_table = pattern.startswith(("/m/{id}", "/api/matches/{id}"))
            for table in days.tables if of_table else ["running"] if who == "ann" else ():
                path, said = fill(days, pattern, table), []
                for side, person in zip(days.sides, people, strict=True):
                    history = side.live_table(days.tables[table]).history
                    if pattern.startswith("/api"):
                        answer = person.web.post(path, json=body)
                    else:
                        first = history.seats[0].player
                        fields = {name.format(first=first): value for name, value in body.items()}
                        answer = person.post(path, ply=history.ply, move="form-" + "0" * 8, **fields)
                    said.append(same(person, answer))
                assert said[0] == said[1], (table, pattern, difference(*said))


@pytest.mark.parametrize("who", ["ann", "bo", "eve"])
def test_no_message_and_no_stream_tells_a_throw_that_was_not_made(days: Days, who: str) -> None:
    with twice(days, who) as people:
        for id in days.tables.values():
            answered = []
            for side, person in zip(days.sides, people, strict=True):
                ply, said = side.live_table(id).history.ply, list[str]()
                with person.socket() as line:
                    for n, message in enumerate(MESSAGES):
                        say(line, **(required_fields(message, id, ply, n) | message))
                        if message["is"] != "hint":  # which is refused, and so answered, in any case
                            say(line, **{"is": "watch", "match": "nosuchmatch"})
                        got = [str(line.recv(TIMEOUT_S))]
                        while not is_answered(message["is"], got):
                            got.append(str(line.recv(TIMEOUT_S)))
                        said += got
                with person.web.stream("GET", f"/api/matches/{id}/stream") as stream:
                    said.append(next(stream.iter_lines()) if stream.status_code == 200 else "")
                answered.append(
                    sorted(re.sub(r'"now":\d+', "", frame) for frame in said if not tells_spectators(frame))
                )
            assert answered[0] == answered[1]


def is_answered(kind: str, frames: list[str]) -> bool:
    """Return whether these frames answer a message: without it, a slow connection shows several changes in one."""
    last = any("nosuchmatch" in frame or (kind == "hint" and '"refusal"' in frame) for frame in frames)
    others = [frame for frame in frames if "nosuchmatch" not in frame and not tells_spectators(frame)]
    return last and (kind != "watch" or bool(others))
