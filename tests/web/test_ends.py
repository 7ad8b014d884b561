"""The end of a match: giving up, a rematch, practice, the record that proves it."""

from __future__ import annotations

import pytest

from smallchange import games, record
from smallchange.game import Game
from smallchange.match import Match
from smallchange.web.pages.phrases import AGAIN_SWAPPED
from smallchange.web.refused import WHY

from .serving import Person, Served, hear, say
from .tables import ALONE, LUCKY_PAIR, PAIR, greedy, legal, page_text, seated, under_way


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


def test_a_record_is_replayed_once_however_many_look_at_the_envelope(
    served: Served, ann: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = ann.open(LUCKY_PAIR, **dict.fromkeys(map("seat.{}".format, Game(LUCKY_PAIR).seats), "me"))
    ann.deed(id, "resign", served.room(id).story.ply)
    read, replayed, pages = record.read, [], []

    def replay(text: str) -> Match:
        replayed.append(text)
        return read(text)

    monkeypatch.setattr(record, "read", replay)
    for person in (ann, bo):
        with person.socket() as line:  # the table is drawn anew
            say(line, **{"is": "watch", "match": id})
            hear(line, "shown")
        pages.append(person.web.get(f"/m/{id}/envelope").text)
    assert all("Verified: every throw" in page for page in pages)
    assert len(replayed) == 1


def test_names_and_words_of_signs_that_are_joined_are_in_a_record_that_verifies(
    served: Served, ann: Person
) -> None:
    family, persian = "\U0001f468\u200d\U0001f469\u200d\U0001f467", "می\u200cخواهم"
    players = Game(LUCKY_PAIR).seats
    id = ann.open(LUCKY_PAIR, name=family, words=persian, **{f"seat.{player}": "me" for player in players})
    ann.deed(id, "resign", served.room(id).story.ply)
    for form in ("txt", "json"):
        match = record.verify(ann.web.get(f"/m/{id}/record.{form}").text)
        assert set(match.seats.values()) == {family}
        assert match.envelope
        assert {words for _, words in match.envelope.words} == {persian}


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


def test_who_played_both_sides_has_no_seats_to_swap(served: Served, ann: Person, bo: Person) -> None:
    alone = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    ann.deed(alone, "resign", 0)
    assert AGAIN_SWAPPED.en not in ann.page(alone)
    together = seated(ann, bo)
    bo.deed(together, "resign", 1)
    assert AGAIN_SWAPPED.en in ann.page(together)


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


def test_the_same_deal_again_is_the_same_where_practice_had_luck_of_its_own_too(
    served: Served, ann: Person
) -> None:
    id = under_way(served, ann)
    at = len(served.room(id).story.match)
    fork = ann.post(f"/m/{id}/fork", at=at).headers["location"].removeprefix("/m/")
    ann.deed(fork, "resign", served.room(fork).story.ply)
    again = ann.post(f"/m/{fork}/again", same="1").headers["location"].removeprefix("/m/")
    assert served.room(again).story.match.deal == served.room(fork).story.match.deal


def test_practice_from_the_start_of_a_running_game_is_sealed_as_any_game(served: Served, ann: Person) -> None:
    id = under_way(served, ann)
    fork = ann.post(f"/m/{id}/fork", at="0").headers["location"].removeprefix("/m/")
    assert served.room(fork).story.head.secret != served.room(id).story.head.secret
    ann.deed(fork, "resign", served.room(fork).story.ply)
    assert record.verify(ann.web.get(f"/m/{fork}/record.txt").text).practice == id


def test_practice_of_what_was_practice_claims_no_more_than_that(served: Served, ann: Person) -> None:
    """Its first steps are of no deal."""
    id = under_way(served, ann)
    at = len(served.room(id).story.match)
    for _ in range(2):
        id = ann.post(f"/m/{id}/fork", at=at).headers["location"].removeprefix("/m/")
        ann.deed(id, "resign", served.room(id).story.ply)
        assert record.read(ann.web.get(f"/m/{id}/record.txt").text).deal is None
        assert not served.room(id).story.head.proven


def test_practice_against_a_bot_is_against_that_bot(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{Game(PAIR).seats[1]}": "bot:greedy"})
    ann.deed(id, "resign", 0)
    for who in (ann, bo):
        fork = who.post(f"/m/{id}/fork", at="0").headers["location"].removeprefix("/m/")
        seats = served.room(fork).story.seats
        assert [(seat.kind, seat.bot) for seat in seats] == [("person", ""), ("bot", "greedy")]


def test_practice_from_a_step_that_is_none_says_which_there_are(served: Served, ann: Person) -> None:
    id = under_way(served, ann)
    last = len(served.room(id).story.match)
    asked = f"/api/matches/{id}/fork"
    headers = {"Authorization": f"Bearer {ann.web.cookies['who']}"}
    told = ann.web.post(asked, json={"at": last + 1}, headers=headers)
    said = WHY["step"].fill(last=last, at=last + 1)
    assert (told.status_code, told.json()["code"], told.json()["why"]) == (400, "step", said.en)
    assert said.en in ann.post(f"/m/{id}/fork", at=last + 1).text
    played = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    while (story := served.room(played).story).ended is None:
        ann.deed(played, "act", story.ply, token=legal(served, played)[0])
    said = WHY["step"].fill(last=len(story.match) - 1, at=len(story.match))
    assert said.en in ann.post(f"/m/{played}/fork", at=len(story.match)).text, "nothing is left to play"
    assert ann.post(f"/m/{played}/fork", at=len(story.match) - 1).status_code == 303


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
