"""Deals by difficulty at a server's tables: offered, found, sealed as any other, and no part of the tests of luck."""

from __future__ import annotations

import asyncio
from html import unescape
from typing import Any

import pytest

from smallchange.bots.deals import DIFFICULTIES, deal_odds, measured_bands
from smallchange.core.game import Game, games
from smallchange.server.table.live import openings
from smallchange.server.table.model import new_tables
from smallchange.server.table.model.commands import NewTable
from smallchange.server.table.model.history import Fresh, History
from smallchange.server.table.storage.retention import site_records
from smallchange.server.web.errors import ErrorCode, Refused

from .serving import Person, Served
from .tables import PAIR

QUICK = "thrag"


@pytest.mark.parametrize("id", games())
def test_the_options_of_a_game_for_one_offer_deals_with_their_odds(ann: Person, id: str) -> None:
    page = unescape(ann.web.get(f"/games/{id}").text)
    assert ('name="difficulty"' in page) == (len(Game(id).seats) == 1)
    for difficulty in DIFFICULTIES if len(Game(id).seats) == 1 else ():
        share = round(100 * measured_bands(Game(id)).mean[difficulty])
        assert f"{difficulty.capitalize()}: a strong player wins {share}%" in page.replace("\u00a0", " ")


def test_a_table_is_opened_with_a_deal_of_the_difficulty_and_its_luck_can_be_proven(
    served: Served, ann: Person
) -> None:
    id = ann.open(QUICK, difficulty="hard", words="of mine")
    history = served.live_table(id).history
    deal = history.match.deal
    assert deal is not None
    assert measured_bands(Game(QUICK)).holds(deal_odds(Game(QUICK), deal), "hard")
    assert "Deal: hard" in ann.page(id)
    ann.command(id, "resign", history.ply)
    ended = served.live_table(id).history
    assert ended.envelope.is_valid
    assert ended.envelope.deal() == deal


def test_a_page_says_that_a_deal_is_looked_for_and_leads_to_the_table_when_it_is_found(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, may_find = served.services.tables, asyncio.Event()
    find_secret = tables.openings._find_secret

    async def find_later(history: History, difficulty: str) -> bytes:
        await may_find.wait()
        return await find_secret(history, difficulty)

    monkeypatch.setattr(openings, "DEAL_WAIT_S", 0.0)
    monkeypatch.setattr(tables.openings, "_find_secret", find_later)
    begun = ann.post(f"/games/{QUICK}", difficulty="hard")
    assert begun.status_code == 303
    waiting = begun.headers["location"]
    page = ann.web.get(waiting)
    assert page.status_code == 202
    assert '<meta http-equiv="refresh"' in page.text
    assert "The best bot looks for a deal" in page.text
    served.loop.call_soon_threadsafe(may_find.set)
    while (found := ann.web.get(waiting)).status_code == 202:
        pass
    assert found.status_code == 303
    assert "Deal: hard" in ann.web.get(found.headers["location"]).text


def test_a_search_that_fails_says_so_and_one_that_nobody_goes_on_with_ends(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(history: History, difficulty: str) -> bytes:
        await asyncio.sleep(0)
        raise Refused(ErrorCode.BOTS_BUSY)

    monkeypatch.setattr(served.services.tables.openings, "_find_secret", fail)
    assert ann.post(f"/games/{QUICK}", difficulty="hard").status_code == 503
    assert ann.web.get(f"/games/{QUICK}/deal/none?since=1").status_code == 503
    assert ann.web.get(f"/games/{QUICK}/deal/none").status_code == 404


def test_games_with_chosen_deals_are_no_sample_of_luck(served: Served, ann: Person) -> None:
    chosen, other = ann.open(QUICK, difficulty="easy"), ann.open(QUICK)
    seals = []
    for id in (chosen, other):
        history = served.live_table(id).history
        seals.append(history.head.seal)
        ann.command(id, "resign", history.ply)

    async def dump() -> list[str]:
        found = site_records(served.services.tables.store, served.services.tables.now())
        return [match.envelope.seal async for match in found if match and match.envelope]

    dumped = served.call(dump())
    assert [seal in dumped for seal in seals] == [False, True]


def test_what_has_no_difficulty_is_refused_and_the_form_comes_back(ann: Person) -> None:
    for game, fields, why in (
        (QUICK, {"difficulty": "awful"}, "deals are easy, medium, hard, not “awful”"),
        ("solo", {"difficulty": "easy", "topology": "sphere"}, "as in the rulebook"),
        (PAIR, {"difficulty": "easy"}, "deals by difficulty are for games for one"),
    ):
        refused = ann.post(f"/games/{game}", **fields)
        assert refused.status_code == 400
        assert why in unescape(refused.text)


def test_a_program_asks_for_a_difficulty_too(served: Served, ann: Person) -> None:
    answer = ann.web.post("/api/matches", json={"game": QUICK, "difficulty": "medium"})
    assert answer.status_code == 201, answer.text
    deal = served.live_table(answer.json()["match"]).history.match.deal
    assert deal is not None
    assert measured_bands(Game(QUICK)).holds(deal_odds(Game(QUICK), deal), "medium")


def test_no_game_for_one_is_lost_before_its_first_choice_and_a_chosen_deal_says_so() -> None:
    """Three deals of Coin Collectors in a hundred leave its player none, which is ruling CC-2."""
    for _ in range(150):
        history, events = new_tables.new_table(NewTable("coin-collectors"), "ann", new_tables.random_id, 0)
        match = history.match.copy()
        match.settle()
        assert events
        assert not match.over
        assert history.head.origin == Fresh("begun")
    plain, _ = new_tables.new_table(NewTable("solo"), "ann", new_tables.random_id, 0)
    assert plain.head.origin == Fresh(), "every deal of Solo leaves a choice"


@pytest.mark.parametrize("seat", [0, 1])
def test_the_first_deal_against_a_bot_is_gentle_and_no_part_of_the_tests_of_luck(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch, seat: int
) -> None:
    id = next(id for id in games() if hasattr(Game(id).guide, "is_gentle"))
    asked = []

    def is_gentle(board: object, state: Any) -> bool:
        asked.append(state.turn)
        return len(asked) == 3

    monkeypatch.setattr(Game(id).guide, "is_gentle", is_gentle)
    seats = {f"seat.{who}": "me" if i == seat else "bot:level1" for i, who in enumerate(Game(id).seats)}
    origins = [served.live_table(ann.open(id, **seats)).history.head.origin for _ in range(2)]
    assert asked == [seat] * 3
    assert origins == [Fresh("begun"), Fresh()]
