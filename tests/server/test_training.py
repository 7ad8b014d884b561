"""Training: puzzles near one's level, rated once; missed ones and own mistakes come back after days."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from random import Random
from urllib.parse import parse_qsl

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import column, insert, select, table, text

from smallchange.bots.hints import quick_hint
from smallchange.bots.review import Choice
from smallchange.core.game import games
from smallchange.core.puzzle import Puzzle, puzzles
from smallchange.core.training import DAY_MS, Card, Shown, Standing, after_try, kept_card, next_id
from smallchange.server.database import schema
from smallchange.server.database.opening import engine, migrate
from smallchange.server.web.sessions import token_hash

from .serving import Person, Served, serving

GAME = "dodgem"
OLD_CARD = table("training_card", *(column(name) for name in Card._fields), column("box"))


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as served:
        yield served


def next_puzzle(person: Person, game: str = GAME) -> Puzzle:
    answer = person.web.get(f"/train/{game}")
    assert answer.status_code == 303, answer.text
    id = answer.headers["location"].rpartition("/")[2]
    return next(one for one in puzzles(game) if one.id == id)


def give(person: Person, puzzle: Puzzle, token: str, *marked: str) -> str:
    """Answer a puzzle, some moves being marked, and return the solution's page."""
    fields = {"choice": token} | {f"mark.{move}": move for move in marked}
    answer = person.post(f"/train/{puzzle.game.id}/{puzzle.id}", **fields)
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
    days = 1
    for _ in range(4):
        wait_days(served, days - 0.01)
        assert next_puzzle(ann) != puzzle
        wait_days(served, 0.011)
        assert next_puzzle(ann) == puzzle
        assert "comes back" in ann.web.get("/train").text
        solution = give(ann, puzzle, puzzle.best)
        days = int(re.findall(r"It comes back in (\d+) day", solution)[0])
    assert days > 35


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
    assert ann.post(f"/train/{GAME}/{puzzle_id}", choice=best).status_code == 303
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
    "path", ["/train/dodgem/none", "/train/nothing", "/train/{id}?look=x", "/train/{id}?answer=x&look=x"]
)
def test_what_is_no_puzzle_has_no_page(ann: Person, path: str) -> None:
    assert ann.web.get(path.replace("{id}", f"{GAME}/{next_puzzle(ann).id}")).status_code == 404


@pytest.mark.parametrize(
    "query", ["answer=x", "choice=x", "mark.x=1", "answer={best}&mark.x=", "choice={best}&mark."]
)
def test_a_move_that_is_not_possible_is_refused_and_nothing_counts(ann: Person, query: str) -> None:
    puzzle = next_puzzle(ann)
    path, asked = f"/train/{GAME}/{puzzle.id}", query.replace("{best}", puzzle.best)
    fields = {"choice": puzzle.best} | dict(
        parse_qsl(asked.replace("answer", "choice"), keep_blank_values=True)
    )
    for answer in (ann.web.get(f"{path}?{asked}"), ann.post(path, **fields)):
        assert answer.status_code == 400
        assert unescape(answer.text).count("is not possible now. Possible: ") == 1
    assert "<dt>Rating" not in ann.web.get("/train").text


@pytest.mark.parametrize("game", [g for g in games() if puzzles(g)])
def test_marks_say_what_was_not_considered_and_count_nothing(
    served: Served, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served.services.training, "_now", lambda: DAY_MS)
    luck = Random(game)
    puzzle = luck.choice([one for one in puzzles(game) if quick_hint(one.position).token != one.best])
    legal, tempting = puzzle.position.legal(), quick_hint(puzzle.position).token
    for token in (puzzle.best, tempting, luck.choice(legal)):
        counted = set()
        for marked in ([], [token], [puzzle.best], [tempting], legal):
            with Person(served) as person:
                said, seen = give(person, puzzle, token, *marked), {token, *marked}
                holder = token_hash(person.web.cookies["who"])
            shown = served.call(served.services.training.show(holder, game, puzzle.id))
            counted.add((shown.card._replace(holder=""), shown.standing))
            assert ("You had not considered the best move." in said) == bool(
                marked and puzzle.best not in seen
            )
            assert ("but thought another better" in said) == (token != puzzle.best and puzzle.best in marked)
            assert ("Tempting at first glance" in said) == bool(marked and tempting not in seen)
            assert ("You had considered the moves that matter." in said) == bool(
                marked and token == puzzle.best and tempting in seen
            )
        assert len(counted) == 1


