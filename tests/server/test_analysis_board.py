"""The analysis board of an ended match: other moves, chosen and thrown outcomes of chance, by links alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest

from smallchange.core.game import Game
from smallchange.server.web.frame import analysis_path

from .serving import Person, Served, serving
from .tables import greedy

LUCKY = "royal-ur"
SIMULATIONS = 20


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("data"), bot_simulations=SIMULATIONS, hints=1000) as served:
        yield served


@pytest.fixture
def ended(served: Served, ann: Person) -> str:
    """Return a table that was given up after a few decisions."""
    id = ann.open(LUCKY, **{f"seat.{player}": "me" for player in Game(LUCKY).seats})
    history = served.live_table(id).history
    for _ in range(4):
        ann.command(id, "act", history.ply, token=greedy(history.match.position))
    ann.command(id, "resign", history.ply)
    return id


def links(page: str) -> list[str]:
    """Return where the moves or outcomes that are listed lead to."""
    return [unescape(path) for path in re.findall(r'<th scope="row"><a href="([^"]*)"', page)]


def look(person: Person, path: str) -> str:
    """Return a page of the board, once its odds are there."""
    while True:
        page = person.web.get(path)
        assert page.status_code == 200, path
        if 'http-equiv="refresh"' not in page.text:
            return page.text


def test_moves_have_odds_and_chance_is_chosen_or_thrown(
    served: Served, ended: str, ann: Person, bo: Person
) -> None:
    match = served.live_table(ended).history.match
    choices = [at for at, step in enumerate(match.steps) if step.actor != "chance"]
    at = next(at for at in choices if len(match.until(at).position.legal()) > 1)
    assert f'href="/m/{ended}/review"' in ann.page(ended)
    page = look(bo, analysis_path(ended, at))
    legal = match.until(at).position.legal()
    assert sorted(links(page)) == sorted(analysis_path(ended, at, [token]) for token in legal)
    odds = [int(n) for n in re.findall(r'class="analysis-odds">(\d+)%', page)]
    assert len(odds) == len(legal)
    assert odds == sorted(odds, reverse=True), "the best first"
    assert page.count('class="is-played"') == 1, "the move of the game"
    assert ('class="move-better"' in page) == ('class="is-better"' in page), "on the board as in the list"
    path = links(page)[0]
    while "throw=1" not in (page := look(bo, path)):
        path = links(page)[0]
    outcomes = links(page)
    assert len(outcomes) == 5, "four coins"
    thrown = bo.web.get(f"{path}&throw=1")
    assert thrown.status_code == 303
    assert thrown.headers["location"] in outcomes
    varied = look(bo, thrown.headers["location"])
    assert "Back to the game" in varied
    assert varied.count("<li><a ") == len(thrown.headers["location"].split("+")), "each step of the variation"


def test_a_variation_is_stepped_through_and_its_notes_are_in_its_address(ended: str, ann: Person) -> None:
    page = look(ann, analysis_path(ended, 1))
    for _ in range(3):
        page = look(ann, links(page)[0])
    _, second, third = re.findall(r'<li><a href="([^"]*)"', page)
    page = look(ann, unescape(second))
    assert 'aria-current="true"' in page.partition(second)[2].partition(third)[0]
    assert page.count("<li><a ") == 3, "the rest of the line stays"
    fields = {
        name: unescape(value)
        for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)
    }
    noted = ann.web.get(f"/m/{ended}/analysis", params={**fields, "text": "a <b>bold</b> idea"})
    assert noted.status_code == 303
    page = look(ann, noted.headers["location"])
    assert page.count('<p class="note-text" dir="auto">a &lt;b&gt;bold&lt;/b&gt; idea</p>') == 1
    shared = unescape(re.findall(r'<li><a href="([^"]*)"', page)[2])
    assert "a &lt;b&gt;bold" in look(ann, shared), "on every page of the variation"
    other = next(path for path in links(page) if path not in unescape(shared))
    assert look(ann, other).count("<li><a ") == 3, "another move ends the line there"
    for text in ("", " "):
        assert (
            "note"
            not in ann.web.get(noted.headers["location"], params={**fields, "text": text}).headers["location"]
        )


@pytest.mark.parametrize("query", ["at=9999", "at=x", "at=0&line=nonsense"])
def test_there_is_no_board_for_positions_that_cannot_be(ended: str, ann: Person, query: str) -> None:
    assert ann.web.get(f"/m/{ended}/analysis?{query}").status_code == 404


@pytest.mark.parametrize("game", [LUCKY, "dodgem"])
def test_a_player_tries_moves_out_while_a_match_by_correspondence_goes_on(
    served: Served, ann: Person, bo: Person, game: str
) -> None:
    id = ann.open(game, time="1d+3d")
    assert bo.post(ann.invite(id), name="Bo").status_code == 303
    path = f"/m/{id}/analysis"
    assert f'href="{path}"' in ann.page(id)
    with Person(served) as cyd:
        assert f'href="{path}"' not in cyd.page(id)
        assert cyd.web.get(path).status_code == 404, "the players alone"
    page = look(ann, path)
    assert links(page)
    assert "analysis-odds" not in page, "no bot says anything"
    assert "/review" not in page
    ply = served.live_table(id).history.ply
    tried = look(bo, links(page)[0])
    assert tried.count("<li><a ") == 1
    assert served.live_table(id).history.ply == ply
    for gone in ("at=99", "at=0&line=nonsense"):
        answer = bo.web.get(f"{path}?{gone}")
        assert (answer.status_code, answer.headers["location"].partition("?")[0]) == (303, path)


def test_a_running_match_has_no_analysis_board(ann: Person) -> None:
    id = ann.open(LUCKY, **{f"seat.{player}": "me" for player in Game(LUCKY).seats})
    assert ann.web.get(f"/m/{id}/analysis").status_code == 404
    assert "/analysis" not in ann.page(id)


def share(person: Person, path: str) -> tuple[str, str]:
    """Begin to show a board to others. Return the path of its leader, and the code to follow it by."""
    begun = person.web.get(path + "&lead=")
    assert begun.status_code == 303
    page = person.web.get(begun.headers["location"]).text
    found = re.search(r"analysis\?follow=(\w+)\"", page)
    assert found, page
    return begun.headers["location"], found[1]


def test_who_follows_a_board_is_shown_what_its_leader_shows(
    served: Served, ended: str, ann: Person, bo: Person
) -> None:
    leading, code = share(ann, analysis_path(ended, 1))
    following = f"/m/{ended}/analysis?follow={code}"
    first = look(bo, following)
    assert 'data-point="' in first
    ann.web.get(f"{leading}&mark=b2&note=0+here")
    shown = look(bo, following)
    assert [part in shown for part in ("move-by-hand", ">here<")] == [True, True]
    assert "move-by-hand" not in first
    assert following in unescape(look(bo, links(shown)[0])), "one can come back"
    assert look(bo, following) == shown, "who follows leads nobody"
    ann.web.get(f"{leading}&note=0+{'long' * 50}&note=1+{'x' * 200}&line={'heads+' * 400}")
    assert look(bo, following) == shown, "what is too long, or cannot be, is passed on to nobody"


def test_who_follows_points_for_all_until_the_next_step(
    served: Served, ended: str, ann: Person, bo: Person
) -> None:
    leading, code = share(ann, analysis_path(ended, 1))
    for person, mark in ((bo, "a1"), (ann, "a1 b1"), (bo, "b2")):
        assert person.post(f"/m/{ended}/point", follow=code, mark=mark).status_code == 204
    page = ann.web.get(f"{leading}&look=1").text
    assert page.count('class="pointing') == 2, "each points at one place"
    assert "A guest points at b2." in page
    assert bo.post("/account/sign-up", name="<i>Bo", password="correct horse").status_code == 200
    bo.post(f"/m/{ended}/point", follow=code, mark="c2")
    assert "&lt;i&gt;Bo points at c2." in ann.web.get(f"{leading}&look=1").text
    for follow, mark in (("none", "a1"), (code, "a" * 99)):
        assert bo.post(f"/m/{ended}/point", follow=follow, mark=mark).status_code == 404
    bo.post(f"/m/{ended}/point", follow=code, mark="<b>")
    assert ann.web.get(f"{leading}&look=1").text.count('class="pointing') == 1, "that is no place"
    later = leading.replace("at=1", "at=2")
    assert 'class="pointing' not in ann.web.get(later).text


def test_no_board_of_a_running_match_is_shown_to_others(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(LUCKY, time="1d+3d")
    assert bo.post(ann.invite(id), name="Bo").status_code == 303
    for query in ("lead=", "lead=x", "follow=x"):
        assert ann.web.get(f"/m/{id}/analysis?{query}").status_code == 404
    assert "lead=" not in look(ann, f"/m/{id}/analysis")
