"""Sitting down and playing: what people do at tables."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import httpx
import pytest

from smallchange import games
from smallchange.core.game import Game
from smallchange.server.table.live.live_table import LiveTable
from smallchange.server.table.live.live_tables import MAX_IDLE_MS
from smallchange.server.table.model import new_tables
from smallchange.server.table.model.commands import NewTable
from smallchange.server.table.model.history import SeatKind

from .serving import TIMEOUT_S, Person, Served, hear, say
from .tables import ALONE, LUCKY_PAIR, PAIR, legal, table_for_two


@pytest.mark.parametrize("game", games())
def test_every_game_opens_from_its_form_as_it_comes(served: Served, ann: Person, game: str) -> None:
    id = ann.open(game)
    history = served.live_table(id).history
    assert history.head.game == Game(game)
    assert Game(game).words.TITLE.en in ann.page(id).replace("&#x27;", "'")
    if len(Game(game).seats) == 1:
        assert history.match.position.actor != "chance"


def test_who_opens_the_link_first_takes_the_seat_and_the_third_watches(
    served: Served, ann: Person, bo: Person
) -> None:
    id = ann.open(PAIR, name="Ann")
    link = ann.invite(id)
    assert bo.web.get(link).status_code == 200
    assert not served.live_table(id).history.started, (
        "looking at the link takes no seat: a preview may do that"
    )
    assert bo.post(link, name="Bo").headers["location"] == f"/m/{id}"
    assert [seat.name for seat in served.live_table(id).history.seats] == ["Ann", "Bo"]
    with Person(served) as third:
        assert third.post(link).status_code == 409
        assert third.web.get(link).headers["location"] == f"/m/{id}"
        assert third.command(id, "act", 1, token=legal(served, id)[0]).status_code == 403
        assert "Bo" in third.page(id)
    assert served.live_table(id).history.ply == 1


def test_who_comes_too_late_is_told_that_the_seat_is_taken(served: Served, ann: Person, bo: Person) -> None:
    link = ann.invite(id := ann.open(PAIR))
    assert bo.post(link).headers["location"] == f"/m/{id}"
    with Person(served) as late:
        answer = late.post(link, name="Late")
        assert answer.status_code == 409
        assert "This seat is taken. You can watch." in answer.text
        assert 'id="board"' in answer.text
        told = late.web.post(f"/api/join/{link.removeprefix('/j/')}", json={})
        assert (told.status_code, told.json()["code"]) == (409, "seat-taken")
    assert bo.post(link).headers["location"] == f"/m/{id}", "who has the seat is led to the table"


def test_who_invites_does_not_take_the_second_seat_too(served: Served, ann: Person) -> None:
    id = ann.open(PAIR)
    assert ann.post(ann.invite(id)).status_code == 303
    assert not served.live_table(id).history.started


def test_nobody_moves_before_everybody_sits(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(PAIR)
    assert ann.command(id, "act", 0, token=legal(served, id)[0]).status_code == 400
    assert served.live_table(id).history.ply == 0
    assert "Offer a draw" not in ann.page(id), "nor is anything offered to nobody"
    assert "Offer a draw" in bo.page(table_for_two(bo, ann))


def test_at_one_screen_both_seats_are_mine(served: Served, ann: Person) -> None:
    id = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats})
    for ply in range(4):
        assert ann.command(id, "act", ply, token=legal(served, id)[0]).status_code == 303
    assert ann.command(id, "undo", 4).status_code == 303
    assert ann.command(id, "undo", 5).status_code == 303
    assert len(served.live_table(id).history.match) == 2, "each player's last decision is taken back in turn"


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_a_bot_answers_through_the_same_door(served: Served, ann: Person, bot: str) -> None:
    id = ann.open(PAIR, **{f"seat.{Game(PAIR).seats[1]}": f"bot:{bot}"})
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id})
        hear(line, "changes")
        say(line, **{"is": "act", "match": id, "ply": 0, "move": "firstmove", "token": legal(served, id)[0]})
        while (heard := hear(line, "changes"))["ply"] < 2:
            pass
    assert heard["ply"] == 2
    assert served.live_table(id).history.turn == 0


def test_a_bot_that_begins_moves_by_itself(served: Served, ann: Person) -> None:
    first, second = Game(PAIR).seats
    id = ann.open(PAIR, **{f"seat.{first}": "bot:random", f"seat.{second}": "me"})
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id})
        while hear(line, "changes")["ply"] < 1:
            pass
    assert served.live_table(id).history.turn == 1


def test_a_table_read_anew_is_as_it_was_whatever_was_taken_back(served: Served, ann: Person) -> None:
    id, luck = ann.open(PAIR, **{f"seat.{player}": "me" for player in Game(PAIR).seats}), Random(3)
    for _ in range(40):
        history = served.live_table(id).history
        if luck.random() < 0.4:
            ann.command(id, "undo", history.ply)
        else:
            ann.command(id, "act", history.ply, token=luck.choice(legal(served, id)))
    history, read = served.live_table(id).history, served.call(served.services.tables.store.load(id))
    assert (read.match, read.match.position) == (history.match, history.match.position)
    for name in ("events", "lengths", "command_plies", "offer", "ending"):
        assert getattr(read, name) == getattr(history, name), name
    assert min(b - a for a, b in pairwise(history.lengths)) < 0


def test_a_table_is_in_memory_once(served: Served, ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though a list reads it at the moment when it is opened."""
    tables, create, read = served.services.tables, served.services.tables.store.create, list[LiveTable]()

    async def create_and_read(*table: Any) -> str:
        id = await create(*table)
        read.append(await tables.live.table(id))
        return id

    monkeypatch.setattr(tables.store, "create", create_and_read)
    id = ann.open(ALONE)
    assert served.live_table(id) is read[-1]
    assert served.call(tables.live._load(id)) is read[-1]
    assert served.live_table(id) is read[-1]


