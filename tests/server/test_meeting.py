"""Meeting: quick pairing in waves, challenges by name, and accounts that do not meet."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from smallchange.core.game import Game, games
from smallchange.server.accounts import rows as accounts
from smallchange.server.database.bus import MemoryBus
from smallchange.server.meeting import rows as meetings
from smallchange.server.meeting.pairing import START_WINDOW, WIDENING, Seek, pair_seeks, window
from smallchange.server.meeting.seeking import PairingWorker
from smallchange.server.services import table_service
from smallchange.server.table.model.clock import PRESETS
from smallchange.server.table.model.new_tables import Wish
from smallchange.server.table.storage.store import Store
from smallchange.server.web.sessions import Account

from .outside import until
from .rated import PASSWORD, Program, begin, play_and_resign
from .serving import TIMEOUT_S, Person, Served, serving
from .tables import PAIR

FOR_TWO = [id for id in games() if len(Game(id).seats) == 2]
LIVE, SLOW = Wish(PAIR, "5+3"), Wish(PAIR, "1d+3d")
NAMES = count()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("meeting")) as served:
        yield served


@pytest.fixture
def pair(served: Served) -> Iterator[tuple[Program, Program]]:
    first, second = (Program(served.url, f"Player {next(NAMES)}x") for _ in range(2))
    yield first, second
    for program in (first, second):
        program.post("/seek/withdraw")
        program.close()


def search(program: Program, *wishes: Wish, rated: bool = True) -> None:
    program.post("/seek", wishes=[wish._asdict() for wish in wishes or (LIVE,)], rated=rated)


def found_match(program: Program) -> str | None:
    match: str | None = program.get("/seek")["match"]
    return match


def block(served: Served, one: Program, other: Program, on: bool) -> None:
    """Let an account block another, or no longer."""

    def job(connection: Connection) -> None:
        first, second = (accounts.account_by_name(connection, who.name) for who in (one, other))
        assert first is not None
        assert second is not None
        meetings.set_block(connection, first.id, second.id, on)

    served.call(served.services.tables.store.write("", job))


wishes = st.lists(st.builds(Wish, st.sampled_from(FOR_TWO), st.sampled_from(["5+3", "1d+3d"])), max_size=4)
many_seeks = st.lists(
    st.tuples(wishes, st.booleans(), st.integers(0, 60_000), st.floats(800, 2400)), max_size=12
).map(
    lambda rows: [
        Seek(f"s{i}", f"a{i}", tuple(wished), rated, since, {(w.game, w.speed): points for w in wished})
        for i, (wished, rated, since, points) in enumerate(rows)
    ]
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # the machine may be busy
@given(many_seeks, st.sets(st.frozensets(st.integers(0, 11).map(lambda i: f"a{i}"), min_size=2, max_size=2)))
def test_a_pair_has_a_common_wish_near_ratings_and_may_meet_and_nobody_is_in_two(
    waiting: list[Seek], barred: set[frozenset[str]]
) -> None:
    now = 60_000
    pairs = pair_seeks(waiting, now, lambda a, b: frozenset((a, b)) not in barred)
    ids = [seek.id for pair in pairs for seek in pair[:2]]
    assert len(ids) == len(set(ids))
    for first, second, wish in pairs:
        assert wish in first.wishes
        assert wish in second.wishes
        assert first.rated == second.rated
        assert frozenset((first.account, second.account)) not in barred
        near = min(window(first, now), window(second, now))
        assert abs(first.points_for(wish) - second.points_for(wish)) <= near


def test_ratings_that_are_far_apart_meet_once_both_have_waited() -> None:
    far = START_WINDOW + 300
    seconds = int(300 / WIDENING)
    both = [
        Seek("s0", "a0", (LIVE,), True, 0, {(PAIR, "blitz"): 1500.0}),
        Seek("s1", "a1", (LIVE,), True, 0, {(PAIR, "blitz"): 1500.0 + far}),
    ]
    assert pair_seeks(both, 1000 * seconds - 1, lambda a, b: True) == []
    assert len(pair_seeks(both, 1000 * seconds, lambda a, b: True)) == 1


def test_two_programs_that_never_met_are_paired_play_a_rated_game_and_again(
    pair: tuple[Program, Program],
) -> None:
    ann, bo = pair
    search(ann, LIVE, SLOW)
    search(bo, *(Wish(game, "10+5") for game in FOR_TWO), LIVE)
    until(lambda: found_match(ann))
    id = found_match(ann)
    assert id
    assert found_match(bo) == id
    table = ann.table(id)
    assert (table["game"], table["time"], table["rated"], table["started"]) == (PAIR, "5+3", True, True)
    assert {seat["name"] for seat in table["seats"]} == {ann.name, bo.name}
    play_and_resign(id, ann, bo)
    until(lambda: ann.ratings() and bo.ratings())
    assert ann.ratings()[0]["points"] > bo.ratings()[0]["points"]
    bo.post(f"/matches/{id}/again")
    again = ann.post(f"/matches/{id}/again")["match"]
    assert again != id
    assert ann.table(again)["rated"]


def test_those_who_wish_different_things_wait_on(pair: tuple[Program, Program]) -> None:
    ann, bo = pair
    search(ann, LIVE)
    search(bo, LIVE, rated=False)
    until(lambda: ann.get("/seek")["waiting_ms"] > 1500)
    assert found_match(ann) is None
    assert ann.post("/seek/withdraw")["wishes"] == []


def test_the_stream_of_a_search_tells_the_match_at_once(
    served: Served, pair: tuple[Program, Program]
) -> None:
    ann, bo = pair
    search(ann)
    with ann.stream("/seek/stream") as events:
        assert '"match":null' in next(events)
        search(bo)
        told = next(event for event in events if '"match":null' not in event)
    assert f'"match":"{found_match(bo)}"' in told


def sign_up(served: Served, name: str) -> Person:
    person = Person(served)
    person.post("/account/sign-up", name=name, password=PASSWORD)
    return person


def test_a_page_without_scripts_waits_offers_a_bot_and_leads_to_the_table(
    served: Served, pair: tuple[Program, Program]
) -> None:
    with sign_up(served, "Paige") as paige:
        assert 'name="game"' in paige.web.get("/play").text
        there = paige.post("/play", game=PAIR, time="5+3", rated="1").headers["location"]
        page = paige.web.get(there).text
        assert "Looking for an opponent" in page
        assert 'http-equiv="refresh"' in page
        assert f"/games/{PAIR}" in page  # the bot
        assert paige.web.get("/play").headers["location"] == there
        search(pair[0])
        until(lambda: paige.web.get(there).status_code == 303)
        assert paige.web.get(there).headers["location"] == f"/m/{found_match(pair[0])}"


def test_a_search_goes_on_in_the_language_of_the_query(served: Served, pair: tuple[Program, Program]) -> None:
    with sign_up(served, "Jana") as jana:
        asked = {"Referer": f"{served.url}/play?lang=ja"}
        fields = {"game": PAIR, "time": "5+3", "rated": "1"}
        answer = jana.web.post("/play", data=fields, headers=asked)
        there = answer.headers["location"]
        assert there.endswith("?lang=ja")
        assert '<html lang="ja"' in jana.web.get(there).text
        assert jana.web.get("/play?lang=de").headers["location"] == there.replace("lang=ja", "lang=de")
        search(pair[0])
        until(lambda: jana.web.get(there).status_code == 303)
        table = jana.web.get(there).headers["location"]
        assert table == f"/m/{found_match(pair[0])}?lang=ja"
        chosen = {"lang": "de", "back": "/play"}
        assert jana.web.post("/lang", data=chosen, headers=asked).headers["location"] == "/play"


def test_a_guest_is_told_that_looking_for_an_opponent_needs_an_account(served: Served) -> None:
    with Person(served) as guest:
        assert "needs an account" in guest.web.get("/play").text
        assert guest.post("/play", game=PAIR, time="5+3").status_code == 403
        assert guest.web.get("/play/none/news").status_code == 403


def test_what_others_look_for_is_listed_without_names_and_met_by_one_button(
    served: Served, pair: tuple[Program, Program]
) -> None:
    wish = Wish(FOR_TWO[-1], "3d+7d")
    search(pair[0], wish)
    with sign_up(served, "Lena") as lena, Person(served) as guest:
        for person in (lena, guest):
            page = person.web.get("/play").text
            assert "Looking for a game now" in page
            assert "1 person" in page
            assert pair[0].name not in page
        assert "Join" not in guest.web.get("/play").text
        forms = re.findall(
            r'name="game" value="([^"]+)"><input type="hidden" name="time" value="([^"]+)">',
            lena.web.get("/play").text,
        )
        assert wish in forms
        other, own = (served.call(served.services.accounts.by_name(name)) for name in (pair[0].name, "Lena"))
        served.call(served.services.challenges.set_block(other, own, True))
        assert "Looking for a game now" not in lena.web.get("/play").text
        assert "Looking for a game now" in guest.web.get("/play").text


@pytest.mark.parametrize("wish", [("nothing", "5+3"), (PAIR, "7+7"), ("solo", "5+3"), (PAIR, "")])
def test_a_wish_that_nobody_can_fulfil_is_refused(
    pair: tuple[Program, Program], wish: tuple[str, str]
) -> None:
    answer = pair[0].post("/seek", 400, wishes=[Wish(*wish)._asdict()])
    assert answer["code"] == "bad-wish"
    assert PAIR in answer["why"] or str(PRESETS[0]) in answer["why"]


def test_a_challenge_is_accepted_once_and_begins_the_match(pair: tuple[Program, Program]) -> None:
    ann, bo = pair
    sent = ann.post(f"/accounts/{bo.name}/challenge", 201, game=PAIR, time="1d+3d")
    assert [one["id"] for one in bo.get("/challenges")["challenges"]] == [sent["id"]]
    first, again = (bo.post(f"/challenges/{sent['id']}/answer", yes=True) for _ in range(2))
    assert first == again
    assert first["state"] == "accepted"
    assert {seat["name"] for seat in bo.table(first["match"])["seats"]} == {ann.name, bo.name}
    assert ann.get("/challenges")["challenges"] == []


@pytest.mark.parametrize("by", [0, 1])
def test_a_challenge_is_withdrawn_or_declined_and_then_gone(pair: tuple[Program, Program], by: int) -> None:
    ann, bo = pair
    sent = ann.post(f"/accounts/{bo.name}/challenge", 201, game=PAIR, time="5+3", rated=False)
    assert pair[by].post(f"/challenges/{sent['id']}/answer", yes=False)["match"] is None
    assert bo.post(f"/challenges/{sent['id']}/answer", 404, yes=True)["code"] == "no-challenge"


def test_who_is_blocked_meets_at_no_door(served: Served, pair: tuple[Program, Program]) -> None:
    ann, bo = pair
    with sign_up(served, f"Blocker {next(NAMES)}x") as cy:
        name = re.search(r"<h1>([^<]+)</h1>", cy.web.get("/account").text)
        assert name
        code = ann.open(rated=False)["code"]
        assert cy.post(f"/people/{ann.name}/block", on="1").status_code == 303
        assert "Unblock" in cy.web.get(f"/people/{ann.name}").text
        assert cy.post(f"/j/{code}", name="x").status_code == 403
        refused = ann.post(f"/accounts/{name[1]}/challenge", 403, game=PAIR, time="5+3")
        assert refused["code"] == "cannot-meet"
        search(ann)
        cy.post("/play", game=PAIR, time="5+3", rated="1")
        search(bo)
        until(lambda: found_match(bo))
        assert cy.post(f"/people/{ann.name}/block", on="0").status_code == 303
        assert "Unblock" not in cy.web.get(f"/people/{ann.name}").text


def test_one_who_blocks_the_other_after_a_game_is_asked_for_no_rematch(
    served: Served, pair: tuple[Program, Program]
) -> None:
    ann, bo = pair
    match = begin(ann, bo)
    play_and_resign(match, ann, bo)
    for by in (pair, pair[::-1]):
        block(served, *by, True)
        for asking in pair:
            assert asking.post(f"/matches/{match}/again", 403)["code"] == "cannot-meet"
        block(served, *by, False)
    assert ann.post(f"/matches/{match}/again")["match"] == match  # it is asked for
    block(served, ann, bo, True)
    assert bo.post(f"/matches/{match}/again", 403)["code"] == "cannot-meet"


def test_whom_one_follows_is_listed_until_one_blocks_the_other(
    served: Served, pair: tuple[Program, Program]
) -> None:
    ann, bo = pair
    with sign_up(served, f"Follower {next(NAMES)}x") as cy:
        me = re.findall(r"<h1>([^<]+)</h1>", cy.web.get("/account").text)[0]

        def list_followed() -> list[str]:
            page = cy.web.get("/play").text.partition('id="followed"')[2]
            return re.findall("<bdi>([^<]+)</bdi>", page)

        assert cy.post(f"/people/{me}/follow", on="1").status_code == 403, "oneself"
        for other in (bo.name, ann.name, ann.name):
            assert cy.post(f"/people/{other}/follow", on="1").status_code == 303
        assert list_followed()[:2] == sorted([ann.name, bo.name])
        assert "Unfollow" in cy.web.get(f"/people/{ann.name}").text
        assert cy.web.get("/account/export.json").json()["follows"] == sorted([ann.name, bo.name])
        assert cy.post(f"/people/{bo.name}/follow", on="0").status_code == 303
        assert bo.name not in list_followed()
        assert cy.post(f"/people/{ann.name}/block", on="1").status_code == 303
        assert ann.name not in list_followed()
        assert cy.post(f"/people/{ann.name}/follow", on="maybe").status_code == 400


def test_the_lobby_shows_a_challenge_to_its_account_alone(
    served: Served, pair: tuple[Program, Program]
) -> None:
    ann, _ = pair
    with sign_up(served, "Lob/by") as lou:
        sent = ann.post("/accounts/Lob/by/challenge", 201, game=PAIR, time="5+3")
        assert f"/challenges/{sent['id']}" in lou.web.get("/").text
        assert f"/challenges/{sent['id']}" in lou.web.get("/lists").text
        assert f"/challenges/{sent['id']}" not in httpx.get(f"{served.url}/", timeout=TIMEOUT_S).text
        assert "challenges you" in lou.web.get(f"/challenges/{sent['id']}").text
        assert lou.web.get("/people?name=LOB/BY").headers["location"] == "/people/Lob%2Fby"
        there = lou.post(f"/challenges/{sent['id']}/answer", yes="1").headers["location"]
        assert lou.web.get(f"/challenges/{sent['id']}").headers["location"] == there


class Site:
    """One process that pairs, at a time that stands still."""

    def __init__(self, store: Store) -> None:
        self.time = 1_790_000_000_000
        self.tables = table_service(store, MemoryBus(), now=lambda: self.time)
        self.store = store
        self.worker = PairingWorker(self.tables, "one")

    async def seek(self, number: int, *wishes: Wish) -> None:
        """Let an account of its own look for an opponent."""
        id = f"account-{number}"
        account = Account(id, f"Name {number}", f"{number:064}", 0, "person", "open", "{}")

        def job(connection: object) -> None:
            accounts.create_account(connection, account, [])  # type: ignore[arg-type]
            row = meetings.StoredSeek(
                f"seek-{number}", id, wishes, True, self.time, self.time * 2, self.time, None
            )
            meetings.put_seek(connection, row)  # type: ignore[arg-type]

        await self.store.write("", job)


@asynccontextmanager
async def site(folder: Path) -> AsyncIterator[Site]:
    store = Store(f"sqlite:///{folder / 'tables.db'}")
    await store.open()
    made = Site(store)
    await made.tables.open()
    try:
        yield made
    finally:
        await made.tables.close()
        await store.close()


def test_a_live_search_stands_still_when_its_page_has_gone_and_one_by_correspondence_goes_on(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            await here.seek(0, LIVE)
            await here.seek(1, LIVE)
            here.time += meetings.ABSENT_MS + 1
            assert await here.worker.sweep() == 0
            await here.seek(2, SLOW)
            await here.seek(3, SLOW, LIVE)
            here.time += meetings.ABSENT_MS + 1
            assert await here.worker.sweep() == 1
            assert await here.worker.sweep() == 0

    asyncio.run(run())


def test_people_whose_match_goes_on_are_not_paired_again(tmp_path: Path) -> None:
    async def run() -> None:
        async with site(tmp_path) as here:
            await here.seek(0, SLOW)
            await here.seek(1, SLOW)
            assert await here.worker.sweep() == 1
            for number in (0, 1):
                row = meetings.StoredSeek(
                    f"again-{number}",
                    f"account-{number}",
                    (SLOW,),
                    True,
                    here.time,
                    here.time * 2,
                    here.time,
                    None,
                )
                await here.store.write("", lambda c: meetings.put_seek(c, row))  # noqa: B023
            assert await here.worker.sweep() == 0

    asyncio.run(run())
