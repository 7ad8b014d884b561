"""Seasons with divisions: promotion, the next season, withdrawals, and late entries."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from smallchange.server.meeting import meeting_rows as meetings
from smallchange.server.table.model.time_control import DAY_MS
from smallchange.server.table.storage import deadline_rows as deadlines
from smallchange.server.tournaments.kinds import kind_of
from smallchange.server.tournaments.kinds.season import FALLS, RISES
from smallchange.server.tournaments.model import Phase
from smallchange.server.tournaments.standings import scores
from smallchange.server.web.account import Account
from smallchange.server.web.errors import ErrorCode, Refused

from .tournament_site import Site, site


async def open_season(here: Site, number: int) -> tuple[str, list[Account]]:
    return await here.open("season", number, time="1d+3d", options={})


async def sweep(here: Site) -> None:
    while await here.director.sweep():
        pass


async def names(here: Site, id: str) -> dict[int, list[str]]:
    """Return the names of each division."""
    found = await here.find(id)
    divisions = found.divisions
    return {d: [one.name for one in found.entries if one.division == d] for d in divisions}


def test_a_season_leads_to_the_next_with_promotion_late_entries_and_withdrawals(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, people = await open_season(here, 9)
            await sweep(here)
            first = await names(here, id)
            assert [len(part) for part in first.values()] == [5, 4]
            late, gone = await here.account(50), people[0]
            await here.tournaments.enter(late, id)  # in the next season
            await here.tournaments.withdraw(gone, id)
            assert len((await here.find(id)).pairings) == 5 * 4 // 2 + 4 * 3 // 2
            await here.resign_all(id)
            await sweep(here)
            found = await here.find(id)
            assert found.phase == Phase.OVER
            assert found.next_id
            following = await here.find(found.next_id)
            moves = kind_of(found).moves(found)
            names_of = {one.number: one.name for one in found.entries}
            rising = [names_of[number] for number, move in moves.items() if move == RISES]
            falling = [names_of[number] for number, move in moves.items() if move == FALLS]
            assert len(rising) == 1
            assert falling == []  # the one who has left counts as the last
            entered = [one.name for one in following.entries]
            assert sorted(entered) == sorted([one.name for one in people[1:]] + [late.name])
            assert entered[0] == rising[0]
            assert entered[-1] == late.name
            head = following.head
            assert (head.season, head.phase, head.begins_at) == (2, Phase.OPEN, here.time + 3 * DAY_MS)
            newcomer = await here.account(51)
            await here.tournaments.enter(newcomer, head.id)
            assert await here.director.sweep() == 0
            here.time += 3 * DAY_MS
            await sweep(here)
            second = await names(here, head.id)
            assert rising[0] in second[1]
            assert {late.name, newcomer.name} <= set(second[2])

    asyncio.run(run())


def test_who_never_comes_is_not_in_the_next_season_and_a_season_of_nobody_is_the_last(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, _ = await open_season(here, 3)
            await sweep(here)
            while due := await here.store.read(deadlines.due_tables):
                here.time = due[0].at
                assert await here.clock.sweep()
                while await here.director.sweep():
                    pass
            found = await here.find(id)
            assert found.phase == Phase.OVER
            came = {number for number, points in scores(found).items() if points}
            following = await here.find(found.next_id) if found.next_id else None
            assert (len(following.entries) if following else 0) == (len(came) if len(came) > 1 else 0)

    asyncio.run(run())


def test_people_who_block_each_other_share_the_point_without_a_match(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, people = await open_season(here, 3)
            await here.store.write("", lambda c: meetings.set_block(c, people[0].id, people[1].id, True))
            await sweep(here)
            shared = [one for one in (await here.find(id)).pairings if one.match is None and one.second]
            assert [(set(one.entries), one.points) for one in shared] == [({1, 2}, (1, 1))]

    asyncio.run(run())


def test_a_season_is_played_by_correspondence_and_a_single_entry_cancels_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            with pytest.raises(Refused) as refused:
                await here.open("season", 1)
            assert refused.value.code == ErrorCode.BAD_TOURNAMENT
        async with site(tmp_path / "other") as here:
            id, _ = await open_season(here, 1)
            await sweep(here)
            found = await here.find(id)
            assert (found.phase, found.next_id) == (Phase.CANCELLED, None)

    (tmp_path / "other").mkdir()
    asyncio.run(run())
