"""What one's matches came to, as the list of one's games says it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from smallchange.game import Game
from smallchange.web.store import PAGE

from .serving import Person, Served, serving
from .tables import ALONE, LUCKY_PAIR, PAIR, greedy, page_text, seated, under_way

SHORT = "coin-collectors"
Row = tuple[str, str]


def results(person: Person, page: int = 1) -> list[Row]:
    """The rows of results: the game, and what is said of it."""
    found = page_text(person.web.get(f"/mine?page={page}").text)
    listed = re.search(r'<ul class="rows results".*?</ul>', found, re.DOTALL)
    rows = re.findall(r"<li><b>(.*?)</b>(.*?)<svg", listed[0], re.DOTALL) if listed else []
    return [(title, re.sub(r"<[^>]*>", "", said).strip()) for title, said in rows]


def title(id: str) -> str:
    name: str = Game(id).words.TITLE.en
    return name


def played_out(served: Served, person: Person, game: str, **fields: str) -> str:
    """A game that one person plays to its end, on every seat that no bot has."""
    id = person.open(game, **fields)
    while not served.room(id).story.ended:
        story = served.room(id).story
        person.deed(id, "act", story.ply, token=greedy(story.match.position))
    return id


def test_who_resigns_has_lost_and_the_other_has_won(served: Served, ann: Person, bo: Person) -> None:
    assert results(ann) == []
    for _ in range(2):
        ann.deed(seated(ann, bo), "resign", 1)
    bo.deed(seated(ann, bo), "resign", 1)
    assert results(ann) == [(title(PAIR), "1 won, 0 drawn, 2 lost against people")]
    assert results(bo) == [(title(PAIR), "2 won, 0 drawn, 1 lost against people")]
    assert ann.web.get("/mine").text.count("You lost. ") == 2
    assert bo.web.get("/mine").text.count("You won. ") == 2
    with Person(served) as third:
        assert results(third) == []


def test_a_draw_that_is_agreed_counts_for_both(served: Served, ann: Person, bo: Person) -> None:
    id = seated(ann, bo)
    ann.deed(id, "offer", 1, what="draw")
    bo.deed(id, "answer", 2, yes="1")
    assert results(ann) == results(bo) == [(title(PAIR), "0 won, 1 drawn, 0 lost against people")]


def test_a_game_for_one_is_won_or_not(served: Served, ann: Person) -> None:
    ends = [served.room(played_out(served, ann, ALONE)).story.match.result for _ in range(6)]
    id = under_way(served, ann)
    ann.deed(id, "resign", served.room(id).story.ply)
    won = sum(end["won"] for end in ends if end)
    assert results(ann) == [(title(ALONE), f"{won} of 7 won")]


@pytest.mark.parametrize("game", [PAIR, LUCKY_PAIR])
def test_bots_are_told_apart_the_weakest_first(served: Served, ann: Person, game: str) -> None:
    first, second = Game(game).seats
    for bot in ("greedy", "random", "greedy"):
        id = ann.open(game, **{f"seat.{first}": "me", f"seat.{second}": f"bot:{bot}"})
        while not served.room(id).story.ended:  # the bot may be faster
            ann.deed(id, "resign", served.room(id).story.ply)
    assert results(ann) == [
        (title(game), "0 won, 0 drawn, 1 lost against a random player"),
        (title(game), "0 won, 0 drawn, 2 lost against a greedy player"),
    ]


def test_what_says_nothing_of_ones_play_does_not_count(served: Served, ann: Person, bo: Person) -> None:
    played_out(served, ann, PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    withdrawn = ann.open(PAIR)
    ann.deed(withdrawn, "resign", 0)
    assert served.room(withdrawn).story.ended
    assert results(ann) == []
    id = seated(ann, bo)
    bo.deed(id, "resign", 1)
    practice = ann.post(f"/m/{id}/fork", at="0").headers["location"].removeprefix("/m/")
    ann.deed(practice, "resign", served.room(practice).story.ply)
    assert served.room(practice).story.ended
    assert results(ann) == [(title(PAIR), "1 won, 0 drawn, 0 lost against people")]


def test_results_stay_when_the_server_starts_again(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served) as ann, Person(served) as bo:
        cookies = ann.web.cookies
        bo.deed(seated(ann, bo), "resign", 1)
        known = results(ann)
        assert known
    with serving(tmp_path) as served, Person(served) as ann:
        ann.web.cookies = cookies
        assert results(ann) == known


def test_they_are_those_of_all_pages_and_stand_on_the_first(served: Served, ann: Person, bo: Person) -> None:
    bo.deed(seated(ann, bo), "resign", 1)
    for _ in range(PAGE):
        ann.deed(ann.open(PAIR), "resign", 0)
    assert results(ann) == [(title(PAIR), "1 won, 0 drawn, 0 lost against people")]
    assert "Finished" in ann.web.get("/mine?page=2").text
    assert results(ann, page=2) == []


def test_a_deal_that_ends_the_game_at_once_is_a_result(served: Served, ann: Person) -> None:
    id = ""
    while not id or not served.room(id).story.ended:  # one deal of forty ends it
        id = ann.post(f"/games/{SHORT}").headers["location"].removeprefix("/m/")
    assert results(ann) == [(title(SHORT), "0 of 1 won")]
