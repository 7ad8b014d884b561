"""Two servers that look alike and hold different secrets, and the same people at both."""

from __future__ import annotations

import hashlib
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self
from urllib.parse import quote

import httpx
import pytest

from smallchange import bots, games
from smallchange.core.game import Game
from smallchange.core.match import Match
from smallchange.server.daily.days import daily_games
from smallchange.server.table.model.history import Head, History

from .dailies import begin, move
from .serving import Person, Served, serving

STEPS = 6
SECRETS = 1000  # that are tried with the same moves
LINES = 1000  # of moves that are tried for one that chance answers before the end
GAMES = games()
MIDDLE, SCREEN, WAITING, OTHER = "by two", "at one screen", "waiting for a player", "another by two"
DAY, DAY_OF_BO = "the deal of the day", "the same deal of another player"
ALONE = (MIDDLE,)  # of a game for one


class TwinServers(NamedTuple):
    """Two servers with the same tables but for the secrets; people are known by their cookies."""

    game: Game
    sides: tuple[Served, Served]
    tables: dict[str, str]
    people: dict[str, httpx.Cookies]
    lines: dict[str, list[tuple[int, str]]]  # of each table; chance answers the last move, alike on both


@contextmanager
def play_twice(game: Game, here: Path, there: Path) -> Iterator[TwinServers]:
    """Play the tables on one server, and copy its database."""
    with serving(here) as served, Person(served) as ann, Person(served) as bo:
        tables = {MIDDLE: in_the_middle(served, game, [ann, bo])}
        if len(game.seats) > 1:
            both = {f"seat.{player}": "me" for player in game.seats}
            tables[SCREEN] = in_the_middle(served, game, [ann, ann], **both)
            tables[WAITING] = ann.open(game.id, name="Ann")
            tables[OTHER] = in_the_middle(served, game, [ann, bo])
        if game.id == daily_games()[0]:
            for person, table in ((ann, DAY), (bo, DAY_OF_BO)):
                tables[table] = begin(person, game.id)
                move(served, person, tables[table])
        histories = {table: served.live_table(id).history for table, id in tables.items()}
        people = {"ann": ann.web.cookies, "bo": bo.web.cookies, "eve": httpx.Cookies()}
    told = {history.head.id: len(history.match) for history in histories.values()}
    with closing(sqlite3.connect(here / "tables.db")) as rows:
        _keep(rows, list(told))
        rows.commit()
    shutil.copy(here / "tables.db", there / "tables.db")
    lines, root = {}, hashlib.sha256(b"another deal of the day").digest()
    with closing(sqlite3.connect(there / "tables.db")) as rows:
        rows.execute("UPDATE daily SET secret = ?", (root,))
        for table, history in histories.items():
            secret, lines[table] = (root, []) if table in (DAY, DAY_OF_BO) else another_secret(history)
            rows.execute("UPDATE match SET secret = ? WHERE id = ?", (secret, history.head.id))
        rows.commit()
    # bots look at no clock, so what they find depends on the position alone
    with (
        given_steps(told),
        serving(here, bot_simulations=20) as one,
        serving(there, bot_simulations=20) as two,
    ):
        for id in told:
            assert one.live_table(id).history.head.secret != two.live_table(id).history.head.secret
        yield TwinServers(game, (one, two), tables, people, lines)


@contextmanager
def given_steps(lengths: dict[str, int]) -> Iterator[None]:
    """Take so many steps of these tables as given, as after a fork: they fit one of the secrets alone."""
    of_forks = Head.fork_length.fget  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Head, "fork_length", property(lambda head: lengths.get(head.id) or of_forks(head)))
        yield


def in_the_middle(served: Served, game: Game, people: Sequence[Person], **fields: str) -> str:
    """Return a table in mid-game, where one of the moves is not answered by chance, if that can be."""
    choose = bots.bot("greedy", luck=Random(5))
    while True:
        id = people[0].open(game.id, name="Ann", **fields)
        history = served.live_table(id).history
        if not history.started:
            people[1].post(f"/j/{history.head.code}", name="Bo")
        taken = 0
        while not history.ending and (taken < STEPS or (has_quiet_moves(game) and not quiet(history.match))):
            people[history.turn].command(id, "act", history.ply, token=choose(history.match.position))
            taken += 1
        if not history.ending and any(not after.over for _, after, _ in lines(history.match)):
            return id


