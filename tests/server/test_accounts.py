"""Accounts in a browser: cookies, forms, limits of guesses, names that look alike, and erasing.

The machine of `test_accounts_machine.py` holds who is who after any sequence of what one can do.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection
from websockets.exceptions import ConnectionClosed

from smallchange.core import record
from smallchange.core.game import Game
from smallchange.server.accounts import credentials as password_module
from smallchange.server.accounts import service as accounts
from smallchange.server.accounts.credentials import Passwords
from smallchange.server.accounts.service import RECENT_MS
from smallchange.server.database import schema
from smallchange.server.table.live import table_service
from smallchange.server.table.model.new_tables import person_name
from smallchange.server.web.heavy_work import HeavyWork
from smallchange.server.web.names import fold_name, skeleton
from smallchange.server.web.sessions import token_hash

from .erasing import NAME, erase_after_games
from .serving import TIMEOUT_S, Person, Served, fresh, hear, say, serving
from .tables import PAIR

BOTH = {f"seat.{player}": "me" for player in Game(PAIR).seats}
PASSWORD = "correct horse battery"


def sign_up(person: Person, name: str, password: str = PASSWORD) -> httpx.Response:
    return person.post("/account/sign-up", name=name, password=password)


def sign_in(person: Person, name: str, password: str = PASSWORD) -> httpx.Response:
    return person.post("/account/sign-in", name=name, password=password)


def codes(answer: httpx.Response) -> list[str]:
    return re.findall(r"<li><code>([^<]+)</code></li>", answer.text)


def test_the_database_has_no_token_of_a_guest_or_an_account(served: Served) -> None:
    with Person(served) as guest, Person(served) as owner:
        guest.open(PAIR, **BOTH)
        assert sign_up(owner, "Olga").status_code == 200
        dump = served.call(
            served.services.tables.store.read(
                lambda c: [c.execute(table.select()).all() for table in schema.metadata.tables.values()]
            )
        )
        for person in (guest, owner):
            token = person.web.cookies["who"]
            assert token_hash(token) in str(dump)
            assert token not in str(dump)


def may_act(person: Person, id: str) -> bool:
    history = person.served.live_table(id).history
    token = history.match.position.legal()[0]
    return person.command(id, "act", history.ply, token=token).status_code == 303


def test_the_seats_of_a_guest_come_along_and_a_second_browser_moves(served: Served) -> None:
    with Person(served) as first, Person(served) as second:
        id = first.open(PAIR, **BOTH)
        assert sign_up(first, "Ann").status_code == 200
        assert not may_act(second, id)
        assert sign_in(second, "ann").status_code == 303
        assert may_act(second, id)
        assert may_act(first, id)


def test_the_cookie_of_the_guest_is_worth_nothing_after_the_sign_up(served: Served) -> None:
    with Person(served) as ann, Person(served) as thief:
        id = ann.open(PAIR, **BOTH)
        stolen = ann.web.cookies["who"]
        sign_up(ann, "Cleo")
        assert ann.web.cookies["who"] != stolen
        thief.web.cookies.set("who", stolen, domain="127.0.0.1")
        assert not may_act(thief, id)


def test_a_cookie_that_another_has_set_is_replaced_when_one_signs_in(served: Served) -> None:
    with Person(served) as ann, Person(served) as victim:
        sign_up(ann, "Dora")
        fixed = victim.web.cookies["who"]
        sign_in(victim, "Dora")
        with Person(served) as attacker:
            attacker.web.cookies.set("who", fixed, domain="127.0.0.1")
            assert "Dora" not in attacker.web.get("/account").text


def test_a_wrong_password_and_an_unknown_name_are_answered_alike(served: Served) -> None:
    with Person(served) as ann, Person(served) as other:
        sign_up(ann, "Eve")
        pages = [
            re.sub(r'value="[^"]*"', "", sign_in(other, name, "wrong wrong").text)
            for name in ("Eve", "Nobody")
        ]
        assert "do not go together" in pages[0]
        assert pages[0] == pages[1]


def test_the_log_has_who_signed_in_and_who_failed_without_name_and_password(
    served: Served, capfd: pytest.CaptureFixture[str]
) -> None:
    with Person(served) as ann, Person(served) as thief:
        sign_up(ann, "Ann of the log")
        capfd.readouterr()
        assert sign_in(thief, "Ann of the log", "a wrong guess").status_code == 403
        assert sign_in(thief, "Ann of the log", PASSWORD).status_code == 303
    said = "".join(capfd.readouterr())
    assert said.count("a sign-in failed") == said.count("signed in by password or code") == 1
    assert "address=127.0.0.1" in said
    assert "Ann of the log" not in said
    assert "a wrong guess" not in said


def let_pass(monkeypatch: pytest.MonkeyPatch, ms: int) -> None:
    """Let it be so much later for accounts."""
    monkeypatch.setattr(accounts, "now_ms", lambda: table_service.now_ms() + ms)


GUARDED: dict[str, dict[str, str]] = {
    "/account/codes": {},
    "/account/remove-passkey": {"passkey": "none"},
    "/account/end-sessions": {},
    "/notifications/mail": {"mail": "thief@example.org"},
    "/account/rename": {"name": "Jilly"},
    "/account/erase": {"name": "Jilly"},
}


def test_what_outlives_a_session_wants_a_credential_once_more_after_ten_minutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sends = {"site": "https://play.example", "mail_server": "smtp://127.0.0.1:1", "mail_from": "a@b.example"}
    with serving(tmp_path, **sends) as served, Person(served) as ann, Person(served) as thief:
        sign_up(ann, "Jil")
        for times, (path, fields) in enumerate(GUARDED.items(), 1):
            let_pass(monkeypatch, times * (RECENT_MS + 1000))
            cookie, before = ann.web.cookies["who"], ann.web.get("/account/export.json").json()
            for given, status in (({}, 200), ({"credential": "not this one"}, 403))[: 2 if times == 1 else 1]:
                asked = ann.post(path, **fields, **given)
                assert asked.status_code == status, path
                form = asked.text.partition(f'<form method="post" action="{path}" id="authenticate">')[2]
                sent = dict(
                    re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form.partition("</form>")[0])
                )
                assert sent == fields, "the form is not typed again"
            assert ann.web.get("/account/export.json").json() == before, "nothing has changed"
            ann.post(path, **fields, credential=PASSWORD)
            assert ann.web.cookies["who"] != cookie, "who authenticates has a new session"
            assert 'id="authenticate"' not in ann.post(path, **fields).text, "not asked again at once"
            thief.web.cookies.set("who", cookie, domain="127.0.0.1")
            assert 'action="/account/sign-in"' in thief.web.get("/account").text, "the old one is void"
        assert ann.web.get("/account/export.json").status_code == 403, "the account is erased"


def test_the_credential_of_a_form_is_an_attempt_to_sign_in_and_a_code_serves_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path, sign_ins=4) as served, Person(served) as ann:
        code = codes(sign_up(ann, "Kit"))[0]
        for times, status in ((1, 200), (2, 403)):
            let_pass(monkeypatch, times * (RECENT_MS + 1000))
            assert ann.post("/account/codes", credential=code).status_code == status
        answers = [ann.post("/account/codes", credential=f"guess {i}").status_code for i in range(3)]
        assert answers == [403, 403, 429]


def test_without_a_password_a_session_may_set_one_only_just_after_it_has_authenticated(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Person(served) as ann:
        code = codes(sign_up(ann, "Luz"))[0]
        store = served.services.tables.store
        served.call(store.write("", remove_password))
        let_pass(monkeypatch, RECENT_MS + 1000)
        asked = ann.post("/account/password", password="another password")
        assert 'action="/account/authenticate"' in asked.text
        assert "another password" not in asked.text
        assert ann.post("/account/authenticate", credential=code).headers["location"] == "/account"
        assert ann.post("/account/password", password="another password").status_code == 303


def remove_password(connection: Connection) -> None:
    connection.exec_driver_sql("DELETE FROM credential WHERE kind = 'password'")


@pytest.mark.parametrize("password", ["password1", "sunflower", "Smallchange", "jo annabel"])
def test_a_password_that_is_easily_guessed_is_refused(served: Served, password: str) -> None:
    with Person(served) as ann:
        answer = sign_up(ann, "Jo Annabel", password)
        assert answer.status_code == 400
        assert "easily guessed" in answer.text


def test_language_theme_and_settings_come_along_where_one_signs_in(served: Served) -> None:
    with Person(served) as ann, Person(served) as phone, Person(served) as laptop:
        ann.post("/lang", lang="de")
        ann.post("/settings", speed="slow")
        sign_up(ann, "Nell")
        ann.post("/theme", theme="dark")
        ann.post("/settings", letters="off")
        sign_in(phone, "Nell")
        chosen = {"lang": "de", "theme": "dark", "speed": "slow", "letters": "off"}
        assert {name: phone.web.cookies.get(name) for name in chosen} == chosen
        assert '<html lang="de" data-theme="dark">' in phone.web.get("/about").text
        phone.web.cookies.set("sound", "50", domain="127.0.0.1")  # as the switch on a table's page does
        phone.post("/account/sign-out")
        sign_in(laptop, "Nell")
        assert laptop.web.cookies.get("sound") == "50"
        assert laptop.web.get("/account/export.json").json()["settings"]["lang"] == "de"


@pytest.mark.parametrize("other", ["IDA", "Ｉda", "Idа", "lda"])
def test_a_name_that_looks_like_another_is_refused_by_name(served: Served, other: str) -> None:
    with Person(served) as ann, Person(served) as imitator:
        sign_up(ann, "Ida")
        answer = sign_up(imitator, other)
        assert answer.status_code == 409
        assert "is taken, or looks like another" in answer.text


@pytest.mark.parametrize(("name", "password"), [("", PASSWORD), ("A", PASSWORD), ("Jo Ann", "short")])
def test_a_name_or_password_that_is_too_short_is_refused_with_its_limits(
    served: Served, name: str, password: str
) -> None:
    with Person(served) as ann:
        answer = sign_up(ann, name, password)
        assert answer.status_code == 400
        assert " to " in re.findall(r'error-note" role="alert">([^<]*)<', answer.text)[0]


@given(st.text(max_size=40))
def test_the_skeleton_of_a_name_is_its_own_skeleton(name: str) -> None:
    assert skeleton(skeleton(name)) == skeleton(skeleton(skeleton(name)))


def test_sign_ups_from_one_address_are_limited_by_rows_that_all_processes_share(tmp_path: Path) -> None:
    answers = []
    with serving(tmp_path, sign_ups=5) as one, serving(tmp_path, sign_ups=5) as two:
        for i in range(7):
            with Person((one, two)[i % 2]) as guest:
                answers.append(
                    guest.post("/account/sign-up", name=f"Guest {i}x", password="short").status_code
                )
    assert answers.count(429) == 2


def test_guesses_of_a_password_lock_out_neither_its_owner_nor_another_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "SIGN_IN_PERIOD_S", 10**10)  # no period ends meanwhile
    settings: dict[str, Any] = {"sign_ins": 4, "proxies": "127.0.0.1"}

    def at(address: str) -> Person:
        return Person(served, **{"X-Forwarded-For": address})

    with serving(tmp_path, **settings) as served, at("192.0.2.1") as owner, at("192.0.2.1") as thief:
        kept = codes(sign_up(owner, "Kim"))
        owner.post("/account/sign-out")
        answers = [sign_in(thief, "Kim", f"guess {i}").status_code for i in range(5)]
        assert answers == [403] * 4 + [429]
        assert sign_in(thief, "Kim").status_code == 429
        assert sign_in(owner, "Kim").status_code == 303, "her browser was signed in before"
        with at("192.0.2.9") as phone:
            assert sign_in(phone, "Kim").status_code == 303, "nobody guesses from there"
        for n in range(20, 31):
            with at(f"192.0.2.{n}") as other:
                answers += [sign_in(other, "Kim", f"guess {i}").status_code for i in range(4)]
        assert answers[-4:] == [429] * 4, "together they have ten times as many guesses"
        with at("192.0.2.99") as new, at("192.0.2.98") as program:
            answer = sign_in(new, "Kim")
            assert answer.status_code == 429
            assert "one of your recovery codes signs you in all the same" in answer.text
            assert sign_in(new, "Kim", "aaaa-" * 5 + "aaaa").status_code == 429
            assert sign_in(new, "Kim", kept[0].upper()).status_code == 303, "nobody guesses a code"
            body = {"name": "Kim", "password": kept[1]}
            assert program.web.post("/api/sign-in", json=body).status_code == 200
            assert sign_in(program, "Kim", kept[1]).status_code == 429, "it is used up"
        for n in range(100):
            sign_in(thief, "Kim", f"guess {n}")
        assert sign_in(thief, "Kim", kept[2]).status_code == 303, "though its address has no attempts left"


def test_what_was_typed_as_a_name_that_nobody_has_is_not_stored(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served) as ann:
        assert sign_in(ann, "my secret password", "Ann").status_code == 403
    with sqlite3.connect(tmp_path / "tables.db") as database:
        assert "my secret password" not in "\n".join(database.iterdump())


@pytest.mark.parametrize(
    "name",
    [
        "..", "WIN 500 EUR http://evil.example/493", "www.evil.example", "ann@evil.example",
        "ＷＷＷ.x.example", "Small Change admin", "moderator", "The keepers", "Die Betreuer",
        "運営", "公式アカウント", "Αdmin", "Moderat0r", "4dm1n", "a.d.m.i.n", "Site Owner", "サポート", ".\u200d.",
        "Ádmin", "ᴀdmin", "🅰dmin", "KeeperKim", "もでれーたー", "モデレ－タ",
        "win at evil.com", "evil。ＣＯＭ", "bit.ly/x",
    ],
)  # fmt: skip
def test_names_of_office_addresses_and_names_without_a_page_are_refused(ann: Person, name: str) -> None:
    answer = sign_up(ann, name)
    assert answer.status_code == 400
    assert "is no name for you" in answer.text
    if name not in ("..", ".\u200d."):  # which have no page, and a guest needs none
        assert ann.post(f"/games/{PAIR}", name=name).status_code == 400, "at a table too"


@pytest.mark.parametrize("name", ["../settings", "Ann/..", "Ann\\..\\x", "Ann/．/x", "./Ann"])
def test_a_name_whose_page_a_browser_would_look_for_elsewhere_is_refused(ann: Person, name: str) -> None:
    answer = sign_up(ann, name)
    assert answer.status_code == 400
    assert "is no name for you" in answer.text


@pytest.mark.parametrize(
    "name", ["Ann/Bo", "%2e%2e", "Ann..", "...", "AC/DC", "a?b#c&d", "new", "/Ann", "Ann/", "a//b"]
)
def test_any_other_name_has_a_page(tmp_path: Path, name: str) -> None:
    with serving(tmp_path) as served, Person(served) as ann:
        assert sign_up(ann, name).status_code == 200
        found = re.search(r'href="(/people/[^"]*)"', ann.web.get("/account").text)
        assert found
        page = ann.web.get(urljoin(served.url, found[1]))
        assert f"<h1><bdi>{escape(name)}</bdi>" in page.text or f">{escape(name)}<" in page.text
        assert page.status_code == 200


def test_a_tournament_is_named_by_no_address(ann: Person) -> None:
    assert sign_up(ann, "Cornelia").status_code == 200
    order = {"kind": "arena", "game": PAIR, "time": "5+3", "minutes": "60", "rounds": "3", "begins_in": "60"}
    answer = ann.post("/tournaments", name="WIN at evil.com", **order)
    assert answer.status_code == 400
    assert "a name may not contain" in answer.text


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Marnie", "Mamie"),
        ("cliff", "diff"),
        ("istanbul", "İstanbul"),
        ("ISTANBUL", "istanbul"),
        ("ISTANBUL", "ıstanbul"),
        ("IŞIK", "ışık"),
        ("jan", "j\u0307an"),
        ("jan", "\u0237an"),
        ("Ann", "Ann. ."),
        ("istanbul", "\u0456\u0307stanbul"),
        ("ハ゜ト", "パト"),
        ("ᴀnnika", "Annika"),
        ("🅰nnika", "Аnnika"),
    ],
)
def test_names_that_look_alike_are_one_name(first: str, second: str) -> None:
    """One of the two forms is the same, of which the database takes each once."""
    names = person_name(first), person_name(second)
    assert len({*map(fold_name, names)}) == 1 or len({*map(skeleton, names)}) == 1


def test_an_erased_account_leaves_no_name_and_records_that_verify(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Person(served) as ann, Person(served) as bob:
        ids = [ann.open(PAIR, name="Quirina") for _ in range(2)]
        sign_up(ann, "Quirina")
        for id in ids:
            bob.post(f"/j/{served.live_table(id).history.head.code}", name="Bob")
            ann.command(id, "resign", served.live_table(id).history.ply)
        assert ann.post("/account/erase", name="Somebody").status_code == 403
        assert ann.post("/account/erase", name="Quirina").status_code == 303
        texts = [bob.web.get(f"/m/{id}/record.txt").text for id in ids]
        pages = [bob.web.get(f"/m/{id}").text for id in ids]
        assert sign_in(ann, "Quirina").status_code == 403
    for text in texts:
        assert "Bob" in text
        record.read(text)
    with sqlite3.connect(tmp_path / "tables.db") as database:
        dump = "\n".join(database.iterdump())
    assert "Quirina" not in dump + "".join(texts + pages)
    assert "Bob" in dump


def test_an_account_with_many_games_is_erased_from_each(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        texts = erase_after_games(served, 30)
    with sqlite3.connect(tmp_path / "tables.db") as database:
        dump = "\n".join([*database.iterdump(), *texts]).casefold()
    assert not [word for word in NAME.casefold().split() if word in dump]


def test_all_that_is_stored_can_be_downloaded_and_holds_no_secret(served: Served) -> None:
    with Person(served) as ann:
        id = ann.open(PAIR, **BOTH)
        sign_up(ann, "Mia")
        found: dict[str, Any] = ann.web.get("/account/export.json").json()
        assert found["name"] == "Mia"
        assert {seat["match_id"] for seat in found["seats"]} == {id}
        assert found["sessions"][0]["hash"] is None


def test_the_page_of_an_account_is_in_every_language(served: Served) -> None:
    with Person(served) as ann:
        for lang, word in (("en", "Sign in"), ("ja", "ログイン"), ("de", "Anmelden")):
            assert word in ann.web.get(f"/account?lang={lang}").text


def test_a_session_that_is_ended_loses_its_open_sockets(served: Served) -> None:
    with Person(served) as ann, Person(served) as phone:
        sign_up(ann, "Noa")
        sign_in(phone, "Noa")
        id = ann.open(PAIR, **BOTH)
        with phone.socket() as socket:
            history = served.live_table(id).history
            token = history.match.position.legal()[0]
            say(socket, **{"is": "act", "match": id, "ply": history.ply, "move": fresh(), "token": token})
            assert hear(socket, "ack", "refusal")["is"] == "ack"
            ann.post("/account/end-sessions")
            with pytest.raises(ConnectionClosed):
                socket.recv(TIMEOUT_S)


@pytest.mark.parametrize("hashed", ["composed", "as it was typed"])
def test_a_password_is_the_same_on_systems_that_type_its_letters_otherwise(hashed: str) -> None:
    composed, typed = "gr\u00fcne \u00c4pfel", "gru\u0308ne A\u0308pfel"

    async def trial() -> None:
        passwords = Passwords(HeavyWork())
        if hashed == "composed":
            assert await passwords.fits(typed, await passwords.hash(composed, "Ann"))
            assert await passwords.fits(composed, await passwords.hash(typed, "Ann"))
        else:  # before passwords were normalized
            assert await passwords.fits(typed, password_module._hasher().hash(typed))
        assert not await passwords.fits("grune Apfel", await passwords.hash(composed, "Ann"))

    asyncio.run(trial())
