"""Reviews: once a match is over, what the best bot makes of its choices; for whoever may see the match."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from html import unescape
from math import inf
from pathlib import Path

import httpx
import pytest

from smallchange import games, record
from smallchange.game import Game
from smallchange.mind.review import Choice, accounts, choices, plainly, review
from smallchange.web import pages
from smallchange.web.bots import HINTS
from smallchange.web.refused import WHY, Refused
from smallchange.web.reviews import GOING, HERE, KEPT, Review, Reviews
from smallchange.web.story import Story
from smallchange.web.view import Visit

from .serving import Person, Served, fresh, serving
from .tables import greedy, seated

VISIT = Visit("en", "", "")
ALONE = [id for id in games() if len(Game(id).seats) == 1][-1]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With so much time to think that it never runs out."""
    with serving(tmp_path_factory.mktemp("data"), bot_seconds=15, hints=1000) as served:
        yield served


def finished(served: Served) -> None:
    """Wait for all reviews that are being worked out."""
    served.call(all_of(served.hub.reviews._tasks))


async def all_of(tasks: set[asyncio.Task[None]]) -> None:
    await asyncio.gather(*tasks)


def resigned(served: Served, person: Person, game: str, decisions: int = 6) -> str:
    """A table where so many decisions were made before the game was given up."""
    while True:
        id = person.open(game, **{f"seat.{player}": "me" for player in Game(game).seats})
        story = served.room(id).story
        for _ in range(decisions):
            if not story.ended:
                person.deed(id, "act", story.ply, token=greedy(story.match.position))
        if not story.ended:
            person.deed(id, "resign", story.ply)
            return id


@pytest.mark.parametrize("game", games())
def test_a_review_says_what_the_best_bot_makes_of_every_choice(
    served: Served, ann: Person, bo: Person, game: str
) -> None:
    id = resigned(served, ann, game)
    title = "Odds and luck" if Game(game).sources else "Odds and best moves"
    assert f'href="/m/{id}/review">{title}<' in bo.page(id), "for spectators too"
    going = ann.web.get(f"/m/{id}/review").text
    made = served.hub.reviews.known(served.room(id).story)
    assert made is not None
    assert made.total > 0
    if made.going:
        assert f'max="{made.total}"' in going
    finished(served)
    page = unescape(bo.web.get(f"/m/{id}/review").text)
    match = record.read(ann.web.get(f"/m/{id}/record.txt").text)
    expected = review(match, seconds=60)
    assert made.found == expected, "as on one's own computer"
    assert re.findall(rf'<th scope="row"><a href="/m/{id}\?at=(\d+)">', page) == [str(c.at) for c in expected]
    assert len(re.findall('class="could"', page)) == sum(choice.cost > 0 for choice in expected)
    for choice in expected:
        assert f"<code>{choice.token}</code>" in page
        assert f"<code>{choice.best}</code>" in page
    assert page.count("the best bot expected") == len(accounts(match, expected)), "a sentence for each player"
    assert "いちばん強いボット" in bo.web.get(f"/m/{id}/review?lang=ja").text


def test_a_program_is_told_the_same(served: Served) -> None:
    with httpx.Client(base_url=f"{served.url}/api") as web:
        seats = dict.fromkeys(Game(ALONE).seats, "me")
        said = web.post("/matches", json={"game": ALONE, "seats": seats}).json()
        web.headers["Authorization"] = f"Bearer {said['token']}"
        table = said["table"]
        where = f"/matches/{table['match']}"
        assert web.get(f"{where}/review").json()["code"] == "review", "not before the end"
        while not table["ended"]:
            token = table["legal"][0]
            done = web.post(f"{where}/act", json={"ply": table["ply"], "move": fresh(), "token": token})
            table = done.json()["table"]
        going = web.get(f"{where}/review").json()
        assert 0 <= going["done"] <= going["total"]
        finished(served)
        told = web.get(f"{where}/review").json()
        match = record.read(web.get(f"{where}/record.txt").text)
        assert told["done"] == told["total"] > 0
        assert {"choices": told["choices"], "accounts": told["accounts"]} == plainly(
            match, review(match, seconds=60)
        )
        del web.headers["Authorization"]
        assert web.get(f"{where}/review").json()["code"] == "bearer"


