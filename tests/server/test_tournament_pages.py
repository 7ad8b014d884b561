"""Tournaments by pages without scripts, and by the API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

import pytest

from smallchange.server.tournaments.kinds import offered_kinds
from smallchange.server.tournaments.kinds.kind import Kind

from .outside import until
from .rated import PASSWORD, Program
from .serving import Person, Served, serving
from .tables import PAIR

NAMES = count()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("tournaments")) as served:
        yield served


@pytest.fixture
def people(served: Served) -> Iterator[tuple[Person, Person]]:
    with Person(served) as first, Person(served) as second:
        for person, name in ((first, "Ann"), (second, "Bo")):
            person.post("/account/sign-up", name=f"{name} {next(NAMES)}x", password=PASSWORD)
        yield first, second


@pytest.fixture
def program(served: Served) -> Iterator[Program]:
    program = Program(served.url, f"Opener {next(NAMES)}x")
    yield program
    program.close()


def open_tournament(person: Person, **fields: str) -> str:
    """Return the path of a new tournament."""
    usual = {"name": "Club <night>", "kind": "round-robin", "game": PAIR, "time": "5+3", "rounds": "3"}
    answer = person.post(
        "/tournaments", **(usual | {"minutes": "60", "begins_in": "15", "rated": "1"} | fields)
    )
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_two_people_enter_play_and_see_the_standings_without_scripts(people: tuple[Person, Person]) -> None:
    ann, bo = people
    path = open_tournament(ann)
    assert "Club &lt;night&gt;" in ann.web.get(path).text
    assert path in ann.web.get("/tournaments").text
    assert path not in bo.web.get("/tournaments").text  # it is for those who have its link
    for person in people:
        assert "Withdraw" not in person.web.get(path).text
        assert person.post(f"{path}/enter").status_code == 303
        assert "Withdraw" in person.web.get(path).text
    assert 'http-equiv="refresh"' in bo.web.get(path).text
    assert bo.post(f"{path}/begin").status_code == 403
    assert ann.post(f"{path}/begin").status_code == 303
    until(lambda: "To your match" in bo.web.get(path).text)
    found = re.search(r'href="/m/(\w+)">To your match', bo.web.get(path).text)
    assert found
    assert f'href="{path}"' in bo.web.get(f"/m/{found[1]}").text  # the table leads back to its tournament
    assert bo.command(found[1], "resign", bo.served.live_table(found[1]).history.ply).status_code == 303
    until(lambda: "Over" in ann.web.get(path).text)
    page = ann.web.get(path).text
    assert re.search(">(1–0|0–1)</a>", page)
    own = re.search(r'<tr class="own"><td>(\d)</td>.*?<td><b>(\d)</b></td>', page)
    assert own
    assert own.groups() == ("1", "1")
    assert "First place: " in page
    assert 'http-equiv="refresh"' not in page


@pytest.mark.parametrize("kind", offered_kinds(), ids=lambda kind: str(kind.code))
def test_a_form_has_the_fields_of_its_kind_alone_and_what_it_offers_can_be_opened(
    people: tuple[Person, Person], kind: Kind
) -> None:
    form = people[0].web.get("/tournaments", params={"kind": kind.code}).text.partition('<form id="form"')[2]
    offered = set(re.findall(r'name="(\w+)"', form.partition("</form>")[0])) - {"press", "kind", "game"}
    timed = {"name", "time", "begins_in", "rated"} if kind.is_timed else set()
    assert offered == {field.name for field in kind.fields()} | timed
    usual = {field.name: str(field.usual) for field in kind.fields()}
    given = {"name": "Cup", "time": "5+3", "begins_in": "15"} if kind.is_timed else {}
    for game in re.findall(r'<option value="([\w-]+)"', form.partition("</select>")[0]):
        answer = people[0].post("/tournaments", kind=kind.code, game=game, **usual, **given)
        assert answer.status_code in (303, 409), answer.text  # an account opens five at most


def test_a_guest_is_told_that_a_tournament_needs_an_account(
    served: Served, people: tuple[Person, Person]
) -> None:
    path = open_tournament(people[0])
    with Person(served) as guest:
        assert "need an account" in guest.web.get(path).text
        assert "need an account" in guest.web.get("/tournaments").text
        assert guest.post(f"{path}/enter").status_code == 403
        assert guest.post("/tournaments", name="x").status_code == 403


def test_a_tournament_that_cannot_be_played_is_refused_with_the_reason(people: tuple[Person, Person]) -> None:
    fields = {"name": "Cup", "kind": "arena", "game": PAIR, "time": "1d+3d", "minutes": "60"}
    answer = people[0].post("/tournaments", rounds="3", begins_in="5", **fields)
    assert answer.status_code == 400
    assert "an arena needs a time control of minutes" in answer.text


@pytest.mark.parametrize("count", ["0", "33"])
def test_a_number_of_bots_that_cannot_enter_is_refused_with_what_is_accepted(
    people: tuple[Person, Person], count: str
) -> None:
    path = open_tournament(people[0])
    answer = people[0].post(f"{path}/bots", bot="level1", count=count)
    assert answer.status_code == 400
    assert f"{count} bots cannot be entered: choose a number from 1 to 32." in answer.text
    assert "level1" not in people[0].web.get(f"/api{path}").text


def test_the_page_of_a_tournament_hears_of_changes_at_once(people: tuple[Person, Person]) -> None:
    ann, bo = people
    path = open_tournament(ann)
    with ann.web.stream("GET", f"{path}/news") as answer:
        lines = (line for line in answer.iter_lines() if line.startswith("data: "))
        before = next(lines)
        bo.post(f"{path}/enter")
        assert next(line for line in lines if line != before)
    assert before.endswith('"to":""}')


def test_a_program_opens_a_tournament_of_bots_and_reads_its_standings(program: Program) -> None:
    order = {"name": "Bots", "kind": "round-robin", "game": PAIR, "time": "1+2", "options": {"size": 3}}
    id = program.post("/tournaments", 201, **order)["id"]
    assert program.post("/tournaments", 400, **(order | {"public": True}))["code"] == "bad-tournament"
    assert len(program.post(f"/tournaments/{id}/bots", bot="level1", count=3)["standings"]) == 3
    assert program.post(f"/tournaments/{id}/bots", 400, bot="level5")["code"] == "bad-tournament"
    program.post(f"/tournaments/{id}/begin")
    until(lambda: program.get(f"/tournaments/{id}")["phase"] == "over")
    found = program.get(f"/tournaments/{id}")
    assert (found["round"], found["rounds"], len(found["pairings"])) == (3, 3, 3)
    assert sum(row["points"] for row in found["standings"]) == 3
    assert [row["place"] for row in found["standings"]] == sorted(row["place"] for row in found["standings"])
    assert [one["id"] for one in program.get("/tournaments")["yours"]] == [id]
    assert program.post(f"/tournaments/{id}/enter", 409)["code"] == "cannot-enter"
