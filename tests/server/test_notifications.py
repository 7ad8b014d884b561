"""Players are notified once of what happens at their tables, by the bell on every page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from smallchange.server.notifications import service as notifications
from smallchange.server.notifications.model import ACCOUNT_KINDS, KINDS
from smallchange.server.notifications.view import SENTENCES, SWITCHES

from .outside import postgresql
from .serving import Person, Served, hear, say, serving
from .tables import PAIR, legal, table_for_two

SLOW = "1d+3d"


def unread(person: Person, at: str = "") -> int:
    answer = person.web.get("/notifications/count", params={"at": at} if at else {})
    number: int = answer.json()["unread"]
    return number


def bell(page: str) -> str:
    """Return the name of the bell for a screen reader."""
    found = re.search(r'id="bell"[^>]* aria-label="([^"]*)"', page)
    assert found
    return found[1]


def test_every_kind_has_a_sentence_and_a_switch_unless_it_is_of_the_account() -> None:
    assert set(SWITCHES) == set(KINDS)
    assert set(SENTENCES) == {*KINDS, *ACCOUNT_KINDS}


def move(served: Served, person: Person, id: str) -> None:
    ply = served.live_table(id).history.ply
    assert person.command(id, "act", ply, token=legal(served, id)[0]).status_code == 303


def sign_up(person: Person, name: str) -> None:
    answer = person.post("/account/sign-up", name=name, password="long enough")
    assert answer.status_code == 200, answer.text


def test_a_turn_by_correspondence_rings_once_and_is_read_with_the_page(
    served: Served, ann: Person, bo: Person
) -> None:
    id = table_for_two(ann, bo, time=SLOW)
    assert unread(ann) == 1, "the game has begun, and it is her turn"
    assert bell(ann.page(id)) == "Notifications"
    move(served, ann, id)
    assert (unread(ann), unread(bo)) == (0, 1)
    page = bo.web.get("/rules/dodgem").text
    assert bell(page) == "Notifications: 1 unread"
    assert "<title>(1) " in page
    listed = bo.web.get("/notifications").text
    assert f'href="/m/{id}"' in listed
    assert "It is your turn." in listed
    assert unread(bo) == 1, "to see the list is not to see the table"
    assert unread(bo, at=id) == 0
    assert bell(bo.web.get("/").text) == "Notifications"


def test_who_moves_without_seeing_the_page_has_no_unread_turn_left(
    served: Served, ann: Person, bo: Person
) -> None:
    id = table_for_two(ann, bo, time=SLOW)
    move(served, ann, id)
    move(served, bo, id)
    assert (unread(ann), unread(bo)) == (1, 0)


def test_a_game_without_a_clock_rings_only_for_those_who_do_not_have_it_open(
    served: Served, ann: Person, bo: Person
) -> None:
    id = table_for_two(ann, bo)
    ann.page(id)
    with bo.socket() as socket:
        say(socket, **{"is": "watch", "match": id, "ply": -1})
        hear(socket, "changes")
        move(served, ann, id)
        assert unread(bo) == 0
        move(served, bo, id)
        assert unread(ann) == 1
    ann.page(id)
    ply = served.live_table(id).history.ply
    assert bo.command(id, "offer", ply, what="draw").status_code == 303
    assert "You have an offer to answer." in ann.web.get("/notifications").text
    assert ann.command(id, "answer", ply + 1, yes="1").status_code == 303
    assert unread(ann) == 0, "an answer settles it"
    assert "The game has ended." in bo.web.get("/notifications").text
    bo.page(id)
    bo.post(f"/m/{id}/rematch")
    assert unread(ann) == 1, "a rematch is offered"
    assert ann.post(f"/m/{id}/rematch").status_code == 303
    assert "The game has begun." in bo.web.get("/notifications").text


def test_bots_and_lonely_games_ring_for_nobody(served: Served, ann: Person) -> None:
    first = served.live_table(ann.open(PAIR)).history.head.game.seats[0]
    other = next(s for s in served.live_table(ann.open(PAIR)).history.head.game.seats if s != first)
    id = ann.open(PAIR, **{f"seat.{first}": "me", f"seat.{other}": "me"})
    move(served, ann, id)
    assert unread(ann) == 0


def test_the_next_game_that_waits_leads_around_all_of_them(served: Served, ann: Person, bo: Person) -> None:
    ids = [table_for_two(ann, bo, time=SLOW) for _ in range(3)]
    assert bo.web.get("/mine/next").headers["location"] == "/mine", "it is Ann who is to move"
    walked, at = [], ""
    for _ in range(4):
        at = ann.web.get("/mine/next", params={"after": at}).headers["location"].removeprefix("/m/")
        walked.append(at)
    assert walked == [*ids, ids[0]]
    move(served, ann, ids[0])
    assert ann.web.get("/mine/next").headers["location"] == f"/m/{ids[1]}"


def test_an_account_chooses_what_rings_and_takes_its_notifications_along(served: Served, bo: Person) -> None:
    with Person(served) as ann:
        table_for_two(ann, bo, time=SLOW)
        sign_up(ann, "Ann of the bells")
        assert unread(ann) == 1
        exported = ann.web.get("/account/export.json").json()
        assert [one["kind"] for one in exported["notifications"]] == ["turn"]
        assert ann.post("/notifications/choose", kind=[k for k in KINDS if k != "turn"]).status_code == 303
        assert unread(ann) == 0
        assert 'value="turn"> ' in ann.web.get("/account").text
        assert ann.post("/notifications/choose", kind=list(KINDS)).status_code == 303
        assert unread(ann) == 1
        assert ann.post("/notifications/read").status_code == 303
        assert unread(ann) == 0


def test_a_guest_who_signs_in_elsewhere_brings_notifications(served: Served, ann: Person, bo: Person) -> None:
    with Person(served) as first:
        sign_up(first, "Bell collector")
        table_for_two(ann, bo, time=SLOW)
        assert ann.post("/account/sign-in", name="Bell collector", password="long enough").status_code == 303
        assert unread(first) == 1


def test_who_is_challenged_hears_of_it_until_it_is_seen_answered_or_withdrawn(served: Served) -> None:
    with Person(served) as ann, Person(served) as bo:
        sign_up(ann, "Ann the challenger")
        sign_up(bo, "Bo the challenged")

        def challenge() -> str:
            wish = {"game": PAIR, "time": SLOW}
            answer = ann.post("/people/Bo the challenged/challenge", **wish)
            assert answer.status_code == 303, answer.text
            return str(answer.headers["location"])

        path = challenge()
        assert (unread(ann), unread(bo)) == (0, 1)
        listed = bo.web.get("/notifications").text
        assert f'href="{path}"' in listed
        assert "You have been challenged to a game." in listed
        assert "Ann the challenger" in listed
        assert bo.web.get(path).status_code == 200
        assert unread(bo) == 0
        assert bo.post(f"{path}/answer", yes="1").headers["location"].startswith("/m/")
        for person, yes in ((ann, "0"), (bo, "0")):
            path = challenge()
            assert unread(bo) == 1
            assert person.post(f"{path}/answer", yes=yes).status_code == 303
            assert unread(bo) == 0, "withdrawn, or declined from elsewhere"
        challenge()
        assert (
            bo.post("/notifications/choose", kind=[k for k in KINDS if k != "challenge"]).status_code == 303
        )
        assert unread(bo) == 0
        assert bo.post("/notifications/choose", kind=list(KINDS)).status_code == 303
        assert unread(bo) == 1
        assert ann.post("/account/erase", name="Ann the challenger").status_code == 303
        assert "You are challenged" not in bo.web.get("/notifications").text


def test_a_guest_has_no_switches(served: Served, ann: Person) -> None:
    assert ann.post("/notifications/choose", kind="turn").status_code == 403


def test_two_processes_on_postgresql_notify_once_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "CACHE_S", 0.0)
    with postgresql() as url:
        both = [serving(tmp_path, database=url) for _ in range(2)]
        with both[0] as one, both[1] as two, Person(one) as ann, Person(two) as bo:
            id = ann.open(PAIR, time=SLOW)
            assert bo.post(ann.invite(id), name="Bo").status_code == 303
            assert unread(ann) == 1
            ann.page(id)
            move(one, ann, id)
            assert unread(bo) == 1
            assert "It is your turn." in bo.web.get("/notifications").text