def lines(start: Match) -> Iterator[tuple[Match, Match, list[tuple[int, str]]]]:
    """Yield a match before and after chance answers moves of two bots, and those moves; one move without chance."""
    for n in range(LINES):
        match, moves, luck = start.copy(), list[tuple[int, str]](), Random(n)
        players = [bots.bot(name, luck=luck) for name in ("greedy", "random")]
        while not moves or (match.game.sources and match.position.actor not in ("chance", None)):
            token = luck.choice(players)(match.position)
            moves.append((match.position.s.turn, token))
            match.play(token)
        after = match.copy()
        after.settle()
        yield match, after, moves


@cache
def has_quiet_moves(game: Game) -> bool:
    """Is there a move in a whole match of greedy players that chance does not answer?"""
    match, choose = Match(game, bytes(16)), bots.bot("greedy", luck=Random(5))
    while True:
        match.settle()
        if match.over or quiet(match):
            return not match.over
        match.play(choose(match.position))


def quiet(match: Match) -> list[str]:
    """Return the moves that chance does not answer, and that do not end the game."""
    found = []
    for token in match.position.legal():
        after = match.copy()
        after.play(token)
        if after.position.actor not in ("chance", None):
            found.append(token)
    return found


def another_secret(history: History) -> tuple[bytes, list[tuple[int, str]]]:
    """Return another secret for a table, and moves of which chance answers the last one alike by both; one move
    where there is no chance."""
    secrets = (hashlib.sha256(f"another {n}".encode()).digest() for n in count())
    if not history.started:
        return next(secrets), []
    for match, after, moves in lines(history.match):
        for secret in islice(secrets, 0 if after.over else SECRETS):
            other = match.copy()
            other.deal = replace(history.envelope, secret=secret).deal()
            other.settle()
            if other.steps == after.steps:
                return secret, moves
    raise AssertionError


def _keep(rows: sqlite3.Connection, ids: list[str]) -> None:
    """Drop the tables whose games ended too soon."""
    marks = ", ".join("?" * len(ids))
    for table, key in (("event", "match_id"), ("seat", "match_id"), ("match", "id")):
        rows.execute(f"DELETE FROM {table} WHERE {key} NOT IN ({marks})", ids)


class Twins:
    """The same viewer of the same table at both servers."""

    def __init__(self, servers: TwinServers, table: str, who: str) -> None:
        self.sides, self.id = servers.sides, servers.tables[table]
        self._code, self._game = self.sides[0].live_table(self.id).history.head.code, servers.game.id
        self.people = [Person(side) for side in self.sides]
        for person in self.people:
            person.web.cookies = servers.people[who] or self.people[0].web.cookies
            person.web.headers["Authorization"] = f"Bearer {person.web.cookies['who']}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for person in self.people:
            person.web.close()

    def path(self, pattern: str) -> str:
        pattern = (
            pattern.replace("{name:path}", "Nobody")
            .replace("{tournament}", "none")
            .replace("{puzzle}", "none")
        )
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
                ply = side.live_table(self.id).history.ply
                first = side.live_table(self.id).history.seats[0].player
                fields = {name.format(first=first): value for name, value in body.items()}
                answer = person.post(path, **({"ply": ply, "move": "form-" + "0" * 8} | fields))
            said.append(answer)
        return self._same(said)

    def _same(self, answers: list[httpx.Response]) -> list[bytes]:
        histories = [side.live_table(self.id).history for side in self.sides]
        said = [same(*asked) for asked in zip(self.people, answers, strict=True)]
        return [without_secrets(*of) for of in zip(histories, said, strict=True)]


def without_secrets(history: History, said: bytes) -> bytes:
    """Return a table's texts without its secrets; once it is over, they are told, as they should be."""
    if history.ending and history.match.deal:
        for secret in (history.head.secret, history.match.deal):
            said = said.replace(secret.hex().encode(), b"opened")
    return said


def same(person: Person, answer: httpx.Response) -> bytes:
    """Return an answer without what differs from call to call: the clock, figures, the id for the next move."""
    headers = [(k, v) for k, v in answer.headers.items() if k not in ("date", "content-length")]
    text = re.sub(r'(name="(?:move|code|press)" value)="[^"]+"', r"\1", answer.text)
    for address in (person.served.url, quote(person.served.url, safe="")):  # whole addresses, for other sites
        text = text.replace(address, "")
    text = re.sub(r'(closes_in_ms":|class="closes">)[^<,]+', r"\1", text)
    if answer.url.path == "/metrics":
        text = re.sub(r"[\d.e+-]+", "0", text)
    return f"{answer.status_code} {headers} {text}".encode()
