"""Players are reported; keepers hide names, rename and ban, on their page and by commands; a log remembers it."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import Connection, select, text
from sqlalchemy.exc import DBAPIError

from smallchange.cli import main
from smallchange.core import record
from smallchange.server.database import schema
from smallchange.server.database.engines import engine
from smallchange.server.notifications.model import REFUNDED
from smallchange.server.ratings import rows as ratings
from smallchange.server.ratings.standings import Board, RatedMatch, Refund, Standing, replay

from .dailies import begin as begin_deal
from .dailies import finish
from .outside import postgresql, until
from .rated import Program, begin, play_and_resign
from .serving import Person, Served, serving
from .tables import PAIR

PASSWORD = "correct horse battery"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as found:
        yield found


def sign_up(person: Person, name: str) -> None:
    answer = person.post("/account/sign-up", name=name, password=PASSWORD)
    assert answer.status_code == 200, answer.text


def admin(served: Served, *arguments: str) -> str:
    done = CliRunner().invoke(main, ["admin", "--database", served.settings.database, *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def finished_table(served: Served, ann: Person, rude: Person, name: str) -> str:
    """Return a table that Ann has won from somebody with this name."""
    id = ann.open(PAIR, name="Ann")
    assert rude.post(ann.invite(id), name=name).status_code == 303
    assert rude.command(id, "resign", served.live_table(id).history.ply).status_code == 303
    return id


def test_a_report_reaches_keepers_alone_and_a_hidden_name_is_nowhere(served: Served) -> None:
    with Person(served) as ann, Person(served) as rude, Person(served) as kim:
        id = finished_table(served, ann, rude, "Rudeboy")
        assert f'href="/m/{id}/report"' in ann.page(id)
        form = ann.web.get(f"/m/{id}/report").text
        assert "Rudeboy" in form
        assert ann.post(f"/m/{id}/report", seat="1", reason="name", text="<b>ugly</b>").status_code == 200
        assert ann.post(f"/m/{id}/report", seat="1", reason="name").status_code == 200, "twice is once"
        assert ann.post(f"/m/{id}/report", seat="0", reason="name").status_code == 400, "oneself"
        assert ann.post(f"/m/{id}/report", seat="1", reason="because").status_code == 400
        sign_up(kim, "Kim")
        assert kim.web.get("/keepers").status_code == 404
        assert kim.post("/keepers/act", report="x", action="ban").status_code == 404
        admin(served, "keeper", "kim")
        served.services.accounts._identities.clear()  # what ten seconds do
        page = kim.web.get("/keepers").text
        assert page.count("Rudeboy") == 1
        assert "&lt;b&gt;ugly&lt;/b&gt;" in page
        report = re.search(r'name="report" value="(\w+)"', page)
        assert report
        assert kim.post("/keepers/act", report=report[1], action="hide", note="a slur").status_code == 303
        for path in (f"/m/{id}", f"/m/{id}/record.txt", "/mine", f"/m/{id}/review"):
            assert "Rudeboy" not in ann.web.get(path).text, path
        record.verify(ann.web.get(f"/m/{id}/record.txt").text)
        page = kim.web.get("/keepers").text
        assert "No report is open." in page
        assert "name hidden" in page
        assert "a slur" in page


def test_a_banned_account_is_out_at_once_and_may_be_let_in_again(served: Served) -> None:
    with Person(served) as ann, Person(served) as rude, Person(served) as kim:
        sign_up(rude, "Rudeboy")
        sign_up(kim, "Kim")
        admin(served, "keeper", "Kim")
        served.services.accounts._identities.clear()
        id = finished_table(served, ann, rude, "Rudeboy")
        ann.post(f"/m/{id}/report", seat="1", reason="cheating")
        listed = json.loads(admin(served, "reports", "--json"))["reports"]
        assert [(one["reported"], one["reason"]) for one in listed] == [("Rudeboy", "cheating")]
        assert kim.post("/keepers/act", report=listed[0]["id"], action="ban").status_code == 303
        assert "Sign in" in rude.web.get("/account").text
        with Person(served) as again:
            answer = again.post("/account/sign-in", name="Rudeboy", password=PASSWORD)
            assert answer.status_code == 403
            assert "The keepers of this site have closed this account." in answer.text
            answer = again.post("/account/sign-in", name="Rudeboy", password="not this one")
            assert "closed this account" not in answer.text, "nobody else learns of it"
            assert kim.post("/keepers/unban", name="Rudeboy").status_code == 303
            assert again.post("/account/sign-in", name="Rudeboy", password=PASSWORD).status_code == 303
        log = admin(served, "log").splitlines()
        assert [line.split("  ")[1] for line in log] == [
            "Kim: unban Rudeboy",
            "Kim: ban Rudeboy",
            "the command line: appoint Kim",
        ]


def test_points_lost_to_a_banned_account_are_given_back_once(served: Served) -> None:
    cheat, ann, bo = (Program(served.url, name) for name in ("Cheat", "Ann", "Bo"))

    def both() -> tuple[list[RatedMatch | Refund], dict[Board, Standing]]:
        store = served.services.tables.store
        return served.call(store.read(ratings.rated_matches)), served.call(store.read(ratings.all_standings))

    for n, (winner, loser) in enumerate(((cheat, ann), (ann, cheat), (cheat, ann), (cheat, bo)), 1):
        play_and_resign(begin(winner, loser), winner, loser)
        until(lambda: len(both()[0]) == n)  # noqa: B023
    lost = [-gain for gain in served.call(served.services.tables.store.read(gains_of_losers)) if gain < 0]
    before = ann.ratings()[0]["points"], bo.ratings()[0]["points"], cheat.ratings()[0]["points"]
    command = ["admin", "--database", served.settings.database, "refund", "Cheat"]
    assert CliRunner().invoke(main, command).exit_code == 1, "of banned accounts alone"
    admin(served, "ban", "Cheat")
    with Person(served) as kim:
        sign_up(kim, "Kim")
        admin(served, "keeper", "Kim")
        served.services.accounts._identities.clear()
        assert "Give back the rating points lost to it" in kim.web.get("/keepers").text
        for _ in range(2):
            assert kim.post("/keepers/unban", refund="Cheat").status_code == 303
        assert "rating points given back" in kim.web.get("/keepers").text
    after = ann.ratings()[0]["points"], bo.ratings()[0]["points"], cheat.ratings()[0]["points"]
    assert after[0] - before[0] == pytest.approx(lost[0] + lost[2])
    assert after[1] - before[1] == pytest.approx(lost[3])
    assert after[2] == before[2]
    play_and_resign(begin(ann, bo), ann, bo)
    until(lambda: len(both()[0]) == 5 + 3)
    changes, stored = both()
    assert replay(changes) == stored, "the log has the refunds"
    kinds = select(schema.notification.c.kind).where(schema.notification.c.kind == REFUNDED)
    told = served.call(served.services.tables.store.read(lambda c: c.execute(kinds).all()))
    assert len(told) == 2, "Ann and Bo, once each"
    for program in (cheat, ann, bo):
        program.close()


def test_points_lost_to_an_erased_account_are_given_back_by_a_report(served: Served) -> None:
    cheat, ann = Program(served.url, "Cheat"), Program(served.url, "Ann")
    id = begin(cheat, ann)
    play_and_resign(id, cheat, ann)
    until(lambda: ann.ratings() and ann.ratings()[0]["points"] < 1500)
    accounts = served.services.accounts
    with Person(served) as kim:
        sign_up(kim, "Kim")
        admin(served, "keeper", "Kim")
        accounts._identities.clear()
        assert kim.post(f"/m/{id}/report", seat="0", reason="cheating").status_code == 200
        report = json.loads(admin(served, "reports", "--json"))["reports"][0]["id"]
        refund = {"report": report, "action": "refund"}
        assert kim.post("/keepers/act", **refund).status_code == 400, "not of an account that is open"
        served.call(accounts.erase(served.call(accounts.by_name("Cheat"))))
        assert 'value="refund"' in kim.web.get("/keepers").text
        for _ in range(2):
            assert kim.post("/keepers/act", **refund).status_code == 303
    assert ann.ratings()[0]["points"] == pytest.approx(1500)
    for program in (cheat, ann):
        program.close()


def gains_of_losers(connection: Connection) -> list[float]:
    change = schema.rating_change.c
    query = select(change.gain).where(change.gain < 0).order_by(change.number)
    return list(connection.execute(query).scalars())


def test_keepers_see_rated_games_within_one_address_and_deals_played_alike(served: Served) -> None:
    main_one, feeder = Program(served.url, "Main"), Program(served.url, "Feeder")
    for _ in range(2):
        play_and_resign(begin(main_one, feeder), main_one, feeder)
    with Person(served) as guest, Person(served) as other, Person(served) as again, Person(served) as kim:
        sign_up(again, "Again")
        sign_up(other, "Other")
        for person, choice in ((guest, 0), (other, 1), (again, 0)):
            finish(served, person, begin_deal(person), choice)
        sign_up(kim, "Kim")
        admin(served, "keeper", "Kim")
        served.services.accounts._identities.clear()
        until(lambda: "2 games" in kim.web.get("/keepers").text)
        page = kim.web.get("/keepers").text
        said = re.search(r"<bdi>(\w+)</bdi> · <bdi>(\w+)</bdi>: 2 games, (\d) won by the first", page)
        assert said
        assert {said[1]: int(said[3]), said[2]: 2 - int(said[3])} == {"Main": 2, "Feeder": 0}
        alike = page[page.index("played alike") : page.index("Log of the keepers")]
        assert "<bdi>Again</bdi>" in alike
        assert "Other" not in alike
        rows = served.call(
            served.services.tables.store.read(lambda c: c.execute(select(schema.sighting)).all())
        )
        assert rows
        assert "127.0.0.1" not in str(rows), "no address is kept"
    for program in (main_one, feeder):
        program.close()


def test_commands_rename_and_refuse_in_one_line(served: Served) -> None:
    with Person(served) as ann, Person(served) as rude:
        sign_up(rude, "Rudeboy")
        sign_up(ann, "Ann")
        id = finished_table(served, ann, rude, "Rudeboy")
        admin(served, "rename", "Rudeboy", "Polite", "--note", "asked")
        served.services.accounts._identities.clear()
        assert "Polite" in rude.web.get("/account").text
        assert "Rudeboy" not in served.call(served.services.tables.store.stored_record(id)).record
        for wrong in (
            ["ban", "nobody"],
            ["rename", "Polite", "Ann"],
            ["hide", "report:none"],
            ["close", "none"],
        ):
            done = CliRunner().invoke(main, ["admin", "--database", served.settings.database, *wrong])
            assert (done.exit_code, len(done.output.splitlines())) == (1, 1), done.output
        assert "asked" in admin(served, "log", "--json")


def test_an_erased_account_leaves_no_name_in_reports_or_the_log(served: Served) -> None:
    with Person(served) as ann, Person(served) as rude:
        sign_up(rude, "Zyxomma")
        id = finished_table(served, ann, rude, "Zyxomma")
        ann.post(f"/m/{id}/report", seat="1", reason="other", text="Zyxomma waits for ever")
        admin(served, "close", json.loads(admin(served, "reports", "--json"))["reports"][0]["id"])
        assert rude.post("/account/erase", name="Zyxomma").status_code == 303
    with closing(sqlite3.connect(served.settings.database.removeprefix("sqlite:///"))) as rows:
        assert not [line for line in rows.iterdump() if "zyxomma" in line.lower()]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_log_of_keepers_only_grows(kind: str, tmp_path: Path) -> None:
    def try_to_change(url: str) -> None:
        with serving(tmp_path, database=url, bus="memory://") as served, Person(served) as ann:
            sign_up(ann, "Ann")
            admin(served, "ban", "Ann")
        opened = engine(url)
        for statement in ("UPDATE keeper_action SET action = 'unban'", "DELETE FROM keeper_action"):
            with pytest.raises(DBAPIError, match="only grows"), opened.begin() as connection:
                connection.execute(text(statement))
        opened.dispose()

    if kind == "sqlite":
        try_to_change(f"sqlite:///{tmp_path / 'tables.db'}")
        return
    with postgresql() as url:
        try_to_change(url)


def test_one_address_reports_so_many_times_at_most(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smallchange.server.moderation.service.MAX_REPORTS", 2)
    with Person(served) as ann, Person(served) as rude:
        id = finished_table(served, ann, rude, "Rudeboy")
        answers = [ann.post(f"/m/{id}/report", seat="1", reason="other").status_code for _ in range(5)]
        assert 429 in answers
