"""Sitting down and playing: what people do at tables."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import httpx
import pytest

from smallchange import games
from smallchange.game import Game
from smallchange.web.room import Room

from .serving import Person, Served, hear, say
from .tables import ALONE, LUCKY_PAIR, PAIR, legal, seated


@pytest.mark.parametrize("game", games())
def test_every_game_opens_from_its_form_as_it_comes(served: Served, ann: Person, game: str) -> None:
    id = ann.open(game)
    story = served.room(id).story
    assert story.head.game == Game(game)
    assert Game(game).words.TITLE.en in ann.page(id).replace("&#x27;", "'")
    if len(Game(game).seats) == 1:
        assert story.match.position.actor != "chance"


def test_who_opens_the_link_first_takes_the_seat_and_the_third_watches(
    served: Served, ann: Person, bo: Person
) -> None:
    id = ann.open(PAIR, name="Ann")
    link = ann.invite(id)
    assert bo.web.get(link).status_code == 200
    assert not served.room(id).story.started, "looking at the link takes no seat: a preview may do that"
    assert bo.post(link, name="Bo").headers["location"] == f"/m/{id}"
    assert [seat.name for seat in served.room(id).story.seats] == ["Ann", "Bo"]
    with Person(served) as third:
        assert third.post(link).status_code == 409
        assert third.web.get(link).headers["location"] == f"/m/{id}"
        assert third.deed(id, "act", 1, token=legal(served, id)[0]).status_code == 403
        assert "Bo" in third.page(id)
    assert served.room(id).story.ply == 1


def test_who_comes_too_late_is_told_that_the_seat_is_taken(served: Served, ann: Person, bo: Person) -> None:
    link = ann.invite(id := ann.open(PAIR))
    assert bo.post(link).headers["location"] == f"/m/{id}"
    with Person(served) as late:
        answer = late.post(link, name="Late")
        assert answer.status_code == 409
        assert "This seat is taken. You can watch." in answer.text
        assert 'id="board"' in answer.text
        told = late.web.post(f"/api/join/{link.removeprefix('/j/')}", json={})
        assert (told.status_code, told.json()["code"]) == (409, "taken")
    assert bo.post(link).headers["location"] == f"/m/{id}", "who has the seat is led to the table"


def test_who_invites_does_not_take_the_second_seat_too(served: Served, ann: Person) -> None:
    id = ann.open(PAIR)
    assert ann.post(ann.invite(id)).status_code == 303
    assert not served.room(id).story.started


def test_nobody_moves_before_everybody_sits(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(PAIR)
    assert ann.deed(id, "act", 0, token=legal(served, id)[0]).status_code == 400
    assert served.room(id).story.ply == 0
    assert "Offer a draw" not in ann.page(id), "nor is anything offered to nobody"
    assert "Offer a draw" in bo.page(seated(bo, ann))


def test_at_one_screen_both_seats_are_mine(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    for ply in range(4):
        assert ann.deed(id, "act", ply, token=legal(served, id)[0]).status_code == 303
    assert ann.deed(id, "undo", 4).status_code == 303
    assert ann.deed(id, "undo", 5).status_code == 303
    assert len(served.room(id).story.match) == 2, "each player's last decision is taken back in turn"


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_a_bot_answers_through_the_same_door(served: Served, ann: Person, bot: str) -> None:
    id = ann.open(PAIR, **{f"seat.{Game(PAIR).seats[1]}": f"bot:{bot}"})
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id})
        hear(line, "shown")
        say(line, **{"is": "act", "match": id, "ply": 0, "move": "firstmove", "token": legal(served, id)[0]})
        while (heard := hear(line, "shown"))["ply"] < 2:
            pass
    assert heard["ply"] == 2
    assert served.room(id).story.turn == 0


def test_a_bot_that_begins_moves_by_itself(served: Served, ann: Person) -> None:
    first, second = Game(PAIR).seats
    id = ann.open(PAIR, **{f"seat.{first}": "bot:random", f"seat.{second}": "me"})
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id})
        while hear(line, "shown")["ply"] < 1:
            pass
    assert served.room(id).story.turn == 1


def test_a_table_read_anew_is_as_it_was_whatever_was_taken_back(served: Served, ann: Person) -> None:
    id, luck = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats}), Random(3)
    for _ in range(40):
        story = served.room(id).story
        if luck.random() < 0.4:
            ann.deed(id, "undo", story.ply)
        else:
            ann.deed(id, "act", story.ply, token=luck.choice(legal(served, id)))
    story, read = served.room(id).story, served.call(served.hub.rooms.store.story(id))
    assert (read.match, read.match.position) == (story.match, story.match.position)
    for name in ("events", "lengths", "moves", "offer", "ended"):
        assert getattr(read, name) == getattr(story, name), name
    assert min(b - a for a, b in pairwise(story.lengths)) < 0


def test_a_table_is_in_memory_once(served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though a list reads it at the moment when it is opened."""
    rooms, create, read = served.hub.rooms, served.hub.rooms.store.create, list[Room]()

    async def created(*table: Any) -> str:
        id = await create(*table)
        read.append(await rooms.room(id))
        return id

    monkeypatch.setattr(rooms.store, "create", created)
    id = ann.open(ALONE)
    assert served.room(id) is read[-1]
    assert served.call(rooms._load(id)) is read[-1]
    assert served.room(id) is read[-1]


