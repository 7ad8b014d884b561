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
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from smallchange.cli import main
from smallchange.core import record
from smallchange.server.database.opening import engine

from .outside import postgresql
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
    done = CliRunner().invoke(main, ["server", "admin", "--database", served.settings.database, *arguments])
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
            assert "The moderators of this site have closed this account." in answer.text
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
            done = CliRunner().invoke(
                main, ["server", "admin", "--database", served.settings.database, *wrong]
            )
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
