"""The law of crashes: a process that dies at any statement, in any role, leaves a database that is whole.

Each role does its work once undisturbed. Then it does the same while its connection dies at the first statement of
each step, then at the second, and so on, and a new process that knows only what is stored goes on. After each death
the database is in a state in which the undisturbed run has left it too, but for random columns: those that differ
between two such runs. In the end it is in the same state, so each deed was done once. `test_kill.py` kills processes,
once on each kind of database.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event

from smallchange.server.accounts.rows import begin_session
from smallchange.server.daily.days import daily_games
from smallchange.server.database import schema
from smallchange.server.notifications.model import Outcome
from smallchange.server.notifications.outbox import DELAY_MS, Notifier
from smallchange.server.notifications.push import Push, PushLetter, Subscription, put_subscription
from smallchange.server.settings import Settings
from smallchange.server.table.model.commands import Join, NewTable, PlayMove, Resign
from smallchange.server.table.model.new_tables import Wish
from smallchange.server.table.model.outcome import MIN_COUNTED_MOVES
from smallchange.server.tournaments.kinds import kind_of, swiss
from smallchange.server.tournaments.model import Phase, TournamentOrder
from smallchange.server.web.errors import Refused

from .dying import Deaths
from .serving import fresh
from .tables import PAIR, greedy
from .tournament_site import SHORT, Site, site

Step = Callable[[], Awaitable[object]]
State = dict[str, tuple[str, ...]]  # the values of each column, sorted


def read_state(connection: Connection) -> State:
    """Return the content of a database, as its driver has it: it is read thousands of times."""
    found, cursor = State(), connection.connection.cursor()
    for table in schema.metadata.sorted_tables:
        if table is schema.probe:
            continue  # what a probe of the disk leaves is emptied by the next one
        cursor.execute(f'SELECT * FROM "{table.name}"')
        rows = cursor.fetchall()
        for i, (column, *_) in enumerate(cursor.description):
            found[f"{table.name}.{column}"] = tuple(sorted(repr(row[i]) for row in rows))
    return found


async def bring_about(
    folder: Path, work: Callable[[Site], AsyncIterator[Step]], dies: bool
) -> tuple[list[State], int]:
    """Do the work of a role; return the states of the database after its steps or deaths, and the number of deaths."""
    folder.mkdir()
    async with site(folder) as here:
        deaths, states, found = Deaths(here.store._engine), list[State](), list[State]()
        if not dies:
            event.listen(here.store._engine, "commit", lambda c: states.append(read_state(c)))
        async with aclosing(work(here)) as steps:  # type: ignore[type-var]
            async for step in steps:
                for statement in count(1):
                    here.begin()  # in each run: who is present is known to a process alone
                    deaths.countdown, before = statement if dies else 0, deaths.number
                    try:
                        await step()
                    except Refused:
                        assert deaths.number > before
                    if deaths.number == before:
                        break
                    found.append(await here.store.read(read_state))
                deaths.countdown = 0
        found.append(await here.store.read(read_state))
        return [*states, *found], deaths.number


async def direct(here: Site, kind: str, entries: int, **more: Any) -> AsyncIterator[Step]:
    """Open and play a tournament to its end."""
    people = [await here.account(i) for i in range(entries)]
    ids = list[str]()
    usual = {"game": PAIR, "time": "1+2", "options": SHORT}
    order = TournamentOrder(name="Cup", kind=kind, begins_in=0, **(usual | more))

    async def open() -> None:
        ids.append(await here.tournaments.open(people[0], order))

    yield open
    for person in people:
        yield lambda: here.tournaments.enter(person, ids[0])  # noqa: B023
    while (found := await here.find(ids[0])).phase not in (Phase.OVER, Phase.CANCELLED):
        yield lambda: here.director.advance(ids[0])
        await here.resign_all(ids[0])
        here.time += 120_000
        if kind_of(found).closes_at(found.head) and (await here.find(ids[0])).phase == Phase.RUNNING:
            for person in people:
                yield lambda: here.tournaments.open_deal(person, ids[0])  # noqa: B023
            here.time += more["minutes"] * 60_000


async def pair_in_process(ask: Any, *asked: Any) -> Any:
    """Pair in this process, in place of a pool of others, which takes seconds to begin."""
    return swiss.pair_numbers(asked[-1])


async def play(here: Site, ends: bool = True) -> AsyncIterator[Step]:
    """Open a table, sit down, play, and resign: each command is sent again until it is acknowledged."""
    people, ids = [await here.account(i) for i in range(2)], list[str]()

    async def open() -> None:
        ids.append(
            await here.tables.openings.create(people[0].holder, NewTable(PAIR, time="1+0", rated=True))
        )

    yield open
    head = (await here.tables.live.table(ids[0])).history.head
    yield lambda: here.tables.join(people[1].holder, head.code, Join())
    for n in range(2 * MIN_COUNTED_MOVES + ends):
        history = (await here.tables.live.table(head.id)).history
        holder = history.seats[history.turn].holder
        ply, id, token = history.ply, fresh(), greedy(history.match.position)
        is_last = n == 2 * MIN_COUNTED_MOVES
        command = Resign(head.id, ply, id) if is_last else PlayMove(head.id, ply, id, token)
        yield lambda: here.tables.submit(holder, command)  # noqa: B023
        stored = await here.store.load(head.id)
        assert stored
        assert repr(stored.events).count(id) == 1, "acknowledged, and not stored once"


async def rate(here: Site) -> AsyncIterator[Step]:
    """Rate a match."""
    async for step in play(here):
        await step()
    yield lambda: here.rater.sweep()


async def end_by_clock(here: Site) -> AsyncIterator[Step]:
    """End a match whose time is out."""
    async for step in play(here, ends=False):
        await step()
    here.time += 62_000
    yield lambda: here.clock.sweep()


async def pair(here: Site) -> AsyncIterator[Step]:
    """Pair people who look for a game."""
    for i in range(4):
        person = await here.account(i)
        yield lambda: here.seeks.begin(person, [Wish(PAIR, "5+3")], True)  # noqa: B023
    yield lambda: here.pairer.sweep()


async def notify(here: Site) -> AsyncIterator[Step]:
    """Send to browsers that it is a player's turn: never twice."""
    sent = list[str]()

    class Sending(Push):
        async def send(self, letter: PushLetter, tries: int) -> Outcome:
            sent.append(letter.topic)
            return Outcome.SENT

    def sweep() -> Awaitable[int]:
        notifier = Notifier(here.tables, Settings(site="https://play.example"), "one")
        notifier._push = Sending(here.store, here.tables, Settings())
        return notifier.sweep()

    for n in range(2):
        person = await here.account(n)
        browser = Subscription(f"{n}", person.id, f"{n}", "https://push.example/x", "", "", "en", 0, 0)

        def sign_in(connection: Connection) -> None:
            begin_session(connection, browser.session, browser.account_id, 0, "")  # noqa: B023
            put_subscription(connection, browser)  # noqa: B023

        await here.store.write("", sign_in)
    for _ in range(3):
        order = NewTable(PAIR, time="1d+3d")
        id = await here.tables.openings.create(f"{0:064}", order)
        await here.tables.join(f"{1:064}", (await here.tables.live.table(id)).history.head.code, Join())
    here.time += DELAY_MS
    yield sweep
    assert sent
    assert len(sent) == len(set(sent)), "told twice"


