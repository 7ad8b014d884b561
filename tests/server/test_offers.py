"""Offers, refusals and resigning: at the table, and in what is read anew."""

from __future__ import annotations

from smallchange.core.game import Game
from smallchange.server.table.model.events import Agree, Ending, How, Offer, Proposal, columns, tag_of

from .serving import Person, Served, fresh, hear, say
from .tables import PAIR, legal, table_for_two

first, second = (f"seat.{player}" for player in Game(PAIR).seats)


def test_nothing_is_offered_to_a_bot(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{first: "me", second: "bot:random"})
    for what in ("draw", "undo"):
        assert ann.command(id, "offer", 0, what=what).status_code == 400
    assert "引き分けにする" not in ann.web.get(f"/m/{id}?lang=ja").text


def test_at_one_screen_one_agrees_on_a_draw_with_oneself(served: Served, ann: Person) -> None:
    """It is there as an offer that was accepted, and one press twice is one."""
    id, store = ann.open(PAIR, **{first: "me", second: "me"}), served.services.tables.store
    ann.command(id, "act", 0, token=legal(served, id)[0])
    assert "引き分けにする" in ann.web.get(f"/m/{id}?lang=ja").text
    assert ann.command(id, "offer", 1, what="undo").status_code == 400
    move = fresh()
    for _ in range(2):
        assert ann.command(id, "offer", 1, what="draw", move=move).status_code == 303
    history, read = served.live_table(id).history, served.call(store.load(id))
    assert [columns(event)[:3] for event in history.events[1:]] == [
        (tag_of(Offer), 0, Proposal.DRAW),
        (tag_of(Agree), 1, 0),
    ]
    for told in (history, read):
        assert told.ending == Ending(How.AGREED)
    assert "A draw by agreement." in ann.page(id)
    assert ann.web.get(f"/m/{id}/record.json").json()["result"]["ended"] == "agreed"


def test_a_program_that_holds_both_seats_agrees_by_an_offer(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{first: "me", second: "me"})
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id, "drawn": False})
        hear(line, "state")
        say(line, **{"is": "offer", "match": id, "ply": 0, "move": fresh(), "what": "draw"})
        told = hear(line, "state")
    assert told["over"]
    assert told["ended"]["how"] == "agreed"


def test_who_watches_a_game_at_one_screen_ends_nothing(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(PAIR, **{first: "me", second: "me"})
    assert bo.command(id, "offer", 0, what="draw").status_code == 403
    assert "Agree on a draw" not in bo.page(id)


def test_a_draw_is_offered_refused_and_agreed(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo)
    history = served.live_table(id).history
    assert ann.command(id, "offer", 1, what="draw").status_code == 303
    assert '"note">You offered a draw. The offer ends with the next move.<' in ann.page(id)
    assert " offers a draw.<" in bo.page(id)
    with Person(served) as third:
        for who, asked in ((bo, True), (ann, False), (third, False)):
            assert ('name="yes" value="1"' in who.page(id)) is asked
    assert bo.command(id, "answer", 2, yes="0").status_code == 303
    assert ann.command(id, "offer", 3, what="draw").status_code == 400, "once between two steps is enough"
    ann.command(id, "act", 3, token=legal(served, id)[0])
    assert bo.command(id, "offer", 4, what="draw").status_code == 303
    assert ann.command(id, "answer", 5, yes="1").status_code == 303
    assert history.ending is not None
    assert history.ending.how == "agreed"
    assert "A draw by agreement" in ann.page(id)
    assert 'tabindex="-1">A draw.<' in ann.page(id), "the reason is said above"


def test_who_is_asked_is_called_by_the_windows_title(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo)
    ann.command(id, "act", 1, token=legal(served, id)[0])
    bo.command(id, "offer", 2, what="draw")
    assert 'data-call="An offer"' in ann.page(id)
    assert 'data-call="Your turn"' in bo.page(id)


def test_who_made_an_offer_withdraws_it_and_both_are_told(served: Served, ann: Person, bo: Person) -> None:
    id, move = table_for_two(ann, bo), fresh()
    history = served.live_table(id).history
    for page in (ann.page(id), bo.page(id)):
        assert "Withdraw the offer" not in page
    ann.command(id, "offer", 1, what="draw")
    assert "Withdraw the offer" in ann.page(id)
    assert "Withdraw the offer" not in bo.page(id)
    assert ann.command(id, "answer", 2, yes="1").status_code == 400, "nobody accepts an offer of their own"
    for _ in range(2):  # sent twice it is done once
        assert ann.command(id, "answer", 2, yes="0", move=move).status_code == 303
    assert history.offer is None
    assert served.call(served.services.tables.store.load(id)).offer is None
    assert "You withdrew the offer." in ann.page(id)
    assert " withdrew the offer.<" in bo.page(id)
    assert bo.command(id, "answer", 3, yes="1").status_code == 400
    assert history.ending is None


def test_a_move_follows_a_step_and_an_offer_meanwhile_makes_it_not_stale(
    served: Served, ann: Person, bo: Person
) -> None:
    """The move was sent before the offer came. Its event has another number, and sent again it is done once."""
    id, move = table_for_two(ann, bo), fresh()
    history, token = served.live_table(id).history, legal(served, id)[0]
    seen = history.ply
    assert bo.command(id, "offer", seen, what="draw").status_code == 303
    for _ in range(2):
        assert ann.command(id, "act", seen, token=token, move=move).status_code == 303
    assert history.command_plies[move] == seen + 1
    assert history.ply == seen + 2
    late, token = history.ply, legal(served, id)[0]
    assert bo.command(id, "act", late, token=token).status_code == 303
    assert bo.command(id, "act", late, token=token).status_code == 409, "the turn has passed"
    assert ann.command(id, "resign", late).status_code == 409, "made before the other's move"


def test_an_offer_of_a_draw_stands_after_ones_own_move(served: Served, ann: Person, bo: Person) -> None:
    id, store = table_for_two(ann, bo), served.services.tables.store
    history = served.live_table(id).history
    ann.command(id, "offer", history.ply, what="draw")
    ann.command(id, "act", history.ply, token=legal(served, id)[0])
    offered = history.offer
    assert offered is not None
    assert served.call(store.load(id)).offer == offered
    bo.command(id, "act", history.ply, token=legal(served, id)[0])
    assert history.offer is None, "the other's move declines it"
    ann.command(id, "offer", history.ply, what="draw")
    ann.command(id, "act", history.ply, token=legal(served, id)[0])
    move, ply = fresh(), history.ply
    for _ in range(2):
        assert bo.command(id, "answer", ply, yes="1", move=move).status_code == 303
    assert history.ending == Ending(How.AGREED)
