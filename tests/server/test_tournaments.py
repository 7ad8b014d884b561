"""Tournaments on one process: entries, rounds and results."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import nullcontext
from pathlib import Path

import pytest

from smallchange.server.meeting import rows as meetings
from smallchange.server.notifications.mail import news_mail
from smallchange.server.notifications.model import BEGUN, TURN, ListedNotification
from smallchange.server.notifications.rows import (
    count_unread,
    list_lines,
    list_notifications,
    mark_read,
)
from smallchange.server.notifications.view import line_path
from smallchange.server.table.model.clock import MINUTE_MS
from smallchange.server.table.model.commands import Resign
from smallchange.server.table.model.events import RETURN_MS
from smallchange.server.tournaments.kinds.arena import ends_at
from smallchange.server.tournaments.kinds.kind import BEGIN_AFTER_MS
from smallchange.server.tournaments.model import Phase, TournamentOrder, scores
from smallchange.server.web.errors import ErrorCode, Refused

from .outside import postgresql
from .serving import fresh
from .tables import PAIR
from .tournament_site import SHORT, play_first, site


def test_a_swiss_of_people_is_played_to_its_end_with_a_bye_a_late_entry_and_a_withdrawal(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, people = await here.open("swiss", 5, rounds=3)
            assert await here.director.sweep() == 1
            assert await here.director.sweep() == 0
            late = await here.account(5)
            await here.tournaments.enter(late, id)
            await here.resign_all(id)
            assert await here.director.sweep() == 2  # the results, and the next round
            with pytest.raises(Refused) as refused:
                await here.tournaments.enter(await here.account(6), id)
            assert refused.value.code == ErrorCode.CANNOT_ENTER
            await here.tournaments.withdraw(people[4], id)
            for _ in range(2):
                await here.resign_all(id)
                await here.director.sweep()
            found = await here.find(id)
            assert found.phase == Phase.OVER
            met = Counter(frozenset(one.entries) for one in found.pairings)
            assert max(met.values()) == 1
            byes = [one.first for one in found.pairings if one.second is None]
            assert len(byes) == 2
            assert byes[0] != byes[1]
            assert sum(scores(found).values()) == 2 * len(found.pairings)

    asyncio.run(run())


def test_a_round_robin_by_correspondence_begins_all_its_rounds_and_gives_walkovers(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            people = [await here.account(i) for i in range(4)]
            order = TournamentOrder("Cup", "round-robin", PAIR, "1d+3d", begins_in=0)
            id = await here.tournaments.open(people[0], order)
            for person in people:
                await here.tournaments.enter(person, id)
            assert await here.director.sweep() == 1
            await here.tournaments.withdraw(people[3], id)
            assert await here.director.sweep() + await here.director.sweep() == 2
            found = await here.find(id)
            assert len({frozenset(one.entries) for one in found.pairings}) == 6
            assert [one.match is None for one in found.pairings if one.walkover] == [True, True]
            await here.resign_all(id)
            while await here.director.sweep():
                pass
            assert (await here.find(id)).phase == Phase.OVER

    asyncio.run(run())


def test_who_lets_a_first_turn_by_correspondence_pass_loses_though_the_other_had_no_turn(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, _ = await here.open("swiss", 2, time="1d+3d", rounds=2)
            await here.clock.sweep()
            await here.director.sweep()
            (only,) = (await here.find(id)).pairings
            clock = (await here.tables.live.table(str(only.match))).history.clock
            assert clock
            assert clock.deadline
            here.time = here.tables.live.looked_at = clock.deadline  # no outage
            await here.pass_ms(4_000)
            found = await here.find(id)
            (only,) = found.pairings
            assert (only.points, only.walkover) == ((0, 2), True)
            assert [one.number for one in found.entries if one.withdrawn] == [only.first]

    asyncio.run(run())


def test_who_let_a_first_turn_pass_is_paired_again_after_coming_back(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, people = await here.open("arena", 2, minutes=60)
            await here.clock.sweep()
            await here.director.sweep()
            await here.pass_ms(122_000)
            assert len((await here.find(id)).pairings) == 1, "nobody is there to be met"
            for person in people:
                await here.tournaments.enter(person, id)
            await here.pass_ms(4_000)
            assert len((await here.find(id)).pairings) == 2

    asyncio.run(run())


@pytest.mark.parametrize(("present", "absent"), [(2, 2), (4, 4)])
def test_in_an_arena_the_absent_come_after_the_present(tmp_path: Path, present: int, absent: int) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, people = await here.open("arena", present + absent, minutes=10)
            there = {person.holder for person in people[:present]}
            for _ in range(150):
                await here.pass_ms(4_000)
                for one in (await here.find(id)).open_pairings:
                    await here.arrive(str(one.match), there)
                    history = (await here.tables.live.table(str(one.match))).history
                    holder = history.seats[history.turn].holder if history.turn >= 0 else ""
                    if holder in there:
                        if history.ply:  # both sides were there
                            await here.tables.submit(holder, Resign(history.head.id, history.ply, fresh()))
                        else:
                            await play_first(here, history)
            found = await here.find(id)
            points = scores(found)
            by_person = [points[one.number] for one in found.entries]
            met = Counter(number > present for one in found.pairings for number in one.entries)
            assert max(by_person[present:]) == 0
            assert min(by_person[:present]) > 0
            assert met[True] <= 2 * absent < met[False]

    asyncio.run(run())


def test_an_arena_pairs_whoever_is_free_until_its_time_is_over(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, _ = await here.open("arena", 3, minutes=5)
            for _ in range(3):
                assert await here.director.sweep() > 0
                assert len([one for one in (await here.find(id)).pairings if one.points is None]) == 1
                await here.resign_all(id)
            here.time += 5 * 60_000
            await here.director.sweep()
            found = await here.find(id)
            assert (found.phase, len(found.pairings)) == (Phase.OVER, 3)

    asyncio.run(run())


def test_a_tournament_without_two_entries_is_cancelled(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, _ = await here.open("swiss", 1)
            assert await here.director.sweep() == 1
            assert (await here.find(id)).phase == Phase.CANCELLED

    asyncio.run(run())


def test_people_of_whom_one_blocks_the_other_are_not_paired(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, people = await here.open("swiss", 4, rounds=3)
            await here.store.write("", lambda c: meetings.set_block(c, people[0].id, people[1].id, True))
            for _ in range(4):
                await here.director.sweep()
                await here.resign_all(id)
            found = await here.find(id)
            assert {1, 2} not in [set(one.entries) for one in found.pairings]
            assert found.phase == Phase.OVER

    asyncio.run(run())


def test_in_a_round_robin_people_of_whom_one_blocks_the_other_share_the_point_without_a_match(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, people = await here.open("round-robin", 3, time="1d+3d")
            await here.store.write("", lambda c: meetings.set_block(c, people[0].id, people[1].id, True))
            while await here.director.sweep():
                pass
            shared = [one for one in (await here.find(id)).pairings if one.match is None and one.second]
            assert [(set(one.entries), one.points) for one in shared] == [({1, 2}, (1, 1))]

    asyncio.run(run())


def test_only_keepers_open_tournaments_for_all_and_only_openers_enter_bots(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            ann, keeper = await here.account(0), await here.account(1, "keeper")
            order = TournamentOrder("Cup", "swiss", PAIR, "5+3", public=True)
            with pytest.raises(Refused) as refused:
                await here.tournaments.open(ann, order)
            assert refused.value.code == ErrorCode.BAD_TOURNAMENT
            id = await here.tournaments.open(keeper, order)
            with pytest.raises(Refused) as refused:
                await here.tournaments.enter_bots(ann, id, "level1", 2)
            assert refused.value.code == ErrorCode.NOT_OPENER
            await here.tournaments.enter_bots(keeper, id, "level1", 2)
            assert [one.id for one in (await here.tournaments.lists_for(ann))[0]] == [id]
            assert len((await here.find(id)).entries) == 2

    asyncio.run(run())


def test_bots_play_each_other_though_nobody_watches(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path, with_bots=True) as here:
            opener = await here.account(99)
            order = TournamentOrder("Bots", "round-robin", PAIR, "1+2", begins_in=0, options=SHORT)
            id = await here.tournaments.open(opener, order)
            await here.tournaments.enter_bots(opener, id, "level1", 4)
            async with asyncio.timeout(300):
                while (await here.find(id)).phase != Phase.OVER:
                    await here.director.sweep()
                    await asyncio.sleep(0.01)
            found = await here.find(id)
            assert len(found.pairings) == 6
            assert all(one.points in ((2, 0), (0, 2), (1, 1)) for one in found.pairings)

    asyncio.run(run())


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_unread_notifications_of_a_tournament_are_one_line(tmp_path: Path, database: str) -> None:
    async def run(url: str) -> None:
        async with site(tmp_path, url=url) as here:
            id, (ann, *_) = await here.open("round-robin", 4, time="1d+3d")

            async def lines(since: int | None = None) -> list[ListedNotification]:
                found = await here.store.read(lambda c: list_notifications(c, ann.holder, (), 100, since))
                unread = [one for one in found if one.read_at is None]
                number = await here.store.read(lambda c: count_unread(c, ann.holder, ()))
                assert since is not None or number == len(unread)
                return list_lines(unread)

            async def look(at: str) -> None:
                await here.store.write("", lambda c: mark_read(c, ann.holder, here.time, at))

            while await here.director.sweep():
                pass
            (only,) = await lines()
            assert (only.kind, only.more, only.others[0][1]) == (BEGUN, 2, "Cup")
            assert line_path(only) == f"/tournaments/{id}"
            assert "The game has begun. And 2 more." in news_mail([only], "https://x.example", "key", "en")[1]
            assert await lines(since=here.time) == [], "the whole line was mailed"

            for one in (await here.find(id)).pairings:
                await play_first(here, (await here.tables.live.table(str(one.match))).history)
            turns = sum(one.second == 1 for one in (await here.find(id)).pairings)
            (only,) = await lines()
            assert (only.kind, only.more) == (TURN, 2 + turns)
            assert line_path(only) == f"/m/{only.match}", "the table that needs an answer"
            await look(id)
            (only,) = await lines()
            assert (only.kind, only.more) == (TURN, turns - 1), "turns stay until their tables are looked at"
            await here.resign_all(id)
            await look(only.match)
            await look(id)
            assert await lines() == []

    with nullcontext("") if database == "sqlite" else postgresql() as url:
        asyncio.run(run(url))


def test_an_arena_pairs_as_long_as_it_was_to(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, _ = await here.open("arena", 3, minutes=5)
            await here.pass_ms(60_000 - 20_000)
            ended = ends_at((await here.find(id)).head)
            here.time = here.tables.live.looked_at = ended - 10_000
            here.time += 30_000
            assert await here.director.sweep() == 0, "nothing ends before the outage is passed over"
            await here.clock.sweep()
            await here.director.sweep()
            found = await here.find(id)
            assert found.phase == Phase.RUNNING
            assert ends_at(found.head) == ended + 30_000

    asyncio.run(run())


def test_a_round_opens_only_when_people_have_had_time_to_come_back(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, _ = await here.open("round-robin", 4)
            await here.clock.sweep()
            await here.director.sweep()
            await here.resign_all(id)
            here.time += 30_000
            await here.clock.sweep()
            await here.director.sweep()
            assert (await here.find(id)).round == 1
            await here.pass_ms(RETURN_MS)
            assert (await here.find(id)).round == 2
            other, _ = await here.open("round-robin", 0, begins_in=1)
            begins = (await here.find(other)).head.begins_at
            await here.pass_ms(MINUTE_MS - 5_000)
            here.time += 80_000
            await here.clock.sweep()
            assert (await here.find(other)).head.begins_at == here.time + BEGIN_AFTER_MS > begins

    asyncio.run(run())