WORK: dict[str, Callable[[Site], AsyncIterator[Step]]] = {
    "serve": play,
    "clock": end_by_clock,
    "rater": rate,
    "pairer": pair,
    "notifier": notify,
    "round robin": partial(direct, kind="round-robin", entries=3),
    "Swiss": partial(direct, kind="swiss", entries=5, rounds=3),
    "arena": partial(direct, kind="arena", entries=4, minutes=5),
    "duel": partial(direct, kind="duel", entries=2, game=daily_games()[0], time="", options={}, minutes=15),
}


@pytest.mark.parametrize("role", WORK)
def test_a_process_that_dies_at_any_statement_leaves_a_whole_database_and_each_deed_done_once(
    role: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smallchange.server.table.live.bot_workers.WorkerPool.ask", pair_in_process)

    async def run() -> None:
        runs = [await bring_about(tmp_path / str(n), WORK[role], False) for n in range(2)]
        (first, _), (second, _) = runs
        both = list(zip(first, second, strict=True))
        fixed = [column for column in first[-1] if all(one[column] == other[column] for one, other in both)]
        whole = [[state[column] for column in fixed] for state in first]
        found, deaths = await bring_about(tmp_path / "deaths", WORK[role], True)
        for state in found:
            assert [state[column] for column in fixed] in whole
        assert [found[-1][column] for column in fixed] == whole[-1]
        assert deaths > 2

    asyncio.run(run())
