"""House bots: where their fixed ratings come from, rated games against them, and the offer to those who wait."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from click.testing import CliRunner
from sqlalchemy import func, select

from smallchange.bots.levels import LEVELS, load_bots
from smallchange.cli import main
from smallchange.core.game import Game, games
from smallchange.core.glicko2 import START_RATING, Rating, expected_score
from smallchange.server.accounts.rows import account_by_id, create_account
from smallchange.server.database import schema
from smallchange.server.meeting.challenges import HouseBots
from smallchange.server.meeting.view import BOT_OFFERED_MS
from smallchange.server.ratings.anchors import (
    ZERO_LEVEL,
    anchors,
    anchors_of,
    house_id,
    house_name,
    put_house_bots,
)
from smallchange.server.ratings.standings import Board, RatedMatch, replay
from smallchange.server.settings import Settings
from smallchange.server.table.live.bot_turns import hint_position
from smallchange.server.table.model.command_events import possible_offers
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.storage.store import Store
from smallchange.server.web.errors import Refused
from smallchange.server.web.sessions import Account, AccountRole, AccountState

from .outside import until
from .rated import PASSWORD, Program, all_standings, rated_matches
from .serving import SETTINGS, TIMEOUT_S, Person, Served, serving
from .tables import PAIR

FOR_TWO = [id for id in games() if len(Game(id).seats) == 2]
WEAKEST = {"game": PAIR, "time": "5+3"}


@pytest.fixture
def program(served: Served) -> Iterator[Program]:
    program = Program(served.url, f"Ann {secrets.token_hex(4)}")
    yield program
    program.close()


def house_bots(program: Program, game: str = PAIR) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = program.get(f"/ratings/{game}")["house"]
    return found


def play_until_it_counts(program: Program, id: str) -> None:
    """Move three times, each time once the bot has moved."""
    for _ in range(3):
        until(lambda: program.table(id)["legal"])
        program.command(id, "act", token=program.table(id)["legal"][0])
    until(lambda: program.table(id)["legal"])


@pytest.mark.parametrize("id", FOR_TWO)
def test_fixed_ratings_expect_the_measured_shares_of_neighbouring_levels(id: str) -> None:
    found, bots = anchors(Game(id)), load_bots(Game(id))
    assert list(found) == list(LEVELS)
    assert found[ZERO_LEVEL].points == START_RATING
    for weaker, stronger in pairwise(LEVELS):
        measured = bots[stronger].measured
        assert measured is not None
        certain = [Rating(found[name].points, 1e-9) for name in (stronger, weaker)]
        assert expected_score(*certain) == pytest.approx(measured.share)
        assert found[weaker].low <= found[weaker].points <= found[weaker].high


@pytest.mark.parametrize("lack", [{"measured": None}, {"rules": -1}, {"against": "random"}, {"high": 1.0}])
def test_there_is_no_rating_without_a_measurement_that_counts(lack: dict[str, Any]) -> None:
    bots = dict(load_bots(Game(PAIR)))
    measured = bots["level4"].measured
    assert measured is not None
    lost = None if "measured" in lack else replace(measured, **lack)
    bots["level4"] = replace(bots["level4"], measured=lost)
    assert list(anchors_of(bots, Game(PAIR).version)) == ["level1", "level2", "level3"]
    for name in ("level2", "level3"):
        bots[name] = replace(bots[name], measured=None)
    assert anchors_of(bots, Game(PAIR).version) == {}


def test_a_game_for_one_has_no_anchors() -> None:
    assert all(anchors(Game(id)) == {} for id in games() if len(Game(id).seats) == 1)


def test_a_rated_game_changes_the_rating_of_the_player_and_never_that_of_the_bot(
    served: Served, program: Program
) -> None:
    weakest = house_bots(program)[0]
    assert weakest["name"].endswith("Pip (bot)")
    sent = program.post(f"/accounts/{weakest['name']}/challenge", 201, **WEAKEST, rated=True)
    assert sent["state"] == "accepted"
    id = sent["match"]
    table = program.table(id)
    assert table["rated"]
    assert {seat["kind"] for seat in table["seats"]} == {"person", "bot"}
    page = unescape(httpx.get(f"{served.url}/m/{id}", timeout=TIMEOUT_S).text)
    assert "that of the bot is fixed" in page
    assert weakest["name"] in page
    play_until_it_counts(program, id)
    program.post(f"/matches/{id}/undo", 409, ply=program.table(id)["ply"], move=secrets.token_hex(8))
    history = served.live_table(id).history
    (holder,) = (seat.holder for seat in history.seats if seat.kind == SeatKind.PERSON)
    with pytest.raises(Refused):
        hint_position(history, holder, history.ply)
    assert possible_offers(history, history.seats_of(holder)) == ()
    program.command(id, "resign")
    until(lambda: all(one["gain"] is not None for one in program.table(id)["ratings"].values()))
    (own,) = program.ratings()
    assert (
        own["points"] < weakest["points"]
    )  # who loses to the weakest, and has played nobody else, is below it
    after = program.get(f"/accounts/{weakest['name']}")
    assert after["house"] == weakest
    assert {one["points"] for one in after["ratings"]} == {weakest["points"]}
    assert "the bot is fixed" in httpx.get(f"{served.url}/m/{id}", timeout=TIMEOUT_S).text
    matches, stored = served.call(_both(served))
    assert replay(matches) == stored
    again = program.post(f"/matches/{id}/again")["match"]
    assert again != id
    assert program.table(again)["rated"]


async def _both(served: Served) -> tuple[list[RatedMatch], dict[Board, Any]]:
    store = served.services.tables.store
    return await asyncio.gather(store.read(rated_matches), store.read(all_standings))


def test_a_house_bot_plays_its_own_game_alone(program: Program) -> None:
    other = next(id for id in FOR_TWO if id != PAIR)
    name = house_bots(program)[0]["name"]
    refused = program.post(f"/accounts/{name}/challenge", 400, game=other, time="5+3")
    assert other in refused["why"]
    assert PAIR in refused["why"]


def test_a_house_bot_that_a_keeper_has_banned_plays_no_more(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        program = Program(served.url, "Ann")
        name, other = (bot["name"] for bot in house_bots(program)[:2])
        done = CliRunner().invoke(
            main, ["server", "admin", "--database", served.settings.database, "ban", name]
        )
        assert done.exit_code == 0, done.output
        assert program.post(f"/accounts/{name}/challenge", 403, **WEAKEST)["code"] == "cannot-meet"
        assert program.post(f"/accounts/{other}/challenge", 201, **WEAKEST)["state"] == "accepted"
        program.close()


def test_leaderboards_name_the_house_bots_apart(served: Served, program: Program) -> None:
    page = unescape(httpx.get(f"{served.url}/ratings/{PAIR}", timeout=TIMEOUT_S).text)
    places, _, house = page.partition('id="house"')
    for bot in house_bots(program):
        assert quote(bot["name"]) in house
        assert bot["name"] not in places
    assert program.get(f"/ratings/{PAIR}")["boards"]["blitz"] == []


def test_who_waits_is_offered_the_house_bot_nearest_in_rating_and_gets_one_table(
    served: Served, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = served.services.tables
    seek = program.post("/seek", wishes=[WEAKEST])
    assert seek["offer"] is None
    began = tables.now()
    monkeypatch.setattr(tables, "now", lambda: began + BOT_OFFERED_MS + 1000)
    offer = program.get("/seek")["offer"]
    assert (offer["bot"]["level"], offer["bot"]["points"], offer["time"]) == (ZERO_LEVEL, 1500, "5+3")
    answer = {"name": offer["bot"]["name"], "time": offer["time"]}
    refused = program.post("/seek/bot", 404, **(answer | {"time": "15+10"}))
    assert refused["code"] == "no-seek"
    match = program.post("/seek/bot", **answer)["match"]
    assert match
    assert program.post("/seek/bot", **answer)["match"] == match
    assert program.get("/seek")["match"] == match
    assert program.table(match)["rated"]


def test_the_page_of_a_search_offers_the_bot_and_its_button_leads_to_the_table(served: Served) -> None:
    with Person(served) as ann:
        ann.post("/account/sign-up", name=f"Eva {secrets.token_hex(4)}", password=PASSWORD)
        path = ann.post("/play", game=PAIR, time="5+3", rated="1").headers["location"]
        page = unescape(ann.web.get(path).text)
        assert "Otto, Dodg’em, rated 1500" in page
        name = re.search(r'name="name" value="([^"]+)"', page)
        assert name
        to = ann.post(f"{path}/bot", name=name[1], time="5+3").headers["location"]
        assert to.startswith("/m/")
        assert ann.web.get(path).headers["location"] == to
        about = ann.web.get(f"/people/{name[1]}").text
        assert "Fixed rating" in about
        assert "Your expected score" not in about


def test_a_server_that_changes_what_levels_do_has_only_those_that_play_as_measured(tmp_path: Path) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path / 'x.db'}", bot_simulations=5)
    house = HouseBots(None, settings)  # type: ignore[arg-type]
    for game in map(Game, FOR_TWO):
        usual = load_bots(game)
        assert all(usual[anchor.level].instant for anchor in house._playable(game))


def test_two_processes_that_start_at_once_create_each_house_bot_once(database: str, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as both:
        chosen = SETTINGS | {"database": database}
        servers = list(both.map(lambda _: Served(Settings(**chosen)), range(2)))
    try:
        query = select(func.count()).where(schema.account.c.role == AccountRole.HOUSE)
        count = servers[0].call(servers[0].services.tables.store.read(lambda c: c.execute(query).scalar()))
        assert count == sum(len(anchors(Game(id))) for id in games())
        program, other = Program(servers[0].url, "Pat"), httpx.Client(base_url=servers[1].url)
        name = house_bots(program)[0]["name"]
        match = program.post(f"/accounts/{name}/challenge", 201, **WEAKEST)["match"]
        assert other.get(f"/m/{match}").status_code == 200
        program.close()
        other.close()
    finally:
        for server in servers:
            server.stop()


def test_a_name_that_somebody_has_already_leaves_the_house_bot_another(tmp_path: Path) -> None:
    game, url = Game(PAIR), f"sqlite:///{tmp_path / 'tables.db'}"
    own = Account(
        "own", house_name(game, "level1"), "0" * 64, 1, AccountRole.BOT, AccountState.OPEN, "{}", "owner"
    )

    async def claim_name() -> tuple[Account | None, Account | None]:
        store = Store(url)
        await store.open()
        await store.write("", lambda c: create_account(c, own, []))
        for _ in range(2):
            await store.write("", lambda c: put_house_bots(c, game, list(anchors(game).values()), 2))
        found = await store.read(
            lambda c: (account_by_id(c, "own"), account_by_id(c, house_id(PAIR, "level1")))
        )
        await store.close()
        return found

    kept, house = asyncio.run(claim_name())
    assert kept == own
    assert house is not None
    assert house.name == house_name(game, "level1", " 2")