def test_a_review_is_worked_out_once_however_many_ask(served: Served, ann: Person, bo: Person) -> None:
    id = resigned(served, ann, ALONE)
    ann.web.get(f"/m/{id}/review")
    begun = served.hub.reviews.known(served.room(id).story)
    bo.web.get(f"/m/{id}/review")
    finished(served)
    bo.web.get(f"/m/{id}/review")
    assert served.hub.reviews.known(served.room(id).story) is begun


def test_there_is_none_before_the_end(served: Served, ann: Person) -> None:
    id = ann.open(ALONE)
    assert "/review" not in ann.page(id)
    answer = ann.web.get(f"/m/{id}/review")
    assert answer.status_code == 400
    assert "once the game is over" in answer.text
    assert served.hub.reviews.known(served.room(id).story) is None


def test_there_is_none_of_a_match_that_would_hold_up_all_others(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = resigned(served, ann, ALONE)
    monkeypatch.setattr("smallchange.web.story.LONGEST", len(served.room(id).story.match) - 1)
    answer = ann.web.get(f"/m/{id}/review")
    assert answer.status_code == 400
    assert "1,000 steps at most" in answer.text
    assert f'href="/m/{id}"' in answer.text, "the way back"


def test_a_match_without_a_choice_has_a_review_that_says_so(served: Served, ann: Person) -> None:
    id = resigned(served, ann, ALONE, 0)
    assert "Nobody has chosen anything" in ann.web.get(f"/m/{id}/review").text


def test_a_review_goes_on_however_many_hints_are_asked_for(served: Served, ann: Person) -> None:
    id = resigned(served, ann, ALONE)
    desk = served.hub.reviews._bots._hints
    desk.open += HINTS  # as many wait as may
    try:
        ann.web.get(f"/m/{id}/review")
        finished(served)
    finally:
        desk.open -= HINTS
    assert 'class="course"' in ann.web.get(f"/m/{id}/review").text


def test_what_fails_is_said_once_and_tried_again(served: Served, ann: Person) -> None:
    id = resigned(served, ann, ALONE)
    desk = served.hub.reviews._bots._hints
    desk._rest = inf  # no process starts
    try:
        ann.web.get(f"/m/{id}/review")
        finished(served)
        answer = ann.web.get(f"/m/{id}/review")
    finally:
        desk._rest = 0.0
    assert answer.status_code == 503
    assert WHY["failed"].en in answer.text
    assert f'class="btn primary" href="/m/{id}/review">Ask again' in answer.text
    ann.web.get(f"/m/{id}/review")
    finished(served)
    assert 'class="course"' in ann.web.get(f"/m/{id}/review").text


def test_what_is_waited_for_is_counted_in_words_from_the_first_moment(served: Served, ann: Person) -> None:
    match = served.room(resigned(served, ann, ALONE)).story.match
    said = pages.reviewing("x", match, 0, 21, VISIT)
    assert ">Choice 0 of 21<" in said
    assert re.search("<noscript>[^/]*/m/x/review", said), "it is asked for by itself where there is script"


def test_odds_are_whole_and_what_was_given_away_is_their_difference(served: Served, ann: Person) -> None:
    match = served.room(resigned(served, ann, ALONE)).story.match
    (at, position), *_ = choices(match)
    one, other, *_ = position.legal()
    said = pages.review("x", match, [Choice(at, position.actor or "", one, 0.534, other, 0.566)], VISIT)
    assert re.findall(r'class="odds">(\d+ %)', said) == ["53 %", "57 %"]
    assert "\N{MINUS SIGN}4<" in said


def test_each_is_told_which_side_they_held_and_nothing_of_the_bots_insides(
    served: Served, ann: Person, bo: Person
) -> None:
    id = seated(ann, bo)
    story = served.room(id).story
    for who in (ann, bo):
        who.deed(id, "act", story.ply, token=greedy(story.match.position))
    ann.deed(id, "resign", story.ply)
    ann.web.get(f"/m/{id}/review")
    finished(served)
    for who in (ann, bo):
        said = who.web.get(f"/m/{id}/review").text.partition('<details class="fine">')
        assert said[0].count("(you)") == 1
        assert "searches" in said[2]


def test_a_review_that_failed_goes_on_where_it_was(served: Served, ann: Person) -> None:
    id = resigned(served, ann, ALONE)
    story, reviews = served.room(id).story, served.hub.reviews
    desk = reviews._bots._hints

    async def failed_after(choices: int) -> Review:
        begun = reviews.begin(story, "192.0.2.1")
        while len(begun.found) < choices:
            await asyncio.sleep(0)
        desk._rest = inf  # no process starts
        await all_of(reviews._tasks)
        desk._rest = 0.0
        return begun

    begun: Review = served.call(failed_after(2))
    found = list(begun.found)
    assert len(found) < begun.total
    with pytest.raises(Refused):
        reviews.known(story)
    served.call(begun_again(reviews, story))
    finished(served)
    assert reviews.known(story) == begun
    assert len(begun.found) == begun.total
    assert [choice.at for choice in begun.found[: len(found)]] == [choice.at for choice in found]
    assert begun.found == review(story.match, seconds=60), "as if it had not failed"


async def begun_again(reviews: Reviews, story: Story) -> None:
    reviews.begin(story, "192.0.2.1")


def test_hints_are_still_given_while_reviews_are_worked_out(served: Served, ann: Person) -> None:
    ids = [resigned(served, ann, ALONE) for _ in range(GOING + 1)]
    asked = [ann.web.get(f"/m/{id}/review").status_code for id in ids]
    assert set(asked) <= {200, 503}, "too many at once are refused"
    id = ann.open(ALONE)
    assert ann.post(f"/m/{id}/hint", ply=served.room(id).story.ply).status_code == 200
    finished(served)


def test_one_address_leaves_room_for_the_reviews_of_others(tmp_path: Path) -> None:
    where = "192.0.2.1"
    with (
        serving(tmp_path, proxies="127.0.0.1") as served,
        Person(served, **{"X-Forwarded-For": where}) as ann,
    ):
        ids = [resigned(served, ann, ALONE) for _ in range(HERE + 2)]
        desk = served.hub.reviews._bots._hints

        async def end() -> None:
            desk._free.release()

        served.call(desk._free.acquire())  # it is busy, so none of them ends meanwhile
        asked = [ann.web.get(f"/m/{id}/review").status_code for id in ids]
        assert asked == [200] * HERE + [503] * 2
        with Person(served, **{"X-Forwarded-For": "192.0.2.2"}) as bo:
            assert bo.web.get(f"/m/{ids[-1]}/review").status_code == 200
        assert ann.web.get(f"/m/{ids[-1]}/review").status_code == 200, "it is going on"
        served.call(end())
        finished(served)


def test_who_begins_one_pays_as_for_a_hint(tmp_path: Path) -> None:
    with serving(tmp_path, hints=1) as other, Person(other) as cleo:
        one, two = (resigned(other, cleo, ALONE) for _ in range(2))
        assert cleo.web.get(f"/m/{one}/review").status_code == 200
        assert cleo.web.get(f"/m/{two}/review").status_code == 429
        assert cleo.web.get(f"/m/{one}/review").status_code == 200


def test_one_that_is_worked_out_is_kept_whatever_else_is_asked_for(served: Served, ann: Person) -> None:
    reviews = served.hub.reviews
    ids = [resigned(served, ann, ALONE, decisions) for decisions in [6] + [0] * KEPT]
    long, *short = [served.room(id).story for id in ids]

    async def others_begun_meanwhile() -> None:
        begun = reviews.begin(long, "192.0.2.1")
        for story in short:
            reviews.begin(story, "192.0.2.1")
        assert begun.going
        assert reviews.known(long) is begun

    served.call(others_begun_meanwhile())
    finished(served)


def test_only_so_many_are_kept(served: Served, ann: Person) -> None:
    ids = [resigned(served, ann, ALONE, 0) for _ in range(KEPT + 1)]
    for id in ids:
        ann.web.get(f"/m/{id}/review")
    kept = [bool(served.hub.reviews.known(served.room(id).story)) for id in ids]
    assert kept == [False] + [True] * KEPT