def test_tables_stay_in_memory_while_somebody_watches_or_something_is_under_way(
    served: Served, ann: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = served.services.tables.live._tables
    watched, thinking, changing, idle, left = (ann.open(ALONE) for _ in range(5))
    monkeypatch.setattr("smallchange.server.table.live.live_tables.MAX_IDLE_TABLES", 1)
    lock = tables[changing].lock
    tables[thinking].thinking = True
    served.call(lock.acquire())
    with ann.socket() as line, bo.socket() as other:
        for follower, id in ((line, watched), (other, left)):
            say(follower, **{"is": "watch", "match": id})
            hear(follower, "changes")
        say(other, **{"is": "leave", "match": left})
        say(other, **{"is": "watch", "match": "nosuchmatch"})
        hear(other, "refusal")
        assert {watched, thinking, changing} <= set(tables)
        assert idle not in tables
        ply = served.live_table(watched).history.ply
        assert ann.command(watched, "act", ply, token=legal(served, watched)[0]).status_code == 303
        while hear(line, "changes")["ply"] <= ply:
            pass
    tables[thinking].thinking = False
    served.loop.call_soon_threadsafe(lock.release)


def test_tables_that_are_opened_and_left_alone_leave_memory_too(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs that never follow a table may open any number of them."""
    monkeypatch.setattr("smallchange.server.table.live.live_tables.MAX_IDLE_TABLES", 3)
    made = [
        httpx.post(f"{served.url}/api/matches", json={"game": ALONE}, timeout=TIMEOUT_S).json()["match"]
        for _ in range(9)
    ]
    assert len(served.services.tables.live._tables) <= 3
    for id in made:
        assert httpx.get(f"{served.url}/api/matches/{id}", timeout=TIMEOUT_S).status_code == 200
    assert len(served.services.tables.live._tables) <= 3, "nor do those stay that were only looked at"


def test_tables_that_nobody_has_used_for_long_leave_memory(served: Served, ann: Person) -> None:
    live = served.services.tables.live
    watched, left, used = (ann.open(ALONE) for _ in range(3))
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": watched})
        hear(line, "changes")
        for id in (watched, left, used):
            live._tables[id].used_at -= MAX_IDLE_MS + 1
        served.live_table(used)
        served.loop.call_soon_threadsafe(live._forget_unused)
        served.live_table(watched)  # after it
        assert left not in live._tables
        assert {watched, used} <= set(live._tables)
    assert left in ann.page(left)


def test_names_and_words_are_one_line_that_turns_nothing_round(
    served: Served, ann: Person, bo: Person
) -> None:
    said, kept = "  A\n\u202eB" + 200 * "x", "A B" + 37 * "x"
    id = ann.open(PAIR, name=said, words=said)
    bo.post(ann.invite(id), name=said, words=said)
    ann.command(id, "resign", 1)
    bo.post(f"/m/{id}/rematch")
    again = ann.post(f"/m/{id}/rematch", words=said).headers["location"].removeprefix("/m/")
    for seats in (served.live_table(id).history.seats, served.live_table(again).history.seats):
        assert [seat.name for seat in seats] == [kept, kept]
    words = "A B" + 97 * "x"
    assert [seat.words for seat in served.live_table(id).history.seats] == [words, words]
    assert [seat.words for seat in served.live_table(again).history.seats] == ["", words], (
        "for luck that is fresh"
    )


def test_the_lobby_asks_for_no_name_and_takes_the_one_used_last(served: Served, ann: Person) -> None:
    ann.open(PAIR, name="Ann")
    assert served.live_table(ann.open(PAIR)).history.seats[0].name == "Ann"
    ann.open(PAIR, name="Anna")
    assert served.live_table(ann.open(PAIR)).history.seats[0].name == "Anna"
    assert served.live_table(ann.open(PAIR, name="")).history.seats[0].name == ""
    assert 'value="Anna"' in ann.web.get(f"/games/{PAIR}").text, "who once played without one still has it"


def test_what_the_other_did_in_a_turn_is_told_whole(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(LUCKY_PAIR)
    bo.post(ann.invite(id))
    people = dict(enumerate((ann, bo)))
    while True:
        history = served.live_table(id).history
        seat, known, before = history.turn, len(history.match), history.match.position.copy()
        while history.turn == seat:
            token = max(legal(served, id), key=lambda token: token != "end")
            people[seat].command(id, "act", history.ply, token=token)
        view = served.live_table(id).view((1 - seat,))
        decided = [e for e in view.log[known:] if e.seat == seat and e.token != "end"]
        if len(decided) > 1 or history.ending:
            break
    assert len(decided) > 1
    said = before.summarize([entry.token for entry in decided])
    assert len(said) == 1
    assert said[0].en in view.last_turn.en


def test_after_a_look_back_there_is_nothing_to_do(served: Served, ann: Person) -> None:
    id = ann.open(ALONE)
    assert 'name="token"' in ann.page(id)
    assert 'name="token"' not in ann.web.get(f"/m/{id}?at=1").text
    assert ann.web.get(f"/m/{id}/look?at=1").json()["at"] == 1


def test_a_page_that_looks_back_says_that_the_game_is_over(served: Served, ann: Person) -> None:
    id, over = ann.open(ALONE), 'role="alert">The game is over.</p>'
    assert over not in ann.web.get(f"/m/{id}?at=1").text
    assert ann.command(id, "resign", served.live_table(id).history.ply).status_code == 303
    assert over in ann.web.get(f"/m/{id}?at=1").text
    assert over not in ann.page(id), "where the result stands"


@pytest.mark.parametrize("side", [0, 1])
def test_where_nobody_chooses_a_toss_decides_who_has_which_side(
    side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda _: side)
    first, second = Game(PAIR).seats
    order = NewTable(PAIR, {}, {first: "me", second: "bot:greedy"}, toss=True)
    history, _ = new_tables.new_table(order, "ann", new_tables.random_id, 0)
    assert [seat.kind for seat in history.seats] == [SeatKind.PERSON, SeatKind.BOT][:: -1 if side else 1]
    chosen = NewTable(PAIR, {}, order.seats)
    assert new_tables.new_table(chosen, "ann", new_tables.random_id, 0)[0].seats[0].kind == SeatKind.PERSON
