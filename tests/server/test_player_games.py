"""The finished games of an account: filtered, for whom they are shown, and their records in one file."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator

import httpx
import pytest

from smallchange.core import record
from smallchange.server.ratings.reviewed import ReviewedSeat, put_reviewed_seats

from .rated import PASSWORD, Program, begin, play_and_resign
from .serving import TIMEOUT_S, Person, Served
from .tables import PAIR


@pytest.fixture(scope="module")
def name() -> str:
    return f"Ada {secrets.token_hex(4)}"


@pytest.fixture(scope="module")
def games(served: Served, name: str) -> Iterator[dict[str, str]]:
    """A rated game that was won, one that was lost, and an unlisted one that was won, by what they are."""
    ada, bo = Program(served.url, name), Program(served.url, f"Bo {secrets.token_hex(4)}")
    found = {}
    for kind, rated, wins in (("won", True, True), ("lost", True, False), ("private", False, True)):
        found[kind] = begin(ada, bo, rated=rated)
        play_and_resign(found[kind], *((ada, bo) if wins else (bo, ada)))
    seats = served.live_table(found["won"]).history.seats
    number = next(i for i, seat in enumerate(seats) if seat.name == name)
    row = ReviewedSeat(number, 0.0, 0.12, 12, 0.5)
    served.call(served.services.tables.store.write("", lambda c: put_reviewed_seats(c, found["won"], [row])))
    yield found
    ada.close()
    bo.close()


@pytest.fixture(scope="module")
def ada(served: Served, name: str, games: dict[str, str]) -> Iterator[Person]:
    """The owner of the account, in a browser."""
    with Person(served) as ada:
        ada.post("/account/sign-in", name=name, password=PASSWORD)
        yield ada


def match_ids(page: str) -> list[str]:
    return re.findall(r'href="/m/(\w+)">View', page)


def test_the_owner_finds_all_games_and_each_by_its_filter(
    ada: Person, name: str, games: dict[str, str]
) -> None:
    path = f"/played/{name}"
    assert set(match_ids(ada.web.get(path).text)) == set(games.values())
    assert match_ids(ada.web.get(f"{path}?result=lost").text) == [games["lost"]]
    assert set(match_ids(ada.web.get(f"{path}?rated=1").text)) == {games["won"], games["lost"]}
    assert len(match_ids(ada.web.get(f"{path}?game={PAIR}&against=people").text)) == 3
    for none in ("game=solo", "against=bots", "result=drawn"):
        assert "Games not found" in ada.web.get(f"{path}?{none}").text
    for wrong in ("game=chess", "result=x", "against=x", "rated=x", "page=0", "file=exe"):
        assert ada.web.get(f"{path}?{wrong}").status_code == 404


def test_records_come_in_one_file_of_each_kind_and_verify(
    ada: Person, name: str, games: dict[str, str]
) -> None:
    path = f"/played/{name}?rated=1"
    text = ada.web.get(f"{path}&file=txt")
    assert text.headers["content-disposition"] == 'attachment; filename="small-change-games.txt"'
    for one in ("won", "lost"):
        stored = ada.web.get(f"/m/{games[one]}/record.txt").text
        assert stored in text.text
        record.verify(stored)
    documents = ada.web.get(f"{path}&file=json").json()
    assert len(documents) == 2
    assert all(name in record.from_json(one).seats.values() for one in documents)
    notation = ada.web.get(f"{path}&file=ppn").text
    assert notation.count("---\n") == 2
    assert "GameType" in notation


def test_others_see_what_everybody_could_find_and_only_if_the_account_shows_it(
    served: Served, ada: Person, name: str, games: dict[str, str]
) -> None:
    with httpx.Client(base_url=served.url, timeout=TIMEOUT_S) as other:
        assert other.get(f"/played/{name}").status_code == 404
        assert other.get(f"/played/{name}?file=txt").status_code == 404
        assert "Best games" not in other.get(f"/people/{name}").text
        assert ada.post("/account/show-results", shown="1").status_code == 303
        assert set(match_ids(other.get(f"/played/{name}").text)) == {games["won"], games["lost"]}
        assert len(other.get(f"/played/{name}?file=json").json()) == 2
        profile = other.get(f"/people/{name}").text
        best = profile.partition("Best games")[2]
        assert match_ids(best) == [games["won"]]
        assert "1.0% given away per choice" in best
        assert ada.post("/account/show-results").status_code == 303


def test_programs_read_finished_games_by_the_filters_of_the_page(
    served: Served, ada: Person, name: str, games: dict[str, str]
) -> None:
    with httpx.Client(base_url=f"{served.url}/api", timeout=TIMEOUT_S) as other:
        assert other.get(f"/played/{name}").status_code == 404
        token = other.post("/sign-in", json={"name": name, "password": PASSWORD}).json()["token"]
        own = {"Authorization": f"Bearer {token}"}
        found = other.get(f"/played/{name}", headers=own).json()
        assert {one["match"] for one in found["games"]} == set(games.values())
        assert not found["more"]
        (lost,) = other.get(f"/played/{name}?result=lost&against=people", headers=own).json()["games"]
        assert (lost["match"], lost["game"], lost["result"], lost["rated"]) == (
            games["lost"],
            PAIR,
            "lost",
            True,
        )
        given = {one["match"]: one["given"] for one in found["games"]}
        assert given[games["won"]] == pytest.approx(0.01)
        for wrong in ("result=x", "page=0", "rated=yes"):
            refused = other.get(f"/played/{name}?{wrong}", headers=own)
            assert refused.status_code == 400
            assert wrong.partition("=")[2] in refused.json()["why"]
        assert ada.post("/account/show-results", shown="1").status_code == 303
        shown = other.get(f"/played/{name}").json()["games"]
        assert {one["match"] for one in shown} == {games["won"], games["lost"]}
        assert ada.post("/account/show-results").status_code == 303
