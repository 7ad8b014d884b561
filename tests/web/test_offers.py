"""Offers, refusals and resigning: at the table, and in what is read anew."""

from __future__ import annotations

import pytest

from smallchange.game import Game

from .serving import Person, Served
from .test_tables import PAIR, legal, seated


def test_a_second_offer_is_refused_while_one_stands(served: Served, ann: Person, bo: Person) -> None:
    id = seated(ann, bo)
    assert ann.deed(id, "offer", 1, what="draw").status_code == 303
    assert bo.deed(id, "offer", 2, what="draw").status_code == 400
    assert bo.deed(id, "answer", 2, yes="0").status_code == 303
    assert bo.deed(id, "offer", 3, what="draw").status_code == 303


@pytest.mark.parametrize("who", ["bot:random", "me"])
def test_nothing_is_offered_to_a_bot_or_to_oneself(served: Served, ann: Person, who: str) -> None:
    id = ann.open(PAIR, **{"seat.red": "me", "seat.green": who})
    for what in ("draw", "undo"):
        assert ann.deed(id, "offer", 0, what=what).status_code == 400


def test_at_one_screen_who_is_to_move_resigns(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    ann.deed(id, "act", 0, token=legal(served, id)[0])
    ann.deed(id, "resign", 1)
    ended = served.room(id).story.ended
    assert ended is not None
    assert (ended.how, ended.seat) == ("resigned", 1)


def test_offers_and_a_rematch_are_read_anew(served: Served, ann: Person, bo: Person) -> None:
    id, store = seated(ann, bo), served.hub.rooms.store
    story = served.room(id).story
    draw, undo = {"what": "draw"}, {"what": "undo"}
    for who, kind, fields in (
        (bo, "offer", draw),
        (ann, "act", {}),  # the offer lapses
        (ann, "offer", undo),
        (bo, "answer", {"yes": "0"}),
        (bo, "act", {}),
        (bo, "offer", undo),
        (ann, "answer", {"yes": "1"}),
        (bo, "resign", {}),
    ):
        token = {"token": legal(served, id)[0]} if kind == "act" else {}
        assert who.deed(id, kind, story.ply, **fields, **token).status_code == 303
        read = served.call(store.story(id))
        assert (read.offer, read.ended, read.match) == (story.offer, story.ended, story.match)
        assert (story.offer is None) == (kind != "offer")
    again = ann.post(f"/m/{id}/again").headers["location"]
    assert again == f"/m/{served.call(store.story(id)).again}"
