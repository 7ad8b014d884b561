"""Let a world of accounts live for a virtual month on one database, and say what each part of its life costs.

    python bench/world.py [--accounts 10000] [--days 30] [--matches 200] [--dailies 30]
        [--database URL] [--seed 1]

Time is virtual, the database and the code of the server are the real ones. Each day has waves of quick pairing, whose
matches are played at random, resigned and rated; matches by correspondence, played move by move through the same
door as people's commands, with days off and with people who never come back, whose time runs out; deals of the day; and
once a week a Swiss tournament of 32. Afterwards the reads of the
most used pages are timed for accounts chosen at random.

Printed are, for each part, how often it happened, and the wall time of one: mean, median and 99th percentile in
milliseconds; then the rows and, on SQLite, the bytes of the database. An embedded SQLite is made in a folder that is
removed, unless --database names another database, which must be empty.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import shlex
import sys
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import structlog
from msgspec import structs
from sqlalchemy import Connection, func, insert, select

from smallchange.core.match import Match
from smallchange.server.accounts.rows import account_by_id
from smallchange.server.daily.days import daily_games
from smallchange.server.daily.service import DailyDeals
from smallchange.server.database import schema
from smallchange.server.database.bus import MemoryBus
from smallchange.server.meeting import rows as seeks
from smallchange.server.meeting.rows import StoredSeek
from smallchange.server.meeting.seeking import pair_waiting
from smallchange.server.ratings import rows as ratings
from smallchange.server.ratings.standings import Board
from smallchange.server.services import table_service
from smallchange.server.table.live import table_lists
from smallchange.server.table.live.clock_worker import ClockWorker
from smallchange.server.table.model.clock import DAY_MS, SPEEDS
from smallchange.server.table.model.command_events import step_events
from smallchange.server.table.model.commands import PlayMove
from smallchange.server.table.model.events import Resign
from smallchange.server.table.model.history import History
from smallchange.server.table.model.new_tables import Wish, random_id
from smallchange.server.table.model.outcome import Status, stage
from smallchange.server.table.storage.store import Store
from smallchange.server.tournaments.director import Director
from smallchange.server.tournaments.model import TournamentOrder
from smallchange.server.tournaments.service import Tournaments
from smallchange.server.web.errors import Refused
from smallchange.server.web.event_stream import Waiting
from smallchange.server.web.sessions import Account, AccountState

FIRST_DAY = 20_000  # days since 1970
WAVES = 48  # of pairing, a day
MATCH_STEPS = 40  # of a match between two people, who resign then: random play goes on far too long
MOVE_MS = 4_000  # of virtual time for each step of a live match
LIVE, SLOW = ("dodgem", "5+3"), ("coin-age", "1d+3d")
SLOW_SHARE = 0.05  # of the matches
GONE_SHARE = 0.1  # of the players of those, who never move
DAY_OFF_SHARE = 0.02  # of the players of those, each day
ENTRANTS, ROUNDS = 32, 5
LOOKS = 200  # at each page
AT_ONCE = 50  # matches that end together

structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--accounts", type=int, default=10_000, help=f"from {ENTRANTS} on")
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--matches", type=int, default=200, help="between two people, a day")
    parser.add_argument("--dailies", type=int, default=30, help="people who play each deal of a day")
    parser.add_argument("--database", help="an empty database of PostgreSQL or SQLite")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.accounts < ENTRANTS or asked.days < 1:
        parser.error(f"a world has at least {ENTRANTS} accounts and 1 day")
    print("command: python bench/" + shlex.join(["world.py", *sys.argv[1:]]))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "world.db"
        asyncio.run(World(asked.database or f"sqlite:///{file}", asked).live())
        if not asked.database:
            print(f"SQLite: {sum(part.stat().st_size for part in Path(folder).iterdir()) / 1e6:,.0f} MB")


class World:
    """Accounts on one database, and the time that it is for them."""

    def __init__(self, url: str, asked: argparse.Namespace) -> None:
        self._asked = asked
        self._luck = random.Random(asked.seed)
        self._now = FIRST_DAY * DAY_MS
        self._store = Store(url)
        self._tables = table_service(self._store, MemoryBus(), now=lambda: self._now)
        self._costs: dict[str, list[float]] = defaultdict(list)
        self._slow: list[str] = []  # matches by correspondence that go on
        self._gone: set[str] = set()  # holders who never move
        self._clock = ClockWorker(self._tables, "world")
        self._director = Director(self._tables, "world")
        self._daily = DailyDeals(self._store, self._tables)
        self._tournaments = Tournaments(self._tables, Waiting(set(), asyncio.Event()))
        self._current: list[str] = []  # tournaments that go on
        self._timed_out = 0  # matches that the clock ended

    async def live(self) -> None:
        """Live for all days, and print what they cost."""
        await self._store.open()
        try:
            await self._store.write("", self._add_accounts)
            for day in range(self._asked.days):
                start = perf_counter()
                await self._live_day(FIRST_DAY + day)
                self._costs["a whole day"].append(perf_counter() - start)
            await self._look_at_pages()
            self._print_costs()
            print(f"ended by the clock: {self._timed_out:,} matches")
            print(await self._store.read(rows_by_table))
        finally:
            await self._director.stop()
            await self._store.close()

    def _add_accounts(self, connection: Connection) -> None:
        base = {"created": self._now, "role": "person", "state": AccountState.OPEN, "settings": "{}"}
        names = ("id", "name", "folded", "skeleton", "holder")
        connection.execute(
            insert(schema.account),
            [base | dict.fromkeys(names, account_id(n)) for n in range(self._asked.accounts)],
        )

    async def _live_day(self, day: int) -> None:
        self._now = day * DAY_MS
        if (day - FIRST_DAY) % 7 == 0:
            self._current.append(await self._open_swiss())
        seekers = self._seekers(2 * self._asked.matches)
        for wave in range(WAVES):
            self._now = day * DAY_MS + wave * DAY_MS // WAVES
            share = seekers[wave::WAVES]
            await asyncio.gather(*(self._seek(account) for account in share))
            matches = await self._pair()
            await self._play_out([id for id in matches if id not in self._slow])
            await self._direct()
            await self._rate()
        await self._play_dailies()
        await self._play_slowly()
        await self._end_by_clock()

    def _seekers(self, n: int) -> list[str]:
        """Return the accounts that look for a game in a day; some play far more than others."""
        accounts = self._asked.accounts
        return [account_id(int(accounts * self._luck.random() ** 3)) for _ in range(n)]

    async def _seek(self, account: str) -> None:
        game, time = SLOW if self._luck.random() < SLOW_SHARE else LIVE
        now = self._now
        seek = StoredSeek(random_id(12), account, (Wish(game, time),), True, now, now + DAY_MS, now, None)
        with self._time("seek"):
            await self._store.write(account, lambda c: seeks.put_seek(c, seek))

    async def _pair(self) -> list[str]:
        """Run waves of pairing until nobody more is paired; return the matches."""
        matches: list[str] = []
        while True:
            with self._time("wave of pairing"):
                found = await self._store.write(
                    "pairer", lambda c: pair_waiting(c, self._tables.openings, self._now)
                )
            if not found:
                return matches
            matches += [pairing.match for pairing in found]
            for id in matches[-len(found) :]:
                history = await self._load(id)
                if history.head.control and not history.head.control.live:
                    self._slow.append(id)
                    self._leave(seat.holder for seat in history.seats)

    def _leave(self, holders: Iterable[str]) -> None:
        """Let some of these players never move."""
        self._gone.update(holder for holder in holders if self._luck.random() < GONE_SHARE)

    async def _play_out(self, ids: list[str]) -> None:
        """Play matches to their ends, by random moves, some of them at a time."""
        for begin in range(0, len(ids), AT_ONCE):
            await asyncio.gather(*(self._finish(id) for id in ids[begin : begin + AT_ONCE]))

    async def _finish(self, id: str) -> None:
        history = await self._load(id)
        match = play_at_random(history.match.copy(), self._luck, MATCH_STEPS if history.head.rated else None)
        await self._store_whole(history, match)

    async def _store_whole(self, history: History, match: Match) -> None:
        """Store the rest of a match that was played on a copy; whose turn it is resigns where it is not over."""
        id, ply = history.head.id, history.ply
        events = step_events(match, len(history.match), self._now)
        if not match.over:
            events.append(Resign(match.position.s.turn, self._now))
        events = [structs.replace(event, at=event.at + n * MOVE_MS) for n, event in enumerate(events)]
        history.append(events)
        reached = stage(history)
        with self._time("whole match stored"):
            assert await self._store.append(id, ply, events, stage=reached, clock=history.clock)

    async def _load(self, id: str) -> History:
        with self._time("table read"):
            history = await self._store.load(id)
        assert history is not None
        return history

    async def _rate(self) -> None:
        while True:
            with self._time("batch of ratings"):
                done = await self._store.write("rater", ratings.rate_waiting)
            if not done:
                return

    async def _play_dailies(self) -> None:
        for game in daily_games():
            players = self._luck.sample(range(self._asked.accounts), self._asked.dailies)
            for player in players:
                with self._time("deal of the day begun"):
                    id = await self._daily.play(account_id(player), account_id(player), game)
                history = await self._load(id)
                if not history.ending:
                    await self._finish(id)
        with self._time("cards of the day"):
            await self._daily.cards(account_id(0))

    async def _play_slowly(self) -> None:
        """Let who plays by correspondence take a turn, or some days off."""
        for id in self._slow:
            await self._take_turn(id)
        self._slow = [id for id in self._slow if not (await self._tables.live.table(id)).history.ending]

    async def _take_turn(self, id: str) -> None:
        """Let the player on turn take a step, unless they are gone; sometimes they take days off first."""
        history = (await self._tables.live.table(id)).history
        if history.ending or history.match.position.s.turn < 0:
            return
        holder = history.seats[history.match.position.s.turn].holder
        if holder in self._gone:
            return
        if self._luck.random() < DAY_OFF_SHARE:
            await self._take_days_off(holder)
        token = self._luck.choice(history.match.position.legal())
        if await self._tables.enforce_time(id):
            return
        ply = (await self._tables.live.table(id)).history.ply
        with self._time("move by correspondence"):
            await self._tables.submit(holder, PlayMove(id, ply, random_id(12), token))

    async def _end_by_clock(self) -> None:
        """End the matches of those who are gone."""
        while True:
            with self._time("sweep of the clock"):
                ended = await self._clock.sweep()
            if not ended:
                break
            self._timed_out += ended

    async def _take_days_off(self, holder: str) -> None:
        try:
            with self._time("days off"):
                await table_lists.take_days_off(self._tables, holder, 2)
        except Refused:  # the stock is empty, or days off go on
            pass

    async def _open_swiss(self) -> str:
        """Open a Swiss tournament that begins at once, and return its id."""
        order = TournamentOrder("Swiss", "swiss", *LIVE, rounds=ROUNDS, begins_in=0)
        opener = await self._account(0)
        with self._time("tournament opened"):
            id = await self._tournaments.open(opener, order)
        for n in self._luck.sample(range(self._asked.accounts), ENTRANTS):
            entrant = await self._account(n)
            with self._time("entry"):
                await self._tournaments.enter(entrant, id)
        return id

    async def _direct(self) -> None:
        """Let the director work, and play the matches of the rounds that it opens."""
        while self._current:
            await self._sweep_director()
            found = [await self._tournaments.find(id) for id in self._current]
            self._current = [one.head.id for one in found if one.head.ended is None]
            ids = await self._store.read(lambda c: running_tournament_matches(c))
            if not ids:
                return
            await self._play_out(ids)
        await self._sweep_director()

    async def _sweep_director(self) -> None:
        with self._time("sweep of the director" + (" over a Swiss" if self._current else "")):
            await self._director.sweep()

    async def _account(self, n: int) -> Account:
        account = await self._store.read(lambda c: account_by_id(c, account_id(n)))
        assert account is not None
        return account

    async def _look_at_pages(self) -> None:
        """Time the reads behind the most used pages."""
        game, now = LIVE[0], self._now
        looks: dict[str, Callable[[str], Awaitable[Any]]] = {
            "read: your games": lambda who: self._store.tables_of(who),
            "read: results": lambda who: self._store.results(who),
            "read: tables in the lobby": lambda who: self._store.open_tables(now - DAY_MS, now),
            "read: ratings of a profile": lambda who: self._store.read(
                lambda c: ratings.standings_of(c, who)
            ),
            "read: graph of a rating": lambda who: self._store.read(
                lambda c: ratings.rating_history(c, Board(who, game, SPEEDS[0]))
            ),
            "read: deals of the day": lambda who: self._daily.cards(who),
            "read: leaderboard": lambda who: self._store.read(
                lambda c: ratings.leaderboard(c, game, SPEEDS[0], now)
            ),
        }
        for title, look in looks.items():
            for _ in range(LOOKS):
                who = self._seekers(1)[0]
                with self._time(title):
                    await look(who)

    @contextmanager
    def _time(self, part: str) -> Iterator[None]:
        start = perf_counter()
        yield
        self._costs[part].append(perf_counter() - start)

    def _print_costs(self) -> None:
        print(f"{'':34}{'n':>9}{'mean ms':>10}{'median':>10}{'p99':>10}")
        for part, seconds in self._costs.items():
            ms = 1000 * np.array(seconds)
            print(f"{part:34}{len(ms):9,}{ms.mean():10.2f}{np.median(ms):10.2f}{np.percentile(ms, 99):10.2f}")


def account_id(n: int) -> str:
    """Return the id, name and holder of an account."""
    return f"account{n:07}"


def play_at_random(match: Match, luck: random.Random, steps: int | None) -> Match:
    """Play a match by random moves, to its end or for so many steps."""
    while not match.over and (steps is None or len(match) < steps):
        match.play(luck.choice(match.position.legal()))
        match.settle()
    return match


def running_tournament_matches(connection: Connection) -> list[str]:
    """Return the ids of the tournament matches that go on."""
    side, match = schema.tournament_side.c, schema.match.c
    query = select(match.id).join(schema.tournament_side, side.match_id == match.id)
    query = query.where(match.status == Status.PLAYING)
    return list(connection.execute(query.distinct().order_by(match.id)).scalars())


def rows_by_table(connection: Connection) -> str:
    """Return the number of rows of each table that has any."""
    counts = {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in schema.metadata.sorted_tables
    }
    return "rows: " + ", ".join(f"{name} {n:,}" for name, n in counts.items() if n)


if __name__ == "__main__":
    main()