def test_tables_stay_in_memory_while_somebody_watches_or_something_is_under_way(
    served: Served, ann: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = served.hub.rooms._rooms
    watched, thinking, changing, idle, left = (ann.open(ALONE) for _ in range(5))
    monkeypatch.setattr("smallchange.web.rooms.IDLE_ROOMS", 1)
    lock = rooms[changing].lock
    rooms[thinking].thinking = True
    served.call(lock.acquire())
    with ann.socket() as line, bo.socket() as other:
        for follower, id in ((line, watched), (other, left)):
            say(follower, **{"is": "watch", "match": id})
            hear(follower, "shown")
        say(other, **{"is": "leave", "match": left})
        say(other, **{"is": "watch", "match": "nosuchmatch"})
        hear(other, "wrong")
        assert {watched, thinking, changing} < set(rooms)
        assert idle not in rooms
        ply = served.room(watched).story.ply
        assert ann.deed(watched, "act", ply, token=legal(served, watched)[0]).status_code == 303
        while hear(line, "shown")["ply"] <= ply:
            pass
    rooms[thinking].thinking = False
    served.loop.call_soon_threadsafe(lock.release)


def test_tables_that_are_opened_and_left_alone_leave_memory_too(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs that never follow a table may open any number of them."""
    monkeypatch.setattr("smallchange.web.rooms.IDLE_ROOMS", 3)
    made = [httpx.post(f"{served.url}/api/matches", json={"game": ALONE}).json()["match"] for _ in range(9)]
    assert len(served.hub.rooms._rooms) <= 3
    for id in made:
        assert httpx.get(f"{served.url}/api/matches/{id}").status_code == 200
    assert len(served.hub.rooms._rooms) <= 3, "nor do those stay that were only looked at"


def test_names_and_words_are_one_line_that_turns_nothing_round(
    served: Served, ann: Person, bo: Person
) -> None:
    said, kept = "  A\n\u202eB" + 200 * "x", "A B" + 37 * "x"
    id = ann.open(PAIR, name=said, words=said)
    bo.post(ann.invite(id), name=said, words=said)
    ann.deed(id, "resign", 1)
    again = ann.post(f"/m/{id}/again", words=said).headers["location"].removeprefix("/m/")
    for seats in (served.room(id).story.seats, served.room(again).story.seats):
        assert [seat.name for seat in seats] == [kept, kept]
    words = "A B" + 97 * "x"
    assert [seat.words for seat in served.room(id).story.seats] == [words, words]
    assert [seat.words for seat in served.room(again).story.seats] == ["", words], "for luck that is fresh"


def test_the_lobby_asks_for_no_name_and_takes_the_one_used_last(served: Served, ann: Person) -> None:
    ann.open(PAIR, name="Ann")
    assert served.room(ann.open(PAIR)).story.seats[0].name == "Ann"
    ann.open(PAIR, name="Anna")
    assert served.room(ann.open(PAIR)).story.seats[0].name == "Anna"
    assert served.room(ann.open(PAIR, name="")).story.seats[0].name == ""
    assert 'value="Anna"' in ann.web.get(f"/games/{PAIR}").text, "who once played without one still has it"


def test_what_the_other_did_in_a_turn_is_told_whole(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(LUCKY_PAIR)
    bo.post(ann.invite(id))
    people = dict(enumerate((ann, bo)))
    while True:
        story = served.room(id).story
        seat, known, before = story.turn, len(story.match), story.match.position.copy()
        while story.turn == seat:
            token = max(legal(served, id), key=lambda token: token != "end")
            people[seat].deed(id, "act", story.ply, token=token)
        view = served.room(id).view((1 - seat,))
        decided = [e for e in view.log[known:] if e.seat == seat and e.token != "end"]
        if len(decided) > 1 or story.ended:
            break
    assert len(decided) > 1
    said = before.told([entry.token for entry in decided])
    assert len(said) == 1
    assert said[0].en in view.happened.en


def test_after_a_look_back_there_is_nothing_to_do(served: Served, ann: Person) -> None:
    id = ann.open(ALONE)
    assert 'name="token"' in ann.page(id)
    assert 'name="token"' not in ann.web.get(f"/m/{id}?at=1").text
    assert ann.web.get(f"/m/{id}/look?at=1").json()["at"] == 1
