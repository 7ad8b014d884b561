"""Taking back, alone and against somebody."""

from __future__ import annotations

import pytest

from smallchange import games
from smallchange.game import Game
from smallchange.web import deeds
from smallchange.web.deeds import BACK_FREE, GIVEN, UNDO_ASKED, UNDO_FREE
from smallchange.web.refused import WHY

from .serving import Person, Served, hear, say
from .tables import LUCKY_PAIR, PAIR, legal, seated


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


@pytest.mark.parametrize("game", [id for id in games() if Game(id).sources])
def test_what_chance_has_answered_stays(served: Served, ann: Person, game: str) -> None:
    """Undo is free until chance answers: after that it is refused, and nothing changes."""
    id = ann.open(game, **{f"seat.{player}": "me" for player in Game(game).seats})
    story = served.room(id).story

    def answered() -> list[str]:
        position = story.match.position
        return [token for token in position.legal() if position.after(token).actor == "chance"]

    while not answered():
        steps, token = len(story.match), legal(served, id)[0]
        ann.deed(id, "act", story.ply, token=token)
        assert ann.deed(id, "undo", story.ply).status_code == 303
        assert len(story.match) == steps
        ann.deed(id, "act", story.ply, token=token)
    ann.deed(id, "act", story.ply, token=answered()[0])
    before = (story.ply, len(story.match))
    assert ann.deed(id, "undo", story.ply).status_code == 400
    assert (story.ply, len(story.match)) == before


def test_a_table_does_not_grow_for_ever_by_taking_back(
    served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deeds, "MOST", 4)
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    for ply in range(0, 4, 2):
        ann.deed(id, "act", ply, token=legal(served, id)[0])
        assert ann.deed(id, "undo", ply + 1).status_code == 303
    assert ann.deed(id, "act", 4, token=legal(served, id)[0]).status_code == 303, (
        "it can be played to its end"
    )
    assert "Take back" not in ann.page(id)
    refused = ann.deed(id, "undo", 5)
    assert refused.status_code == 400
    assert WHY["long"].en in refused.text


def test_what_a_practice_table_was_given_is_not_taken_back(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    for ply in range(2):
        ann.deed(id, "act", ply, token=legal(served, id)[0])
    fork = ann.post(f"/m/{id}/fork", at="2").headers["location"].removeprefix("/m/")
    assert ann.deed(fork, "undo", 2).status_code == 400
    assert len(served.room(fork).story.match) == 2
    assert GIVEN.en in ann.page(fork)
    assert GIVEN.en not in ann.page(id)


def test_looking_back_at_a_game_that_is_over_nothing_is_said_of_undo(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    for ply in range(2):
        ann.deed(id, "act", ply, token=legal(served, id)[0])
    assert UNDO_FREE.en in ann.page(f"{id}?at=1")
    ann.deed(id, "resign", 2)
    assert UNDO_FREE.en not in ann.page(f"{id}?at=1")


def test_against_a_person_undo_must_be_asked_for(served: Served, ann: Person, bo: Person) -> None:
    id = seated(ann, bo)
    story = served.room(id).story
    assert ann.deed(id, "offer", 1, what="undo").status_code == 400, "there is nothing to take back yet"
    ann.deed(id, "act", 1, token=legal(served, id)[0])
    assert ann.deed(id, "undo", 2).status_code == 400
    assert ann.deed(id, "offer", 2, what="undo").status_code == 303
    assert ann.deed(id, "answer", 3, yes="1").status_code == 400, "nobody answers his own offer"
    assert bo.deed(id, "answer", 3, yes="1").status_code == 303
    assert (len(story.match), story.turn) == (0, 0)
    assert BACK_FREE.en in ann.page(id)
    id = ann.open(LUCKY_PAIR)
    bo.post(ann.invite(id))
    assert UNDO_ASKED.en in ann.page(id)