def test_marks_go_on_with_what_is_touched_and_with_every_look(ann: Person) -> None:
    puzzle = next_puzzle(ann)
    path, moves = f"/train/{GAME}/{puzzle.id}", puzzle.position.legal()
    links, marked = [f"{path}?mark.{moves[0]}=on"], f'name="mark.{moves[0]}" value="{moves[0]}" checked'
    while "choice=" not in links[0]:
        page = unescape(ann.web.get(links[0]).text)
        assert page.count(marked) == page.count(" checked") == 1
        links = re.findall(r'<a id="[ps]-[^>]*href="(/train/[^"]*)"', page)
    assert unescape(ann.web.get(links[0]).text).count(marked) == 1
    looks = re.findall(r'href="(/train/[^"]*look=[^"]*)"', give(ann, puzzle, moves[-1], moves[0]))
    assert len(looks) >= 2
    assert all(f"mark.{moves[0]}=" in look for look in looks)


def test_the_puzzle_of_the_day_is_the_same_for_all(ann: Person, bo: Person) -> None:
    found = [
        re.findall(r'class="btn primary" href="(/train/[^/"]+/[^/"]+)"', p.web.get("/train").text)
        for p in (ann, bo)
    ]
    assert found[0] == found[1]
    assert len(found[0]) == 1


def test_puzzles_are_chosen_near_the_level_and_what_is_due_comes_first() -> None:
    known = sorted(puzzles(GAME), key=lambda one: one.rating)
    low, high = (
        next_id(GAME, [], points, Random(1), 0) for points in (known[0].rating, known[-1].rating + 75)
    )
    assert low in {one.id for one in known[:20]}
    assert high in {one.id for one in known[-20:]}
    tried = [Card("", GAME, one.id, "", 1, 5, None, 1, True) for one in known[1:]]
    assert next_id(GAME, tried, 1500, Random(1), 0) == known[0].id
    own = Card("", GAME, "own", json.dumps(known[0].to_json()), 1, 5, 3, 0, False)
    due = [
        own,
        own._replace(puzzle="gone", content="", due=1),
        own._replace(puzzle="old", content="{}", due=2),
    ]
    assert next_id(GAME, tried + due, 1500, Random(1), 2) == known[0].id
    assert next_id(GAME, tried + due, 1500, Random(1), 3) == "own", (
        "what is no puzzle any more is passed over"
    )


def test_what_was_solved_at_once_or_is_not_due_stays_as_it_is() -> None:
    puzzle = puzzles(GAME)[0]
    known, standing = after_try(Shown(puzzle, None, Standing()), puzzle.best, "h", 5)
    assert known.due is None
    assert after_try(Shown(puzzle, known, standing), wrong(puzzle), "h", 9**15) == (known, standing)
    missed, standing = after_try(Shown(puzzle, None, Standing()), wrong(puzzle), "h", 5)
    assert missed.due == 5 + DAY_MS
    assert after_try(Shown(puzzle, missed, standing), puzzle.best, "h", missed.due - 1) == (missed, standing)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_cards_from_before_fsrs_keep_their_days(kind: str, database: str, tmp_path: Path) -> None:
    opened = engine(database if kind == "postgresql" else f"sqlite:///{tmp_path / 'old.db'}")
    migrate(opened)
    names = ("holder", "game", "puzzle", "content", "box", "due", "tries", "solved")
    rows = [("h", GAME, str(box), "", box, due, 1, True) for box, due in enumerate([5, 6, 7, 8, 9, None])]
    with opened.begin() as connection:
        for name in ("stability", "difficulty"):
            connection.execute(text(f"ALTER TABLE training_card DROP COLUMN {name}"))
        connection.execute(text("ALTER TABLE training_card ADD COLUMN box INTEGER NOT NULL"))
        for row in rows:
            connection.execute(insert(OLD_CARD).values(dict(zip(names, row, strict=True))))
        connection.execute(text("UPDATE alembic_version SET version_num = '1001'"))
    migrate(opened)
    with opened.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
        found = connection.execute(select(schema.training_card).order_by("puzzle"))
        assert [Card(*row) for row in found] == [kept_card(*row) for row in rows]
    assert [kept_card(*row).memory.days for row in rows] == [1, 3, 7, 16, 35, 35]
    opened.dispose()
