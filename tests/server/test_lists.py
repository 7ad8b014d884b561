"""Which tables are listed, and what one is remembered by."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from smallchange.core import record
from smallchange.core.game import Game
from smallchange.server.table.storage.store import PAGE_SIZE

from .serving import Person, Served, hear, say, serving, stored_events
from .tables import ALONE, LUCKY_PAIR, PAIR, legal, page_text, table_for_two, write


def test_practice_is_under_no_name_but_ones_own(served: Served, ann: Person, bo: Person) -> None:
    id = table_for_two(ann, bo, name="Ann")
    bo.command(id, "resign", 1)
    with Person(served) as third:
        for who, names in ((ann, ["Ann", ""]), (bo, ["", "Bo"]), (third, ["", ""])):
            fork = who.post(f"/m/{id}/fork", at="0").headers["location"].removeprefix("/m/")
            assert [seat.name for seat in served.live_table(fork).history.seats] == names
        assert 'value="Ann"' not in third.web.get(f"/games/{PAIR}").text
        write(served, "UPDATE seat SET name = 'Ann' WHERE match_id = ?", fork)  # as it once was
        assert 'value="Ann"' not in third.web.get(f"/games/{PAIR}").text
    assert 'value="Ann"' in ann.web.get(f"/games/{PAIR}").text


@pytest.mark.parametrize("change", ["game = 'chess'", "options = '{\"size\": 99}'", "version = 99"])
def test_a_table_of_rules_that_are_gone_is_left_out_of_lists(tmp_path: Path, change: str) -> None:
    with serving(tmp_path) as served, Person(served) as ann:
        cookies = ann.web.cookies
        old, new = ann.open(PAIR, open="1"), ann.open(ALONE)
        write(served, f"UPDATE match SET {change} WHERE id = ?", old)
    with serving(tmp_path) as served, Person(served) as bo:
        assert bo.web.get("/").status_code == 200
        bo.web.cookies = cookies
        assert new in bo.web.get("/mine").text
        for path in ("/", "/mine"):
            assert old not in bo.web.get(path).text
        assert bo.web.get(f"/m/{old}").status_code == 410


def test_a_list_that_cannot_be_read_whole_is_not_told_in_part(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served) as ann:
        id = ann.open(PAIR, open="1")
        del served.services.tables.live._tables[id]  # to be read again
        write(served, "ALTER TABLE event RENAME TO gone")
        assert ann.web.get("/api/tables").status_code == 503
        write(served, "ALTER TABLE gone RENAME TO event")
        assert [table["match"] for table in ann.web.get("/api/tables").json()["tables"]] == [id]


@pytest.mark.parametrize("change", ["game = 'chess'", "options = '{\"size\": 99}'", "version = 99"])
def test_a_finished_match_of_ones_own_is_listed_though_its_rules_are_gone(
    tmp_path: Path, change: str
) -> None:
    with serving(tmp_path) as served, Person(served) as ann:
        cookies = ann.web.cookies
        old, new = ann.open(ALONE), ann.open(ALONE)
        for id in (old, new):
            ann.command(id, "resign", served.live_table(id).history.ply)
        write(served, f"UPDATE match SET {change} WHERE id = ?", old)
    with serving(tmp_path) as served, Person(served) as ann:
        ann.web.cookies = cookies
        listed = ann.web.get("/mine").text
        assert {old, new} == set(re.findall(r'href="/m/(\w+)"', listed))
        titles, title = re.findall(r'id="game-\w+">([^<]*)', listed), Game(ALONE).words.TITLE.en
        assert {*titles} == ({title, "chess"} if "chess" in change else {title})
        assert "its record is kept" in listed
        assert "its record is kept" in ann.web.get(f"/m/{old}").text
        bearer = {"Authorization": f"Bearer {ann.web.cookies['who']}"}
        owned = {
            one["match"]: one["ended"] for one in ann.web.get("/api/mine", headers=bearer).json()["matches"]
        }
        assert owned[old] is None
        assert owned[new]["how"] == "resigned"


def test_what_has_ended_is_not_read_for_the_lobby(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served) as ann:
        cookies, ended, running = ann.web.cookies, ann.open(ALONE), ann.open(ALONE)
        ann.command(ended, "resign", served.live_table(ended).history.ply)
    with serving(tmp_path) as served, Person(served) as ann:
        ann.web.cookies = cookies
        assert ann.web.get("/lists").status_code == 200
        assert list(served.services.tables.live._tables) == [running]


def test_a_name_that_is_written_from_right_to_left_moves_nothing_beside_it(
    served: Served, ann: Person, bo: Person
) -> None:
    id = ann.open(PAIR)
    bo.post(ann.invite(id), name="مرحبا بكم")
    assert "<bdi>you are Red, against مرحبا بكم</bdi>" in ann.web.get("/mine").text


def test_an_open_table_is_listed_while_somebody_is_there(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(PAIR, open="1")
    link = ann.invite(id)
    assert link in bo.web.get("/").text, "who has just opened it may be anywhere"
    write(served, "UPDATE match SET created = 0 WHERE id = ?", id)
    del served.services.tables.live._tables[id]  # to be read again
    assert link not in bo.web.get("/").text
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id})
        hear(line, "changes")
        assert link in bo.web.get("/").text
        for _ in range(PAGE_SIZE):
            bo.open(PAIR, open="1")
        assert link in bo.web.get("/lists").text, "however many came since"


def test_a_table_that_is_not_open_is_in_nobody_elses_lists(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(PAIR)
    code = ann.invite(id).removeprefix("/j/")

    def lists() -> str:
        return "".join(bo.web.get(path).text for path in ("/", "/lists", "/api/tables"))

    seen = lists()
    with ann.socket() as line:
        say(line, **{"is": "watch", "match": id})
        hear(line, "changes")
        seen += lists()
    assert id not in seen
    assert code not in seen


def test_who_asks_for_open_tables_alone_has_no_others_read(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served) as ann:
        ann.open(PAIR)
    with serving(tmp_path) as served, Person(served) as bo:
        assert bo.web.get("/api/tables").json() == {"tables": []}
        assert not served.services.tables.live._tables


def test_an_open_table_is_not_offered_to_who_opened_it(served: Served, ann: Person, bo: Person) -> None:
    id = ann.open(PAIR, open="1")
    assert ann.invite(id) in bo.web.get("/lists").text
    assert f'id="row-{id}"' not in ann.web.get("/lists").text
    assert f'href="/m/{id}"' in ann.web.get("/lists").text, "among one's own alone"


def test_open_tables_with_somebody_there_come_first(served: Served, ann: Person, bo: Person) -> None:
    link, later = (ann.invite(ann.open(PAIR, open="1")) for _ in range(2))
    page = bo.web.get("/lists").text
    assert page.index(later) < page.index(link)
    with ann.socket() as line:
        say(
            line,
            **{
                "is": "watch",
                "match": served.call(served.services.tables.id_by_code(link.removeprefix("/j/"))),
            },
        )
        hear(line, "changes")
        page = bo.web.get("/lists").text
    assert page.index(link) < page.index(later)


def test_tables_that_are_taken_leave_no_open_one_out(
    served: Served, ann: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smallchange.server.table.storage.store.PAGE_SIZE", 1)  # the most that are read
    link = ann.invite(ann.open(PAIR, open="1"))
    table_for_two(ann, bo, open="1")
    with Person(served) as third:
        assert link in third.web.get("/lists").text


def test_ones_games_are_listed_the_newest_first(served: Served, ann: Person) -> None:
    older, newer = ann.open(ALONE), ann.open(ALONE)
    write(served, "UPDATE match SET created = created + 1 WHERE id = ?", newer)  # if both were at once
    listed = ann.web.get("/mine").text
    assert listed.index(newer) < listed.index(older)


def test_a_list_says_when_something_happened_last(served: Served, ann: Person, bo: Person) -> None:
    id, year = table_for_two(ann, bo), str(date.today().year)
    write(served, "UPDATE match SET created = 0 WHERE id = ?", id)
    del served.services.tables.live._tables[id]  # to be read again
    listed = ann.web.get("/mine").text
    assert year in listed
    assert "1970" not in listed


def test_a_list_says_whose_turn_it_is(served: Served, ann: Person, bo: Person) -> None:
    table_for_two(ann, bo, name="Ann")
    mine, others = ann.web.get("/lists").text, bo.web.get("/lists").text
    assert "Your turn" in mine
    assert "Ann to move" in others
    assert "Your turn" not in others


def test_a_list_says_how_much_time_is_left_for_a_turn_by_correspondence(
    served: Served, ann: Person, bo: Person
) -> None:
    for time in ("10+5", "1d+3d"):
        table_for_two(ann, bo, name="Ann", time=time)
        assert ("Your turn:" in ann.web.get("/lists").text) == (time == "1d+3d")
    assert re.search(r"Your turn: \d d \d+ h left|Your turn: \d+ h \d+ min left", ann.web.get("/mine").text)
    assert "Your turn:" not in bo.web.get("/lists").text


@pytest.mark.parametrize("game", [PAIR, LUCKY_PAIR])
def test_a_table_that_waits_can_be_withdrawn(served: Served, ann: Person, bo: Person, game: str) -> None:
    id = ann.open(game, open="1")
    link = ann.invite(id)
    assert bo.command(id, "resign", 0).status_code == 403
    assert "Withdraw this table" in ann.page(id)
    assert "Withdraw this table" not in bo.page(id)
    assert ann.command(id, "resign", 0).status_code == 303
    for _ in range(2):
        assert link not in bo.web.get("/").text
        assert bo.web.get(link).headers["location"] == f"/m/{id}"
        told, joined = bo.post(link), bo.web.post(f"/api/join/{link.removeprefix('/j/')}", json={})
        assert (told.status_code, joined.json()["code"]) == (400, "withdrawn"), "nobody gets a seat there"
        refused = "This table was withdrawn, so there is no game."
        assert told.text.count(refused) == 2, "above the table, and of whatever is touched on it"
        for who in (ann, bo):
            assert who.page(id).count("was withdrawn before anybody sat down") == 1
            assert link not in who.page(id)
            assert "data-call" not in who.page(id), "there is no game that could be over"
        assert "was withdrawn" in ann.web.get("/mine").text
        for kind, fields in (("rematch", {}), ("rematch", {"same": "1"}), ("fork", {"at": "0"})):
            told = ann.post(f"/m/{id}/{kind}", **fields)
            assert (told.status_code, told.text.count(refused)) == (400, 2)
        assert ann.command(id, "resign", 1).status_code == 400
        assert record.read(ann.web.get(f"/m/{id}/record.txt").text).deal is None
        del served.services.tables.live._tables[id]  # to be read again
    assert len(stored_events(served, id)) == 1


def test_who_sits_down_first_is_not_left_by_who_withdraws_the_table(
    served: Served, ann: Person, bo: Person
) -> None:
    id = table_for_two(ann, bo)
    assert ann.command(id, "resign", 0).status_code == 409
    assert served.live_table(id).history.ending is None


def test_running_and_finished_games_are_listed_for_their_player(
    served: Served, ann: Person, bo: Person
) -> None:
    running, finished = ann.open(ALONE), ann.open(ALONE)
    ann.command(finished, "resign", served.live_table(finished).history.ply)
    mine = ann.web.get("/mine").text
    assert running in mine
    assert finished in mine
    assert running not in bo.web.get("/mine").text


def test_an_open_table_is_listed_until_its_seat_is_taken(served: Served, ann: Person, bo: Person) -> None:
    secret, open_ = ann.open(PAIR), ann.open(PAIR, open="1")
    links = [served.live_table(id).history.head.code for id in (open_, secret)]
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
    ended = [ann.open(PAIR, **at_one_screen) for _ in range(PAGE_SIZE + 2)]
    for id in ended:
        ann.command(id, "resign", 0)
    first, second = (ann.web.get(f"/mine?page={page}").text for page in (1, 2))
    assert running in first
    assert running not in ann.web.get("/").text, "nothing was played yet"
    ann.command(running, "act", served.live_table(running).history.ply, token=legal(served, running)[0])
    assert running in ann.web.get("/").text
    assert all((id in first) != (id in second) for id in ended)
    assert "/mine?page=2" in first
    assert "/mine?page=3" not in second
    for page in ("0", "x", "9" * 30):
        assert ann.web.get(f"/mine?page={page}").status_code == 404


def test_a_further_page_is_offered_only_where_there_are_further_games(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served) as ann:
        for _ in range(PAGE_SIZE):
            ann.open(PAIR)
        assert "/mine?page=2" not in ann.web.get("/mine").text
        ann.open(PAIR)
        assert "/mine?page=2" in ann.web.get("/mine").text
        assert ann.web.get("/mine?page=2").text.count('<li id="row-') == 1


def test_a_table_in_a_list_says_what_tells_it_from_others(served: Served, ann: Person, bo: Person) -> None:
    table_for_two(ann, bo, size="3")
    row = page_text(ann.web.get("/mine").text)
    for said in ("Squares on a side: 3", "you are Red, against Bo", str(date.today().year)):
        assert said in row
    assert "あなたは赤、相手はBoさん" in page_text(ann.web.get("/mine?lang=ja").text)
    assert "you are Green, against a guest" in page_text(bo.web.get("/mine").text)
    both = {f"seat.{player}": "me" for player in Game(PAIR).seats}
    for fields, said in (({}, "Waiting for a player"), (both, "both sides on one screen")):
        assert said not in ann.web.get("/mine").text
        ann.open(PAIR, **fields)
        assert said in ann.web.get("/mine").text
    bot = ann.open(PAIR, **{"seat.green": "bot:level1"})
    assert "you are Red, against Pip" in page_text(ann.web.get("/mine").text)
    fork = ann.post(f"/m/{bot}/fork", at="0").headers["location"].removeprefix("/m/")
    assert "practice" in ann.web.get("/mine").text
    assert "the same game again from its start" in ann.page(fork)
    assert "Squares on a side" not in ann.page(bot)
