"""Duels: the same deal for both, sealed until both have played or its time is over, then compared."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

import httpx
import pytest

from smallchange import bots
from smallchange.server.daily.days import daily_games, paired_games
from smallchange.server.meeting import rows as meetings
from smallchange.server.table.model.clock import MINUTE_MS
from smallchange.server.table.model.commands import PlayMove
from smallchange.server.table.model.history import History
from smallchange.server.tournaments.api import tournament_shape
from smallchange.server.tournaments.kinds import kind_of
from smallchange.server.tournaments.model import Phase, TournamentOrder
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.sessions import Account
from tests.support.site_paths import PATHS

from .rated import sign_up
from .serving import Person, Served, fresh, hear, say, serving
from .tournament_site import Site, site

GAME = daily_games()[0]
DUEL_MIN = 60


async def play_out(here: Site, account: Account, id: str, bot: str = "greedy") -> History:
    """Let an account play the deal to its end by a simple rule, each time alike."""
    match = await here.tournaments.open_deal(account, id)
    player, table = bots.bot(bot, luck=Random(1)), await here.tables.live.table(match)
    while table.history.ending is None:
        token = player(table.history.match.position)
        await here.tables.submit(account.holder, PlayMove(match, table.history.ply, fresh(), token))
    return table.history


async def open_duel(here: Site) -> tuple[str, list[Account]]:
    """Open a duel that two people have entered."""
    id, people = await here.open("duel", 2, minutes=DUEL_MIN, game=GAME, options={})
    assert await here.director.sweep() == 1
    return id, people


def test_both_play_the_same_deal_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, (ann, bo) = await open_duel(here)
            ours = await play_out(here, ann, id)
            many = await asyncio.gather(*(here.tournaments.open_deal(bo, id) for _ in range(3)))
            theirs = await play_out(here, bo, id)
            assert set(many) == {theirs.head.id}
            assert ours.match.steps == theirs.match.steps
            assert ours.match.deal == theirs.match.deal
            assert await here.tournaments.open_deal(ann, id) == ours.head.id  # no second attempt
            await here.director.sweep()
            assert (await here.find(id)).phase == Phase.OVER
            with pytest.raises(Refused) as refused:
                await here.tournaments.open_deal(ann, id)
            assert refused.value.code == ErrorCode.NO_DEAL

    asyncio.run(run())


def test_players_are_told_once_of_a_duel_that_is_open_of_one_that_is_late_and_of_the_results(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, (ann, bo) = await open_duel(here)
            assert await here.director.sweep() == 0
            await play_out(here, ann, id)
            here.time += DUEL_MIN * MINUTE_MS * 3 // 4 - 1
            assert await here.director.sweep() == 0
            here.time += 1
            assert await here.director.sweep() == 1
            assert await here.director.sweep() == 0
            assert await here.news_of(ann) == [("deal", 0, False)]
            assert await here.news_of(bo) == [("deal", 0, False), ("late", 0, True)]
            here.time += DUEL_MIN * MINUTE_MS
            assert await here.director.sweep() == 1
            assert await here.news_of(ann) == [("deal", 0, False), ("result", 0, True)]
            assert await here.news_of(bo) == [("deal", 0, False), ("late", 0, False), ("result", 0, True)]

    asyncio.run(run())


def test_a_deal_counts_when_it_has_closed_and_one_finished_too_late_does_not(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, (ann, bo) = await open_duel(here)
            await play_out(here, ann, id)
            await here.tournaments.open_deal(bo, id)
            found = await here.find(id)
            assert tournament_shape(found, None, here.time).plays == []
            here.time += DUEL_MIN * MINUTE_MS
            late = (await here.tables.live.table(found.games_of(2)[0].match)).history
            player = bots.bot("greedy", luck=Random(1))
            while late.ending is None:
                act = PlayMove(late.head.id, late.ply, fresh(), player(late.match.position))
                await here.tables.submit(bo.holder, act)
            shape = tournament_shape(await here.find(id), None, here.time)
            assert [(one.entry, one.place, one.points) for one in shape.plays] == [(1, 1, 0)]
            assert [(row.entry, row.place, row.won) for row in shape.standings] == [(1, 1, 1), (2, 1, 0)]

    asyncio.run(run())


def test_one_who_has_not_entered_or_has_withdrawn_gets_no_deal(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, (ann, _) = await open_duel(here)
            await here.tournaments.withdraw(ann, id)
            for account in (ann, await here.account(7)):
                with pytest.raises(Refused) as refused:
                    await here.tournaments.open_deal(account, id)
                assert refused.value.code == ErrorCode.NO_DEAL
            await here.tournaments.enter(ann, id)
            assert await here.tournaments.open_deal(ann, id)

    asyncio.run(run())


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, bot_workers=1, bot_seconds=0.01) as served:
        yield served


@pytest.mark.parametrize("game", [daily_games()[-1], paired_games()[0]])
def test_no_route_tells_of_a_deal_before_it_has_closed(
    served: Served, ann: Person, bo: Person, game: str
) -> None:
    for person, name in ((ann, "Ann"), (bo, "Bo")):
        sign_up(person, name)
    answer = ann.post("/tournaments", kind="duel", game=game, minutes="60")
    assert answer.status_code == 303, answer.text
    path = str(answer.headers["location"])
    assert bo.post(f"{path}/enter").status_code == 303
    begun = ann.post(f"{path}/play")
    assert begun.status_code == 303, begun.text
    id = begun.headers["location"].removeprefix("/m/")
    history = served.live_table(id).history
    secret, steps = history.head.secret.hex(), [step.token for step in history.match.steps]
    assert f'href="{path}"' in ann.page(id)
    stranger = {"Authorization": f"Bearer {'x' * 43}"}
    for asked in [one for paths in PATHS.values() for one in paths if "{id}" in one]:
        assert bo.web.get(asked.replace("{id}", id), headers=stranger).status_code == 403, asked
    with httpx.stream("GET", f"{served.url}/api/matches/{id}/stream", headers=stranger) as stream:
        assert stream.status_code == 403
    for command in ("act", "undo", "resign", "offer", "answer", "hint", "rematch", "fork"):
        assert bo.command(id, command, 0, token="x", what="draw", yes="1", at="0").status_code == 403
    with bo.socket() as line:
        say(line, **{"is": "watch", "match": id, "ply": -1})
        assert hear(line, "refusal", "changes", "conflict")["code"] == "sealed"
    others = [
        one.replace("/tournaments/none", path) for paths in PATHS.values() for one in paths if "none" in one
    ]
    for asked in [*others, "/mine", "/watch", "/lists", "/api/watch", "/api/tables", "/fairness/games.jsonl"]:
        if not asked.endswith(("news", "stream")):
            text = bo.web.get(asked).text
            assert secret not in text, asked
            assert id not in text, asked
    for hidden in ("review", "analysis"):
        assert ann.web.get(f"/m/{id}/{hidden}").status_code in (400, 403, 404)
    assert ann.command(id, "hint", history.ply).status_code == 403
    theirs = served.live_table(begin(bo, path)).history.match
    assert steps[:1] == [step.token for step in theirs.steps][:1]


def begin(person: Person, path: str) -> str:
    """Begin the deal of the open round, and return the id of the table."""
    return str(person.post(f"{path}/play").headers["location"].removeprefix("/m/"))


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"game": "dodgem"}, "a duel needs a game with luck"),
        ({"game": GAME, "minutes": "14"}, "a duel lasts 15 minutes to 14 days"),
    ],
)
def test_a_duel_that_cannot_be_played_is_refused_with_the_reason(
    served: Served, ann: Person, fields: dict[str, str], why: str
) -> None:
    sign_up(ann, "Ann")
    answer = ann.post("/tournaments", kind="duel", **fields)
    assert answer.status_code == 400
    assert why in answer.text


def test_a_duel_by_link_closes_when_both_have_played_and_then_shows_both_games(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            ann, bo, cy = [await here.account(i) for i in range(3)]
            order = TournamentOrder("", "duel", GAME, "", minutes=DUEL_MIN)
            with pytest.raises(Refused):
                await here.tournaments.open(ann, order._replace(kind="arena"))  # it has no name
            id = await here.tournaments.open(ann, order)
            ours = await play_out(here, ann, id)
            await here.tournaments.enter(bo, id)
            with pytest.raises(Refused) as refused:
                await here.tournaments.enter(cy, id)
            assert refused.value.code == ErrorCode.CANNOT_ENTER
            assert await here.director.sweep() == 1  # the players are told
            assert await here.director.sweep() == 0
            assert (await here.news_of(ann), await here.news_of(bo)) == (
                [],
                [("deal", 0, True)],
            )  # Ann has played
            with pytest.raises(Refused) as refused:
                await here.tables.live.current(ours.head.id, bo.holder)
            assert refused.value.code == ErrorCode.SEALED
            theirs = await play_out(here, bo, id)
            assert theirs.match.steps == ours.match.steps
            assert await here.director.sweep() == 1
            for holder in (ann.holder, bo.holder, cy.holder):
                for match in (ours.head.id, theirs.head.id):
                    assert (await here.tables.live.current(match, holder)).history.is_revealed
            loaded = await here.store.load(ours.head.id)
            assert loaded is not None
            assert loaded.head.closes_at == here.time
            found = await here.find(id)
            assert found.phase == Phase.OVER
            assert [row.points for row in kind_of(found).standings(found, here.time)] == [1, 1]
            assert await here.news_of(ann) == [("result", 0, True)]
            assert await here.news_of(bo) == [("deal", 0, False), ("result", 0, True)]

    asyncio.run(run())


def test_a_duel_closes_when_its_time_is_over_and_who_has_not_played_gets_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            ann, bo = [await here.account(i) for i in range(2)]
            id = await here.tournaments.open(ann, TournamentOrder("Duel", "duel", GAME, "", minutes=DUEL_MIN))
            await here.tournaments.enter(bo, id)
            await play_out(here, ann, id)
            here.time += DUEL_MIN * MINUTE_MS
            await here.director.sweep()
            assert (await here.find(id)).phase == Phase.OVER
            with pytest.raises(Refused):
                await here.tournaments.open_deal(bo, id)

    asyncio.run(run())


def test_nobody_enters_the_duel_of_somebody_they_do_not_play_against(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            ann, bo = [await here.account(i) for i in range(2)]
            id = await here.tournaments.open(ann, TournamentOrder("Duel", "duel", GAME, "", minutes=DUEL_MIN))
            await here.store.write("", lambda c: meetings.set_block(c, ann.id, bo.id, True))
            with pytest.raises(Refused) as refused:
                await here.tournaments.enter(bo, id)
            assert refused.value.code == ErrorCode.CANNOT_MEET

    asyncio.run(run())


def test_a_duel_tells_its_player_alone_to_send_the_link_and_offers_entry_while_there_is_room(
    served: Served, ann: Person, bo: Person
) -> None:
    for person, name in ((ann, "Ann"), (bo, "Bo")):
        sign_up(person, name)
    path = str(ann.post("/tournaments", kind="duel", game=GAME, minutes="60").headers["location"])
    sending, entering = "Send the link to this page", "To enter or open a tournament you need"
    assert sending in ann.web.get(path).text
    assert sending not in bo.web.get(path).text
    with Person(served) as guest:
        assert entering in guest.web.get(path).text
        assert bo.post(f"{path}/enter").status_code == 303
        assert entering not in guest.web.get(path).text


def test_a_challenge_by_name_in_a_game_for_one_becomes_a_duel_on_the_same_deal(
    served: Served, ann: Person, bo: Person
) -> None:
    for person, name in ((ann, "Ann"), (bo, "Bo")):
        sign_up(person, name)
    sent = ann.post("/people/Bo/challenge", game=GAME, time="5+3", rated="1").headers["location"]
    assert "Solitaire duel" in bo.web.get(sent).text
    path = bo.post(f"{sent}/answer", yes="1").headers["location"]
    assert path.startswith("/tournaments/")
    assert ann.web.get(sent).headers["location"] == path
    tables = [served.live_table(begin(person, path)).history for person in (ann, bo)]
    assert tables[0].match.deal == tables[1].match.deal
    assert "Under way" in ann.web.get(path).text
    assert bo.web.get(f"/m/{tables[0].head.id}").status_code == 403


def test_a_deal_that_was_to_close_in_an_outage_can_be_finished(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            id, people = await here.open("duel", 2, game=GAME, options={}, minutes=15)
            while await here.director.sweep():
                pass
            match, found = await here.tournaments.open_deal(people[0], id), await here.find(id)
            closes = kind_of(found).closes_at(found.head)
            assert closes
            here.time = here.tables.live.looked_at = closes - 10_000
            await here.clock.sweep()
            here.time += 40_000
            history = (await here.tables.live.table(match)).history
            while not history.ending:
                act = PlayMove(match, history.ply, fresh(), history.match.position.legal()[0])
                await here.tables.submit(people[0].holder, act)
            assert (history.sealed, history.head.closes_at) == (True, closes + 40_000)
            assert (await here.store.load(match)).head.closes_at == closes + 40_000  # type: ignore[union-attr]
            assert (await here.find(id)).games[0].score is not None

    asyncio.run(run())
