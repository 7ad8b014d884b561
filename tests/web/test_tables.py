"""Sitting down, playing, taking back, ending: what people do at tables."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from random import Random

import pytest

from smallchange import games, record
from smallchange.game import Game
from smallchange.web.store import PAGE

from .serving import Person, Served, hear, say


def seated(ann: Person, bo: Person, **fields: str) -> str:
    """A table of Dodg'em's kind with Ann on the first seat and Bo on the second."""
    id = ann.open(PAIR, **fields)
    assert bo.post(ann.invite(id), name="Bo").status_code == 303
    return id


PAIR = next(id for id in games() if len(Game(id).seats) == 2 and not Game(id).sources)
LUCKY_PAIR = next(id for id in games() if len(Game(id).seats) == 2 and Game(id).sources)
ALONE = [id for id in games() if len(Game(id).seats) == 1][-1]


def legal(served: Served, id: str) -> list[str]:
    return served.room(id).story.match.position.legal()


def under_way(served: Served, ann: Person) -> str:
    """A game for one in which three decisions were made, and there are more to make."""
    while True:
        id = ann.open(ALONE)
        story = served.room(id).story
        for _ in range(3):
            if not story.ended:
                ann.deed(id, "act", story.ply, token=greedy(story.match.position))
        if not story.ended:
            return id


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


def test_nobody_moves_before_everybody_sits(served: Served, ann: Person) -> None:
    id = ann.open(PAIR)
    assert ann.deed(id, "act", 0, token=legal(served, id)[0]).status_code == 400
    assert served.room(id).story.ply == 0


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


def test_undo_takes_back_a_bots_answer_with_ones_own_decision(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{Game(PAIR).seats[1]}": "bot:greedy"})
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id})
        ann.deed(id, "act", 0, token=legal(served, id)[0])
        while hear(line, "shown")["ply"] < 2:
            pass
    assert ann.deed(id, "undo", 2).status_code == 303
    story = served.room(id).story
    assert (len(story.match), story.ply) == (0, 3)
    assert ann.deed(id, "undo", 3).status_code == 400


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


def test_a_table_is_in_memory_once(served: Served, ann: Person) -> None:
    id = ann.open(ALONE)
    room = served.room(id)
    assert served.call(served.hub.rooms._load(id)) is room, "read by a list at the moment when it was opened"
    assert served.room(id) is room


def test_tables_stay_in_memory_while_somebody_watches_or_something_is_under_way(
    served: Served, ann: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smallchange.web.rooms.IDLE_ROOMS", 1)
    rooms = served.hub.rooms._rooms
    watched, thinking, changing, idle, left = (ann.open(ALONE) for _ in range(5))
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


def test_what_chance_has_answered_stays(served: Served, ann: Person) -> None:
    """Undo is free until chance answers: after that it is refused, and nothing changes."""
    for game in games():
        if len(Game(game).seats) > 1:
            continue
        id = ann.open(game)
        story = served.room(id).story
        while story.match.steps[-1].actor == "chance" and not story.ended:
            steps = len(story.match)
            ann.deed(id, "act", story.ply, token=legal(served, id)[0])
            if story.match.steps[-1].actor != "chance" and not story.ended:
                assert ann.deed(id, "undo", story.ply).status_code == 303
                assert len(story.match) == steps
                break
            before = (story.ply, len(story.match))
            assert ann.deed(id, "undo", story.ply).status_code == 400
            assert (story.ply, len(story.match)) == before


def test_what_a_practice_table_was_given_is_not_taken_back(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    for ply in range(2):
        ann.deed(id, "act", ply, token=legal(served, id)[0])
    fork = ann.post(f"/m/{id}/fork", at="2").headers["location"].removeprefix("/m/")
    assert ann.deed(fork, "undo", 2).status_code == 400
    assert len(served.room(fork).story.match) == 2


def test_against_a_person_undo_must_be_asked_for(served: Served, ann: Person, bo: Person) -> None:
    id = seated(ann, bo)
    story = served.room(id).story
    ann.deed(id, "act", 1, token=legal(served, id)[0])
    assert ann.deed(id, "undo", 2).status_code == 400
    assert ann.deed(id, "offer", 2, what="undo").status_code == 303
    assert ann.deed(id, "answer", 3, yes="1").status_code == 400, "nobody answers his own offer"
    assert bo.deed(id, "answer", 3, yes="1").status_code == 303
    assert (len(story.match), story.turn) == (0, 0)


def test_a_draw_is_offered_refused_and_agreed(served: Served, ann: Person, bo: Person) -> None:
    id = seated(ann, bo)
    story = served.room(id).story
    assert ann.deed(id, "offer", 1, what="draw").status_code == 303
    assert "draw" in bo.page(id)
    assert bo.deed(id, "answer", 2, yes="0").status_code == 303
    assert ann.deed(id, "offer", 3, what="draw").status_code == 400, "once between two steps is enough"
    ann.deed(id, "act", 3, token=legal(served, id)[0])
    assert bo.deed(id, "offer", 4, what="draw").status_code == 303
    assert ann.deed(id, "answer", 5, yes="1").status_code == 303
    assert story.ended is not None
    assert story.ended.how == "agreed"
    assert "as both agreed" in ann.page(id)


def test_an_offer_lapses_with_the_next_step(served: Served, ann: Person, bo: Person) -> None:
    id = seated(ann, bo)
    bo.deed(id, "offer", 1, what="draw")
    ann.deed(id, "act", 2, token=legal(served, id)[0])
    assert ann.deed(id, "answer", 3, yes="1").status_code == 400
    assert served.room(id).story.ended is None


def test_resigning_opens_the_envelope(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(LUCKY_PAIR, words="mine")
    bo.post(ann.invite(id), words="yours")
    story = served.room(id).story
    secret = story.head.secret.hex()
    assert secret not in ann.web.get(f"/m/{id}/envelope").text
    assert ann.deed(id, "resign", story.ply).status_code == 303
    assert secret in bo.web.get(f"/m/{id}/envelope").text
    assert story.envelope.honest
    assert [words for _, words in story.envelope.words] == ["mine", "yours"]
    for form in ("txt", "json"):
        match = record.verify(bo.web.get(f"/m/{id}/record.{form}").text)
        assert match.deal == story.envelope.deal()
        assert match.result == {"ended": "resigned", "by": story.seats[0].player}


def test_a_rematch_swaps_the_seats_and_there_is_only_one(served: Served, ann: Person, bo: Person) -> None:
    id = seated(ann, bo)
    assert ann.post(f"/m/{id}/again").status_code == 400
    bo.deed(id, "resign", 1)
    with Person(served) as third:
        assert third.post(f"/m/{id}/again").status_code == 403
    assert served.room(id).story.again is None
    second = ann.post(f"/m/{id}/again").headers["location"]
    assert bo.post(f"/m/{id}/again").headers["location"] == second
    names = [seat.name for seat in served.room(second.removeprefix("/m/")).story.seats]
    assert names[0] == "Bo"
    assert second in bo.page(id)


def test_practice_from_a_running_game_has_luck_of_its_own_and_says_so(served: Served, ann: Person) -> None:
    id = under_way(served, ann)
    story = served.room(id).story
    answer = ann.post(f"/m/{id}/fork", at=str(len(story.match)))
    fork = served.room(answer.headers["location"].removeprefix("/m/")).story
    assert fork.match.steps[: len(story.match)] == story.match.steps
    assert fork.head.secret != story.head.secret
    assert (fork.head.parent, fork.head.proven) == (id, False)
    assert record.read(record.write(fork.record)).deal is None
    assert fork.record.envelope is None, "it would prove nothing"


def test_practice_from_a_finished_game_meets_the_same_luck(served: Served, ann: Person) -> None:
    id = under_way(served, ann)
    story = served.room(id).story
    steps = list(story.match.steps)
    ann.deed(id, "resign", story.ply)
    answer = ann.post(f"/m/{id}/again", same="1")
    again = served.room(answer.headers["location"].removeprefix("/m/")).story
    while len(again.match) < len(steps):
        token = steps[len(again.match)].token
        ann.deed(again.head.id, "act", again.ply, token=token)
    assert again.match.steps[: len(steps)] == steps
    assert again.head.parent == id
    ann.deed(again.head.id, "resign", again.ply)
    said = ann.web.get(f"/m/{again.head.id}/record.txt").text
    assert f'[Practice "{id}"]' in said
    assert record.verify(said).practice == id, "it verifies, and says that its luck may have been known"
    assert record.verify(ann.web.get(f"/m/{again.head.id}/record.json").text).practice == id


def test_no_practice_from_somebody_elses_running_game(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(ALONE)
    assert bo.post(f"/m/{id}/fork", at="0").status_code == 400


def test_no_practice_from_a_running_game_against_a_person(served: Served, ann: Person, bo: Person) -> None:
    id = seated(ann, bo)
    for who in (ann, bo):
        assert who.post(f"/m/{id}/fork", at="0").status_code == 400


@pytest.mark.parametrize("game", games())
def test_a_whole_game_by_forms_ends_in_a_record_that_verifies(served: Served, ann: Person, game: str) -> None:
    players = Game(game).seats
    id = ann.open(game, **{f"seat.{player}": "me" for player in players})
    room = served.room(id)
    while not room.story.ended:
        token = greedy(room.story.match.position)
        assert ann.deed(id, "act", room.story.ply, token=token).status_code == 303
    assert room.story.ended.how == "played"
    said = ann.web.get(f"/m/{id}/record.txt").text
    assert record.read(said).position.result() == room.story.match.position.result()
    assert (record.verify(said) == room.story.match) if Game(game).sources else True
    assert Game(game).words.ending(room.story.match.game.board, room.story.match.position.s).en in page_text(
        ann.page(id)
    )


def greedy(position: object) -> str:
    from smallchange import mind

    return mind.bot("greedy")(position)  # type: ignore[arg-type]


def page_text(page: str) -> str:
    import re
    from html import unescape

    return unescape(re.sub("</?span[^>]*>", "", page))


def test_running_and_finished_games_are_listed_for_their_player(
    served: Served, ann: Person, bo: Person
) -> None:
    running, finished = ann.open(ALONE), ann.open(ALONE)
    ann.deed(finished, "resign", served.room(finished).story.ply)
    mine = ann.web.get("/mine").text
    assert running in mine
    assert finished in mine
    assert running not in bo.web.get("/mine").text


def test_an_open_table_is_listed_until_its_seat_is_taken(served: Served, ann: Person, bo: Person) -> None:
    secret, open_ = ann.open(PAIR), ann.open(PAIR, open="1")
    links = [served.room(id).story.head.code for id in (open_, secret)]
    lobby = bo.web.get("/").text
    assert [link in lobby for link in links] == [True, False]
    bo.post(ann.invite(open_))
    with Person(served) as third:
        assert links[0] not in third.web.get("/").text


def test_a_running_game_is_listed_whatever_was_played_since_and_no_game_is_lost(
    served: Served, ann: Person
) -> None:
    running = ann.open(ALONE)
    at_one_screen = {f"seat.{player}": "me" for player in Game(PAIR).seats}
    ended = [ann.open(PAIR, **at_one_screen) for _ in range(PAGE + 2)]
    for id in ended:
        ann.deed(id, "resign", 0)
    first, second = (ann.web.get(f"/mine?page={page}").text for page in (1, 2))
    assert running in first
    assert running in ann.web.get("/").text
    assert all((id in first) != (id in second) for id in ended)
    assert "/mine?page=2" in first
    assert "/mine?page=3" not in second
    for page in ("0", "x", "9" * 30):
        assert ann.web.get(f"/mine?page={page}").status_code == 400


def test_a_table_in_a_list_says_what_tells_it_from_others(served: Served, ann: Person, bo: Person) -> None:
    seated(ann, bo, size="3")
    row = page_text(ann.web.get("/mine").text)
    for said in ("Squares on a side (3)", "you are Red, against Bo", str(date.today().year)):
        assert said in row
    bot = ann.open(PAIR, **{"seat.green": "bot:level1"})
    assert "you are Red, against Level 1" in page_text(ann.web.get("/").text)
    fork = ann.post(f"/m/{bot}/fork", at="0").headers["location"].removeprefix("/m/")
    assert "practice" in ann.web.get("/mine").text
    assert "once more from its start" in ann.page(fork)
    assert "Squares on a side" not in ann.page(bot)


def test_the_lobby_asks_for_no_name_and_takes_the_one_used_last(served: Served, ann: Person) -> None:
    ann.open(PAIR, name="Ann")
    assert served.room(ann.open(PAIR)).story.seats[0].name == "Ann"
    ann.open(PAIR, name="Anna")
    assert served.room(ann.open(PAIR)).story.seats[0].name == "Anna"
    assert served.room(ann.open(PAIR, name="")).story.seats[0].name == ""


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
