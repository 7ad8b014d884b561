"""Deals by difficulty at a server's tables: offered, found, sealed as any other, and no part of the tests of luck."""

from __future__ import annotations

from html import unescape

import pytest

from smallchange.bots.deals import DIFFICULTIES, deal_odds, measured_bands
from smallchange.core.game import Game, games
from smallchange.server.site_records import site_records

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
