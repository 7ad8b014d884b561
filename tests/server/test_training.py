"""Training: puzzles near one's level, rated once; missed ones and own mistakes come back after days."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest

from smallchange.bots.review import Choice
from smallchange.core.game import games
from smallchange.core.puzzle import Puzzle, puzzles
from smallchange.core.training import DAY_MS, INTERVALS_DAYS, Card, Standing, choose, repeat
from smallchange.server.web.sessions import token_hash

from .serving import Person, Served, serving

GAME = "dodgem"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as served:
        yield served


def next_puzzle(person: Person, game: str = GAME) -> Puzzle:
    answer = person.web.get(f"/train/{game}")
    assert answer.status_code == 303, answer.text
    id = answer.headers["location"].rpartition("/")[2]
    return next(one for one in puzzles(game) if one.id == id)


def give(person: Person, puzzle: Puzzle, token: str) -> str:
    """Answer a puzzle, and return the solution's page."""
    answer = person.post(f"/train/{puzzle.game.id}/{puzzle.id}", choice=token)
    assert answer.status_code == 303, answer.text
    page = person.web.get(answer.headers["location"])
    assert page.status_code == 200
    return unescape(page.text)


def wrong(puzzle: Puzzle) -> str:
    return next(token for token in puzzle.position.legal() if token != puzzle.best)


def wait_days(served: Served, days: float) -> None:
    """Let the clock of training go on."""
    training = served.services.training
    now = training._now()
    training._now = lambda: now + int(days * DAY_MS)


@pytest.mark.parametrize("game", [g for g in games() if puzzles(g)])
def test_a_puzzle_of_every_game_is_solved_and_explained(ann: Person, game: str) -> None:
    puzzle = next_puzzle(ann, game)
    page = ann.web.get(f"/train/{game}/{puzzle.id}").text
    assert page.count('name="choice"') == len(puzzle.position.legal())
    solved = give(ann, puzzle, puzzle.best)
    assert "Right: this is the best move." in solved
    assert ("The odds are exact" in solved) == puzzle.exact
    missed = unescape(ann.web.get(f"/train/{game}/{puzzle.id}", params={"answer": wrong(puzzle)}).text)
    assert "Another move is better." in missed
    for look in ("yours", "best"):
        path, query = f"/train/{game}/{puzzle.id}", {"answer": wrong(puzzle), "look": look}
        assert ann.web.get(path, params=query).status_code == 200


def test_a_board_is_played_by_links_alone_and_the_move_is_confirmed(ann: Person) -> None:
    puzzle = next_puzzle(ann)
    page = unescape(ann.web.get(f"/train/{GAME}/{puzzle.id}").text)
    for _ in range(4):
        links = re.findall(r'<a id="[ps]-[^>]*href="(/train/[^"]*)"', page)
        assert links
        page = unescape(ann.web.get(links[0]).text)
        if "choice=" in links[0]:
            break
    assert "Answer: " in page


def test_a_first_try_is_rated_once(served: Served, ann: Person) -> None:
    puzzle, holder = next_puzzle(ann), token_hash(ann.web.cookies["who"])
    give(ann, puzzle, puzzle.best)
    give(ann, puzzle, wrong(puzzle))
    standing = served.call(served.services.training.show(holder, GAME, puzzle.id)).standing
    assert (standing.tried, standing.solved) == (1, 1)
    assert standing.rating.points > 1500
    assert next_puzzle(ann) != puzzle


def test_a_missed_puzzle_comes_back_until_it_is_known(served: Served, ann: Person) -> None:
    puzzle = next_puzzle(ann)
    give(ann, puzzle, wrong(puzzle))
    assert next_puzzle(ann) != puzzle
    for days in INTERVALS_DAYS:
        wait_days(served, days + 0.01)
        assert next_puzzle(ann) == puzzle
        assert "comes back" in ann.web.get("/train").text
        give(ann, puzzle, puzzle.best)
    wait_days(served, 365)
    assert next_puzzle(ann) != puzzle


def test_a_mistake_of_a_reviewed_game_comes_back(served: Served, ann: Person) -> None:
    id = ann.open(GAME, **{"seat.red": "me", "seat.green": "me"})
    match = served.live_table(id).history.match
    position, holder = match.position, token_hash(ann.web.cookies["who"])
    played, best = position.legal()[:2]
    choice = Choice(0, "red", played, 0.2, best, 0.9)
    job = served.services.training.review_writer(id, match, [choice])
    served.call(served.services.tables.store.write("", job))
    wait_days(served, 1.01)
    puzzle_id = ann.web.get(f"/train/{GAME}").headers["location"].rpartition("/")[2]
    page = unescape(ann.web.get(f"/train/{GAME}/{puzzle_id}").text)
    assert "From a game of yours." in page
    served.call(served.services.training.answer(holder, GAME, puzzle_id, best))
    assert served.call(served.services.training.show(holder, GAME, puzzle_id)).standing.tried == 0
    solution = unescape(ann.web.get(f"/train/{GAME}/{puzzle_id}", params={"answer": best}).text)
    assert "best bot’s judgement" in solution


def test_a_guest_who_signs_up_keeps_their_training_and_exports_it(ann: Person) -> None:
    puzzle = next_puzzle(ann)
    give(ann, puzzle, puzzle.best)
    assert ann.post("/account/sign-up", name="Ann", password="a long enough word").status_code == 200
    exported = ann.web.get("/account/export.json").json()
    assert [row["solved"] for row in exported["training"]] == [1]
    assert [row["puzzle"] for row in exported["puzzles"]] == [puzzle.id]


@pytest.mark.parametrize(
    "path", ["/train/dodgem/none", "/train/nothing", "/train/{id}?answer=x", "/train/{id}?choice=x"]
)
def test_what_is_no_puzzle_or_no_move_has_no_page(ann: Person, path: str) -> None:
    puzzle = next_puzzle(ann)
    assert ann.web.get(path.replace("{id}", f"{GAME}/{puzzle.id}")).status_code == 404
    assert ann.post(f"/train/{GAME}/{puzzle.id}", choice="x").status_code == 404


def test_the_puzzle_of_the_day_is_the_same_for_all(ann: Person, bo: Person) -> None:
    found = [
        re.findall(r'class="btn primary" href="(/train/[^/"]+/[^/"]+)"', p.web.get("/train").text)
        for p in (ann, bo)
    ]
    assert found[0] == found[1]
    assert len(found[0]) == 1


def test_puzzles_are_chosen_near_the_level(served: Served) -> None:
    known = sorted(puzzles(GAME), key=lambda one: one.rating)
    low, high = (
        choose(known, points, set(), Random(1)) for points in (known[0].rating, known[-1].rating + 75)
    )
    assert low is not None
    assert high is not None
    assert low.rating <= high.rating
    rest = {one.id for one in known[1:]}
    assert choose(known, 1500, rest, Random(1)) == known[0]
    assert choose([], 1500, set(), Random(1)) is None


def test_a_schedule_depends_on_the_given_time_alone() -> None:
    card = Card("h", GAME, "p", "", 0, None, 0, False)
    assert repeat(card, True, 5).due is None
    missed = repeat(card, False, 5)
    assert missed.due == 5 + DAY_MS
    dues: list[Any] = []
    for _ in INTERVALS_DAYS:
        missed = repeat(missed, True, 0)
        dues.append(missed.due)
    assert dues == [*(days * DAY_MS for days in INTERVALS_DAYS[1:]), None]
    assert repeat(missed._replace(due=0), False, 0).box == 0
    assert json.loads(json.dumps(Standing().rating))
