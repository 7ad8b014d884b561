"""The deal of the day: the same for everybody, played once, and sealed until its day has closed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from smallchange import Match
from smallchange.core import record
from smallchange.server.daily.days import closing_ms, daily_game, daily_games, day_number
from smallchange.server.daily.service import DailyDeals
from smallchange.server.daily.view import date_of
from smallchange.server.table.model.clock import DAY_MS
from smallchange.server.table.model.command_events import step_events
from smallchange.server.table.model.commands import PlayMove
from smallchange.server.table.model.history import Daily, Head, History, Seat, SeatKind
from smallchange.server.table.model.outcome import scores
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.sessions import token_hash
from tests.support.site_paths import PATHS

from .dailies import GAME, a_day_later, begin, finish, have_place
from .outside import until
from .rated import bearer, sign_up
from .serving import Person, Served, fresh, hear, say, serving
from .tables import greedy
from .tournament_site import site


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, bot_workers=1, bot_seconds=0.01) as served:
        yield served


def test_everybody_gets_the_same_deal_and_one_attempt(served: Served, ann: Person, bo: Person) -> None:
    tables = [begin(ann), begin(bo), begin(ann)]
    assert tables[0] == tables[2] != tables[1]
    ours, theirs = (served.live_table(id).history for id in tables[:2])
    assert ours.match.deal == theirs.match.deal
    assert ours.match.steps == theirs.match.steps


def test_one_person_at_many_windows_begins_one_table(served: Served, ann: Person) -> None:
    holder = token_hash(ann.web.cookies["who"])

    async def hurry() -> list[str]:
        return await asyncio.gather(*(served.services.daily.play(holder, "Ann", GAME) for _ in range(5)))

    assert len(set(served.call(hurry()))) == 1


def test_a_game_without_luck_has_no_deal_of_the_day(ann: Person) -> None:
    assert ann.post("/daily/dodgem").status_code == 404
    assert "dodgem" not in daily_games()


@pytest.mark.parametrize("over", [False, True])
def test_nobody_else_learns_anything_of_a_table_before_its_day_has_closed(
    served: Served, ann: Person, bo: Person, over: bool
) -> None:
    id = begin(ann)
    if over:
        finish(served, ann, id)
    stranger = {"Authorization": f"Bearer {'x' * 43}"}
    for path in [path for paths in PATHS.values() for path in paths if "{id}" in path]:
        answer = bo.web.get(path.replace("{id}", id), headers=stranger)
        assert answer.status_code == 403, path
    with httpx.stream("GET", f"{served.url}/api/matches/{id}/stream", headers=stranger) as stream:
        assert stream.status_code == 403
    for command in ("act", "undo", "resign", "offer", "answer", "hint", "rematch", "fork"):
        assert bo.command(id, command, 0, token="x", what="draw", yes="1", at="0").status_code == 403
    with bo.socket() as line:
        for kind in ({"is": "watch", "ply": -1}, {"is": "act", "ply": 0, "move": fresh(), "token": "x"}):
            say(line, match=id, **kind)
            assert hear(line, "refusal", "changes", "conflict")["code"] == "sealed"


def test_its_player_learns_the_luck_no_sooner_than_others(served: Served, ann: Person) -> None:
    id = begin(ann)
    assert ann.command(id, "hint", served.live_table(id).history.ply).status_code == 403
    secret = finish(served, ann, id).head.secret.hex()
    assert ann.command(id, "fork", 0, at="0").status_code == 403
    assert ann.command(id, "rematch", 0, same="1").status_code == 403
    for page in ("review", "analysis", "analysis?at=1"):
        assert ann.web.get(f"/m/{id}/{page}").status_code == 403
    for path in ("", "/envelope", "/record.txt", "/record.json"):
        answer = ann.web.get(f"/m/{id}{path}")
        assert answer.status_code == 200
        assert secret not in answer.text


def test_a_finished_deal_shows_a_place_and_a_text_to_share(served: Served, ann: Person, bo: Person) -> None:
    have_place(served, ann, bo)
    finish(served, ann, begin(ann))
    finish(served, bo, begin(bo))
    page = bo.web.get("/daily").text
    assert "Place 1 of 2." in page
    assert "1 day in a row" in page
    shared = re.search(r"<textarea[^>]*>([^<]+)", page)
    assert shared is not None
    assert "Solo" in shared[1]
    assert shared[1].endswith("/daily")
    found = bo.web.get("/api/daily").json()["deals"]
    assert {deal["entries"] for deal in found if deal["game"] == GAME} == {2}


def test_the_first_page_tells_the_best_result_of_the_day_so_far(served: Served, ann: Person) -> None:
    assert served.call(served.services.daily.best_today()) == []
    history = finish(served, ann, begin(ann))
    ((title, said),) = served.call(served.services.daily.best_today())
    assert title == history.head.game.words.TITLE
    until(lambda: f"<span>{title.en} ({said.en})</span>" in ann.web.get("/lists").text)


def test_guests_and_accounts_of_the_day_have_no_place(served: Served, ann: Person, bo: Person) -> None:
    """Whoever plays a deal as guests first, and then by a new account, gains nothing."""
    have_place(served, ann)
    finish(served, ann, begin(ann))
    with Person(served) as new:
        sign_up(new, "New of the day")
        for choice, person in ((1, bo), (0, new)):
            finish(served, person, begin(person), choice)
            assert "Places are for accounts that are older than the day." in person.web.get("/daily").text
            (deal,) = [
                deal
                for deal in person.web.get("/api/daily", headers=bearer(person)).json()["deals"]
                if deal["game"] == GAME
            ]
            assert deal["place"] == 0
        assert "Place 1 of 1." in ann.web.get("/daily").text
    page = ann.web.get(f"/daily/{a_day_later(served)}").text
    assert re.findall(r"<tr[^>]*><td>([^<]*)", page) == ["1", "–", "–"]
    assert "Finished by 3 players." in page


def test_once_the_day_has_closed_everybody_sees_and_can_verify_every_game(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, bot_workers=1) as served, Person(served) as ann, Person(served) as bo:
        id = begin(ann)
        finish(served, ann, id)
        begun = begin(bo)
        day = a_day_later(served)
    with serving(tmp_path, bot_workers=1) as served, Person(served) as cy:
        standings = cy.web.get(f"/daily/{day}")
        assert standings.status_code == 200
        assert f'href="/m/{id}"' in standings.text
        assert begun not in standings.text  # not finished
        match = record.read(cy.web.get(f"/m/{id}/record.txt").text)
        assert isinstance(match, Match)
        assert match.deal is not None
        assert cy.command(id, "fork", 0, at="0").status_code == 303
        assert f'href="/daily/{day}"' in cy.web.get("/daily").text


def test_a_day_that_is_open_or_that_nobody_played_has_no_standings(served: Served, ann: Person) -> None:
    today = served.services.daily.today
    assert ann.web.get(f"/daily/{date_of(today).isoformat()}").status_code == 403
    assert ann.web.get(f"/daily/{date_of(today - 3).isoformat()}").status_code == 404


def test_a_deal_that_is_finished_after_its_day_has_closed_does_not_count() -> None:
    day = 20_000
    game = daily_game(GAME, day)
    for at, counts in ((closing_ms(day) - 1, True), (closing_ms(day), False)):
        head = Head("x" * 24, game, game.version, bytes(32), "", "code", 0, Daily(day))
        history = History(head, (Seat(game.seats[0], SeatKind.PERSON, "Ann", holder="ann"),))
        match = history.match.copy()
        match.settle()
        while not match.over:
            match.play(greedy(match.position))
            match.settle()
        history.append(step_events(match, 0, at))
        assert history.ending
        assert (scores(history) != (None,)) is counts


def test_a_day_is_the_same_everywhere_at_any_moment() -> None:
    assert day_number(closing_ms(5) - 1) == 5
    assert day_number(closing_ms(5)) == 6
    assert closing_ms(5) == 6 * DAY_MS


def test_a_day_that_was_to_close_in_an_outage_stays_open_for_who_plays(tmp_path: Path) -> None:
    ann = "a" * 64

    async def run() -> None:
        async with site(tmp_path) as here:
            here.time = (here.time // DAY_MS + 1) * DAY_MS - 60_000
            await here.clock.sweep()
            deals = DailyDeals(here.store, here.tables)
            day, match = deals.today, await deals.play(ann, "Ann", daily_games()[0])
            await here.pass_ms(50_000)
            here.time += 40_000
            for _ in range(2):
                with pytest.raises(Refused) as refused:
                    await deals.standings(day, ann)
                assert refused.value.code == ErrorCode.SEALED
                await here.clock.sweep()
            history = (await here.tables.live.table(match)).history
            while not history.ending:
                token = history.match.position.legal()[0]
                await here.tables.submit(ann, PlayMove(match, history.ply, fresh(), token))
            await here.pass_ms(40_000)
            (standings,) = await deals.standings(day, ann)
            assert standings.entries == 1

    asyncio.run(run())
