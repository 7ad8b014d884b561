"""Days off hold at every table and can be ended early; players are warned before time runs out. Time is injected."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from smallchange.server.meeting.challenges import begin_match
from smallchange.server.notifications.model import TIME, TURN
from smallchange.server.notifications.rows import count_unread, list_notifications
from smallchange.server.table.live.table_lists import days_left, take_days_off
from smallchange.server.table.model.clock import DAY_MS
from smallchange.server.table.model.commands import Join, NewTable, Offer, PlayMove, Rematch, Resign
from smallchange.server.table.model.new_tables import Wish
from smallchange.server.table.storage import clock_rows as deadlines
from smallchange.server.table.storage.clock_rows import note_server
from smallchange.server.tournaments.model import TournamentOrder
from smallchange.server.web.errors import Refused
from smallchange.server.web.sessions import Account

from .serving import fresh
from .tables import PAIR, greedy
from .tournament_site import Site, site


async def deadline_of(here: Site, id: str) -> int:
    """Return the deadline that is stored of a table, which is that of its clock here and replayed."""
    rows = await here.store.read(deadlines.due_tables)
    found = next(row.at for row in rows if row.match == id)
    stored = await here.store.load(id)
    assert stored is not None
    assert stored.clock == (await here.tables.live.as_stored(id)).history.clock
    assert stored.clock is not None
    assert stored.clock.deadline == found
    return found


async def move(here: Site, id: str) -> None:
    """Let whoever is on turn move."""
    history = (await here.tables.live.as_stored(id)).history
    command = PlayMove(id, history.ply, fresh(), greedy(history.match.position))
    await here.tables.submit(history.seats[history.turn].holder, command)


async def table_for(here: Site, first: Account, second: Account, by_link: bool) -> str:
    """Return a table by correspondence, at which the second sits down if it is `by_link`."""
    order = NewTable(PAIR, time="1d+3d")
    id = await here.tables.openings.create(first.holder, order)
    if by_link:
        code = (await here.tables.live.table(id)).history.head.code
        await here.tables.join(second.holder, code, Join())
    return id


def test_days_off_hold_for_a_table_that_waited_and_one_that_begins_later(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            ann, bo = [await here.account(i) for i in range(2)]
            waiting = await table_for(here, ann, bo, by_link=False)
            await take_days_off(here.tables, ann.holder, 10)
            until = here.time + 10 * DAY_MS
            here.time += DAY_MS // 3
            later = await table_for(here, ann, bo, by_link=True)
            code = (await here.tables.live.table(waiting)).history.head.code
            await here.tables.join(bo.holder, code, Join())
            wish, both = Wish(PAIR, "1d+3d"), (ann, bo)
            accepted = await here.store.write(
                "", lambda c: begin_match(c, here.tables.openings, wish, False, both, here.time)
            )
            if (await here.tables.live.table(accepted)).history.seats[0].holder == bo.holder:
                await move(here, accepted)
            for id in (waiting, later, accepted):
                assert await deadline_of(here, id) == until + 4 * DAY_MS
                await move(here, id)
                assert await deadline_of(here, id) == here.time + 4 * DAY_MS, "the other is not off"
                await move(here, id)
                assert await deadline_of(here, id) == until + 4 * DAY_MS

    asyncio.run(run())


def test_days_off_hold_for_a_rematch_and_for_who_was_paired(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            people = [await here.account(i) for i in range(2)]
            for person in people:
                await take_days_off(here.tables, person.holder, 10)
                await here.seeks.begin(person, [Wish(PAIR, "1d+3d")], rated=True)
            until = here.time + 10 * DAY_MS
            await here.pairer.sweep()
            (paired,) = [row.match for row in await here.store.read(deadlines.due_tables)]
            assert await deadline_of(here, paired) == until + 4 * DAY_MS
            history = (await here.tables.live.table(paired)).history
            await here.tables.submit(people[0].holder, Resign(paired, history.ply, fresh()))
            for person in people:
                rematch = await here.tables.rematch(person.holder, paired, Rematch())
            assert await deadline_of(here, rematch) == until + 4 * DAY_MS
            await move(here, rematch)
            assert await deadline_of(here, rematch) == until + 4 * DAY_MS

    asyncio.run(run())


@pytest.mark.parametrize("kind", ["round-robin", "swiss"])
def test_days_off_hold_for_the_matches_of_a_tournament_that_begins_during_them(
    tmp_path: Path, kind: str
) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            people = [await here.account(i) for i in range(4)]
            order = TournamentOrder("Cup", kind, PAIR, "1d+3d", begins_in=0, rounds=3)
            id = await here.tournaments.open(people[0], order)
            for person in people:
                await here.tournaments.enter(person, id)
            for person in people:
                await take_days_off(here.tables, person.holder, 10)
            while await here.director.sweep():
                pass
            matches = [one.match for one in (await here.find(id)).pairings if one.match]
            assert len(matches) == (2 if kind == "swiss" else 6)
            for match in matches:
                assert await deadline_of(here, match) == here.time + 14 * DAY_MS
            await move(here, matches[0])
            here.time += 2 * DAY_MS
            for person in people:
                await take_days_off(here.tables, person.holder, 0)
            for match in matches:
                assert await deadline_of(here, match) == here.time + 4 * DAY_MS, "they ended early"

    asyncio.run(run())


def test_days_off_that_a_table_does_not_know_are_asked_for_at_its_deadline(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            ann, bo = [await here.account(i) for i in range(2)]
            id = await table_for(here, ann, bo, by_link=True)
            due_at = await deadline_of(here, id)
            began = here.time + DAY_MS
            await here.store.write(
                "", lambda c: deadlines.put_days_off(c, ann.holder, began, began + 2 * DAY_MS)
            )
            for at, ends in ((due_at, False), (due_at + 2 * DAY_MS - 1, False), (due_at + 2 * DAY_MS, True)):
                here.time = here.tables.live.looked_at = at
                assert await here.tables.enforce_time(id) == ends
                if not ends:
                    assert await deadline_of(here, id) == due_at + 2 * DAY_MS

    asyncio.run(run())


def test_days_off_that_end_early_give_back_what_is_not_used(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            ann, bo = [await here.account(i) for i in range(2)]
            id = await table_for(here, ann, bo, by_link=True)
            with pytest.raises(Refused):
                await take_days_off(here.tables, ann.holder, 0)
            here.time += DAY_MS
            await take_days_off(here.tables, ann.holder, 10)
            assert (await days_left(here.tables, ann.holder)).days == 20
            here.time += 3 * DAY_MS
            await take_days_off(here.tables, ann.holder, 0)
            assert await days_left(here.tables, ann.holder) == (27, 0)
            assert await deadline_of(here, id) == here.time + 3 * DAY_MS
            here.time += DAY_MS
            later = await table_for(here, ann, bo, by_link=True)
            assert await deadline_of(here, later) == here.time + 4 * DAY_MS
            await take_days_off(here.tables, ann.holder, 27)
            assert (await days_left(here.tables, ann.holder)).days == 0

    asyncio.run(run())


async def warnings_of(here: Site, person: Account) -> list[str]:
    """Return the tables of which a person was warned, once for each warning; time passes for the clock."""
    here.time += 30_000
    here.tables.live.looked_at = here.time
    await here.store.write("", lambda c: note_server(c, "one", here.time))
    await here.clock.sweep()
    found = await here.store.read(lambda c: list_notifications(c, person.holder, (), 100))
    return [one.match for one in found if one.kind == TIME]


def test_a_player_is_warned_once_a_turn_with_a_quarter_of_the_time_left(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            ann, bo = [await here.account(i) for i in range(2)]
            id = await table_for(here, ann, bo, by_link=True)
            begun = here.time
            here.time = begun + 3 * DAY_MS - 60_000
            assert await warnings_of(here, ann) == [], "more than a quarter of four days is left"
            here.time = begun + 3 * DAY_MS
            assert await warnings_of(here, ann) == [id]
            assert await here.store.read(lambda c: count_unread(c, ann.holder, (TURN,))) == 1
            offer = Offer(id, (await here.tables.live.table(id)).history.ply, fresh(), "draw")
            await here.tables.submit(ann.holder, offer)
            here.time += DAY_MS // 2
            assert await warnings_of(here, ann) == [id], "once a turn"
            await move(here, id)
            assert await here.store.read(lambda c: count_unread(c, ann.holder, ())) == 0
            assert await warnings_of(here, bo) == []
            await move(here, id)
            here.time += 3 * DAY_MS
            assert await warnings_of(here, ann) == [id, id], "a turn of its own"

    asyncio.run(run())


def test_nobody_is_warned_in_days_off(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            ann, bo = [await here.account(i) for i in range(2)]
            id = await table_for(here, ann, bo, by_link=True)
            here.time += 2 * DAY_MS
            await take_days_off(here.tables, ann.holder, 10)
            here.time += 9 * DAY_MS
            assert await warnings_of(here, ann) == []
            here.time += 2 * DAY_MS
            assert await warnings_of(here, ann) == [id]

    asyncio.run(run())
