"""Offers, refusals and resigning: at the table, and in what is read anew."""

from __future__ import annotations

from smallchange.game import Game
from smallchange.web.story import AGREE, AGREED, DRAW, OFFER, Ended

from .serving import Person, Served, fresh, hear, say
from .tables import PAIR, legal, seated

first, second = (f"seat.{player}" for player in Game(PAIR).seats)


def test_a_second_offer_is_refused_while_one_stands(served: Served, ann: Person, bo: Person) -> None:
    id = seated(ann, bo)
    assert ann.deed(id, "offer", 1, what="draw").status_code == 303
    assert bo.deed(id, "offer", 2, what="draw").status_code == 400
    assert bo.deed(id, "answer", 2, yes="0").status_code == 303
    assert bo.deed(id, "offer", 3, what="draw").status_code == 303


def test_nothing_is_offered_to_a_bot(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{first: "me", second: "bot:random"})
    for what in ("draw", "undo"):
        assert ann.deed(id, "offer", 0, what=what).status_code == 400
    assert "引き分けにする" not in ann.web.get(f"/m/{id}?lang=ja").text


def test_at_one_screen_one_agrees_on_a_draw_with_oneself(served: Served, ann: Person) -> None:
    """It is there as an offer that was accepted, and one press twice is one."""
    id, store = ann.open(PAIR, **{first: "me", second: "me"}), served.hub.rooms.store
    ann.deed(id, "act", 0, token=legal(served, id)[0])
    assert "引き分けにする" in ann.web.get(f"/m/{id}?lang=ja").text
    assert ann.deed(id, "offer", 1, what="undo").status_code == 400
    move = fresh()
    for _ in range(2):
        assert ann.deed(id, "offer", 1, what="draw", move=move).status_code == 303
    story, read = served.room(id).story, served.call(store.story(id))
    assert [event[:3] for event in story.events[1:]] == [(OFFER, 0, DRAW), (AGREE, 1, 0)]
    for told in (story, read):
        assert told.ended == Ended(AGREED)
    assert "A draw, as both agreed." in ann.page(id)
    assert ann.web.get(f"/m/{id}/record.json").json()["result"]["ended"] == "agreed"


def test_a_program_that_holds_both_seats_agrees_by_an_offer(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{first: "me", second: "me"})
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id, "drawn": False})
        hear(line, "told")
        say(line, **{"is": "offer", "match": id, "ply": 0, "move": fresh(), "what": "draw"})
        told = hear(line, "told")
    assert told["over"]
    assert told["ended"]["how"] == "agreed"


def test_who_watches_a_game_at_one_screen_ends_nothing(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(PAIR, **{first: "me", second: "me"})
    assert bo.deed(id, "offer", 0, what="draw").status_code == 403
    assert "Agree on a draw" not in bo.page(id)


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


def test_a_draw_is_offered_refused_and_agreed(served: Served, ann: Person, bo: Person) -> None:
    id = seated(ann, bo)
    story = served.room(id).story
    assert ann.deed(id, "offer", 1, what="draw").status_code == 303
    assert '"note">You offered a draw. It lapses with the next move.<' in ann.page(id)
    assert " offers a draw.<" in bo.page(id)
    with Person(served) as third:
        for who, asked in ((bo, True), (ann, False), (third, False)):
            assert ('name="yes" value="1"' in who.page(id)) is asked
    assert bo.deed(id, "answer", 2, yes="0").status_code == 303
    assert ann.deed(id, "offer", 3, what="draw").status_code == 400, "once between two steps is enough"
    ann.deed(id, "act", 3, token=legal(served, id)[0])
    assert bo.deed(id, "offer", 4, what="draw").status_code == 303
    assert ann.deed(id, "answer", 5, yes="1").status_code == 303
    assert story.ended is not None
    assert story.ended.how == "agreed"
    assert "as both agreed" in ann.page(id)
    assert 'tabindex="-1">A draw.<' in ann.page(id), "the reason is said above"


def test_an_offer_lapses_with_the_next_step(served: Served, ann: Person, bo: Person) -> None:
    id = seated(ann, bo)
    bo.deed(id, "offer", 1, what="draw")
    ann.deed(id, "act", 2, token=legal(served, id)[0])
    assert ann.deed(id, "answer", 3, yes="1").status_code == 400
    assert served.room(id).story.ended is None


def test_who_is_asked_is_called_by_the_windows_title(served: Served, ann: Person, bo: Person) -> None:
    id = seated(ann, bo)
    ann.deed(id, "act", 1, token=legal(served, id)[0])
    bo.deed(id, "offer", 2, what="draw")
    assert 'data-call="An offer"' in ann.page(id)
    assert 'data-call="Your turn"' in bo.page(id)


def test_who_made_an_offer_withdraws_it_and_both_are_told(served: Served, ann: Person, bo: Person) -> None:
    id, move = seated(ann, bo), fresh()
    story = served.room(id).story
    for page in (ann.page(id), bo.page(id)):
        assert "Withdraw the offer" not in page
    ann.deed(id, "offer", 1, what="draw")
    assert "Withdraw the offer" in ann.page(id)
    assert "Withdraw the offer" not in bo.page(id)
    assert ann.deed(id, "answer", 2, yes="1").status_code == 400, "nobody accepts an offer of their own"
    for _ in range(2):  # sent twice it is done once
        assert ann.deed(id, "answer", 2, yes="0", move=move).status_code == 303
    assert story.offer is None
    assert served.call(served.hub.rooms.store.story(id)).offer is None
    assert "You withdrew the offer." in ann.page(id)
    assert " withdrew the offer.<" in bo.page(id)
    assert bo.deed(id, "answer", 3, yes="1").status_code == 400
    assert story.ended is None
