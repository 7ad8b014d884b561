"""The explorer: the value of each move of a solved game, on pages that work by links alone."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

import smallchange
from smallchange.bots.engines import tablebase
from smallchange.tablebase import solvable

from .outside import until
from .serving import Person, serving

SOLVED = "/games/dodgem/solved?size=3&start=crosswise"
MOVE = re.compile(r'<th scope="row"><a href="([^"]+)">.*?<span class="solved-value ([a-z]*)">([^<]+)</span>')


def moves_on(page: str) -> list[tuple[str, str, str]]:
    """Return the path, the outcome and the words of each move on a page."""
    return [(unescape(path), outcome, words) for path, outcome, words in MOVE.findall(page)]


def test_a_won_game_is_won_by_following_the_best_moves(ann: Person) -> None:
    page, steps = ann.web.get(SOLVED).text, 0
    assert "won in 19 steps" in page
    while moves := moves_on(page):
        assert moves[0][1] == ("win" if steps % 2 == 0 else "loss")
        page, steps = ann.web.get(moves[0][0]).text, steps + 1
    assert steps == 19


def test_a_piece_that_is_touched_leads_to_its_moves(ann: Person) -> None:
    page = ann.web.get(SOLVED).text
    pick = next(unescape(path) for path in re.findall(r'href="([^"]+)"', page) if "pick=" in unescape(path))
    onward = [path for path, *_ in moves_on(ann.web.get(pick).text)]
    assert set(onward) & {
        unescape(path) for path in re.findall(r'<a id="[^>]*href="([^"]+)"', ann.web.get(pick).text)
    }


def test_the_page_speaks_every_language(ann: Person) -> None:
    for lang, words in (("en", "drawn"), ("de", "remis"), ("ja", "引き分け")):
        assert words in ann.web.get(f"/games/dodgem/solved?size=3&lang={lang}").text


def test_a_board_that_is_not_solved_yet_is_answered_at_once(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smallchange.server.insight.service.SOLVE_WAIT_S", 0)
    answer = ann.web.get(f"{SOLVED}&quiet_limit=30")
    assert answer.status_code == 202
    assert "is being solved" in answer.text
    monkeypatch.undo()


def test_no_page_explores_what_cannot_be(ann: Person) -> None:
    for id in smallchange.games():
        if id not in solvable():
            assert ann.web.get(f"/games/{id}/solved").status_code == 404
    assert ann.web.get(f"{SOLVED}&line=a1-z9").status_code == 404
    assert ann.web.get("/games/dodgem/solved?size=99").status_code == 400


@pytest.mark.parametrize("id", solvable())
def test_the_page_of_a_solvable_game_links_the_explorer(ann: Person, id: str) -> None:
    assert f'href="/games/{id}/solved' in ann.web.get(f"/games/{id}").text


def test_the_usual_small_boards_are_solved_after_a_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLCHANGE_DATA", str(tmp_path))
    monkeypatch.setattr(tablebase, "SMALL_TABLE_POSITIONS", 2_000)  # of the smallest alone
    monkeypatch.setattr("smallchange.server.insight.service.SOLVE_AHEAD_AFTER_S", 0)
    assert [game.options["size"] for game in tablebase.unsolved_boards()] == [3]
    with serving(tmp_path):
        until(lambda: not tablebase.unsolved_boards())
    monkeypatch.setattr(tablebase, "MAX_KEPT_BYTES", 0)
    with pytest.warns(RuntimeWarning, match="not kept, bots play without it"):
        assert tablebase.make_small_table(smallchange.game("dodgem", size=3, start="crosswise")) is None
