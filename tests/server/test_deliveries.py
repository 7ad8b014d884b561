"""Mails: one a day at most, when a turn has waited, to an address that was confirmed."""

from __future__ import annotations

import asyncio
import re
import secrets
import socket
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiosmtpd.controller import Controller
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, func, select

from smallchange.server.accounts import service as accounts
from smallchange.server.accounts.rows import create_account
from smallchange.server.database import schema
from smallchange.server.notifications import rows as contacts
from smallchange.server.notifications.mail import MAX_UNSEEN_MAILS, Mail, Mails, mail_bytes
from smallchange.server.notifications.model import TURN, Notification
from smallchange.server.notifications.outbox import DELAY_MS, MAX_AT_PLACE, MAX_TAKEN, Notifier
from smallchange.server.notifications.rows import MAIL_WAIT_MS, put_notifications, write_warning
from smallchange.server.notifications.service import MAX_CONFIRMATIONS_OF_NETWORK
from smallchange.server.table.live.ports import TimeWarning
from smallchange.server.table.model.new_tables import random_id
from smallchange.server.web.sessions import Account, AccountRole, AccountState

from .outside import free_port
from .serving import Person, Served, serving
from .tables import PAIR, table_for_two

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
WAIT_MS = MAIL_WAIT_MS + DELAY_MS + 1000  # after which a turn has waited for a while


class Mailbox:
    """A stand-in for the mail server of the site."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.raw: list[bytes] = []
        self.refusal = ""  # of every address
        self.port = free_port()

    async def handle_RCPT(
        self, server: object, session: object, envelope: Any, address: str, options: object
    ) -> str:
        envelope.rcpt_tos.append(address)
        return self.refusal or "250 OK"

    async def handle_DATA(self, server: object, session: object, envelope: Any) -> str:
        mail = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.raw.append(envelope.content)
        return "250 OK"


@pytest.fixture
def box() -> Iterator[Mailbox]:
    """Yield the mailbox of a mail server on loopback."""
    box = Mailbox()
    controller = Controller(box, hostname="127.0.0.1", port=box.port)
    controller.start()
    yield box
    controller.stop()


@pytest.fixture
def served(tmp_path: Path, box: Mailbox) -> Iterator[Served]:
    with serving(
        tmp_path,
        roles="none",
        site="https://play.example",
        mail_server=f"smtp://127.0.0.1:{box.port}",
        mail_from="Small Change <games@play.example>",
    ) as found:
        yield found


def make_account(served: Served, name: str) -> Account:
    """Return a new account that has no browser."""
    account = Account(
        random_id(20), name, secrets.token_hex(32), 0, AccountRole.PERSON, AccountState.OPEN, "{}"
    )
    served.call(served.services.tables.store.write("", lambda c: create_account(c, account, [])))
    return account


def sign_up(person: Person, name: str) -> None:
    assert person.post("/account/sign-up", name=name, password="long enough").status_code == 200


def sweep(served: Served, later_ms: int = 0, workers: int = 1) -> None:
    """Let workers send what is due so much later."""
    tables = served.services.tables
    usual = tables.now
    tables.now = lambda: usual() + later_ms
    try:

        async def all_at_once() -> None:
            notifiers = [Notifier(tables, served.settings, f"worker {i}") for i in range(workers)]
            await asyncio.gather(*(one.sweep() for one in notifiers))
            await asyncio.gather(*(one.stop() for one in notifiers))

        served.call(all_at_once())
    finally:
        tables.now = usual


def test_a_silent_mail_server_takes_few_connections(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it accepts nothing
        place = f"smtp://127.0.0.1:{silent.getsockname()[1]}"
        terms = {"site": "https://play.example", "mail_server": place, "mail_from": "games@play.example"}
        with serving(tmp_path, roles="none", **terms) as served:
            tables, people = served.services.tables, [make_account(served, f"Person {n}") for n in range(50)]
            now = tables.now()
            with Person(served) as ann:
                id = ann.open(PAIR)

            def write(connection: Connection) -> None:
                for one in people:
                    contacts.put_contact(
                        connection, contacts.Contact(one.id, f"{one.id}@example.org", True, one.id)
                    )
                    put_notifications(connection, [Notification(one.holder, id, TURN, 100)], now - WAIT_MS)

            async def sweep_once() -> int:
                worker = Notifier(tables, served.settings)
                await worker.sweep()
                begun = len(worker._sending)
                silent.close()  # which ends the connections
                await worker.stop()
                return begun

            served.call(tables.store.write("", write))
            assert 1 < served.call(sweep_once()) <= MAX_AT_PLACE + MAX_TAKEN
            waiting = select(func.count()).select_from(schema.outgoing_message)
            assert served.call(tables.store.read(lambda c: c.execute(waiting).scalar_one())) == len(people)


@pytest.mark.parametrize("length", [17, 40, 78, 200, 500])
def test_the_header_to_end_mails_is_valid_for_any_address_of_the_site(length: int) -> None:
    """RFC 2369 and 8058: a URL between angle brackets, in one piece; encoded words are none."""
    link = "https://" + "x" * (length - len("https://")) + "/notifications/unsubscribe/" + "k" * 32
    raw = mail_bytes("Small Change <games@play.example>", Mail("ann@example.org", "Neu: 1", "ä\n" * 9, link))
    headers = raw.partition(b"\r\n\r\n")[0].split(b"\r\n")
    assert f"List-Unsubscribe: <{link}>".encode() in headers
    assert b"List-Unsubscribe-Post: List-Unsubscribe=One-Click" in headers
    assert max(map(len, raw.split(b"\r\n"))) <= 998


@pytest.mark.parametrize("name", ["Coins, Inc.", "Games: here", "スモールチェンジ", 'Say "hi" <now>'])
def test_the_words_of_a_mails_header_are_quoted_and_short(name: str) -> None:
    raw = mail_bytes(f"{name} <games@play.example>", Mail("ann@example.org", "新しいお知らせ " * 20, "text"))
    head = raw.partition(b"\r\n\r\n")[0]
    assert max(map(len, re.findall(rb"=\?\S+\?=", head)), default=0) <= 75, "RFC 2047"
    assert max(map(len, head.split(b"\r\n"))) <= 78
    read = message_from_bytes(raw, policy=policy.SMTP)
    (sender,) = read["From"].addresses
    assert (sender.display_name.replace('"', ""), sender.addr_spec) == (
        name.replace('"', ""),
        "games@play.example",
    )
    assert read["Subject"].split() == 20 * ["新しいお知らせ"]


def confirm_mail(person: Person, box: Mailbox, name: str = "Ann") -> None:
    """Let a new account have mails."""
    sign_up(person, name)
    assert person.post("/notifications/mail", mail=f"{name}@example.org").status_code == 303
    link = re.search(r"https://play\.example(\S+confirm\S+)", box.mails.pop().get_content())
    assert link
    assert person.post(link[1]).status_code == 200


def test_a_turn_that_has_waited_is_mailed_once_to_a_confirmed_address_until_one_click_ends_it(
    served: Served, box: Mailbox
) -> None:
    with Person(served) as ann, Person(served) as bo:
        sign_up(ann, "Ann")
        assert ann.post("/notifications/mail", mail="a@b.c\r\nBcc: d@e.f").status_code == 400
        assert ann.post("/notifications/mail", mail="ann@example.org").status_code == 303
        link = re.search(
            r"https://play\.example(/notifications/confirm/[\w-]+)", box.mails.pop().get_content()
        )
        assert link
        assert bo.web.get(link[1]).status_code == 200
        table_for_two(ann, bo, time="1d+3d")
        sweep(served, WAIT_MS)
        assert not box.mails, "the address is not confirmed, and to look at the link confirms nothing"
        assert bo.post(link[1]).status_code == 200
        id = ann.open("dodgem", time="1d+3d")
        assert bo.post(ann.invite(id), name="<b>Bo</b>").status_code == 303
        sweep(served, MAIL_WAIT_MS - 10_000)
        assert not box.mails, "she may still see it"
        sweep(served, WAIT_MS, workers=3)
        (mail,) = box.mails
        assert (mail["To"], mail.get_content_type()) == ("ann@example.org", "text/plain")
        assert "Dodg’em (<b>Bo</b>): It is your turn." in mail.get_content()
        assert f"https://play.example/m/{id}" in mail.get_content()
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        end = str(mail["List-Unsubscribe"]).strip("<>").removeprefix("https://play.example")
        assert bo.web.get(end).status_code == 200
        assert "ann@example.org" in ann.web.get("/account").text
        click = httpx.post(served.url + end, data={"List-Unsubscribe": "One-Click"}, timeout=300)
        assert click.status_code == 200
        assert "ann@example.org" not in ann.web.get("/account").text
        table_for_two(ann, bo, time="1d+3d")
        sweep(served, 4 * DAY_MS)
        assert len(box.mails) == 1


def test_no_mail_comes_of_what_was_seen_or_waits_for_no_answer(served: Served, box: Mailbox) -> None:
    with Person(served) as ann, Person(served) as bo:
        confirm_mail(ann, box)
        ann.page(table_for_two(ann, bo, time="1d+3d"))
        id = table_for_two(ann, bo, time="5+3")
        assert bo.command(id, "resign", served.live_table(id).history.ply).status_code == 303
        assert ann.web.get("/notifications/count").json()["unread"] > 0, "that it has begun, or ended"
        for later in (DELAY_MS + 1000, WAIT_MS, 2 * DAY_MS):
            sweep(served, later)
        assert not box.mails


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.integers(0, 30), min_size=1, max_size=10))
def test_mails_are_a_day_apart_and_each_turn_is_in_one_after_three_hours(
    served: Served, box: Mailbox, gaps: list[int]
) -> None:
    """Turns come so many hours after one another, and the notifier looks once an hour. She is here after each mail."""
    store, tables, turns = served.services.tables.store, served.services.tables, list(accumulate(gaps))
    with Person(served) as ann, Person(served) as bo:
        confirm_mail(ann, box, f"Ann{secrets.token_hex(4)}")
        id = table_for_two(ann, bo, time="14d+14d")
        ann.page(id)
        history, now, usual = served.live_table(id).history, tables.now(), tables.now
        box.mails.clear()
        sent = list[tuple[int, int]]()
        try:
            for hour in range(turns[-1] + 2 * 24):
                at = now + hour * HOUR_MS
                tables.now = lambda: at + 60_000  # noqa: B023
                plies = [100 + n for n, turn in enumerate(turns) if turn == hour]
                new = [Notification(history.seats[0].holder, id, TURN, ply) for ply in plies]
                served.call(store.write("", lambda c: put_notifications(c, new, at)))  # noqa: B023
                sweep(served)
                sent += [(hour, int(re.sub(r"\D", "", mail["Subject"]))) for mail in box.mails]
                if box.mails:
                    visit = schema.account.update().values(seen=at + 120_000)
                    served.call(store.write("", lambda c: c.execute(visit) and None))  # noqa: B023
                box.mails.clear()
        finally:
            tables.now = usual
        assert all(later - earlier >= 24 for (earlier, _), (later, _) in pairwise(sent))
        assert sum(number for _, number in sent) == len(turns)
        assert all(turn + 3 <= next(at for at, _ in sent if at > turn) <= turn + 25 for turn in turns[:1])


def test_a_mail_that_was_not_taken_is_sent_again_and_an_address_that_is_always_refused_ends(
    served: Served, box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Person(served) as ann, Person(served) as bo:
        confirm_mail(ann, box)
        table_for_two(ann, bo, time="1d+3d")
        box.refusal, later = "451 later", WAIT_MS
        sweep(served, later)
        sweep(served, later)
        box.refusal, later = "", later + Mails.delays_ms[0] + 1000
        sweep(served, later)
        assert [mail["Subject"] for mail in box.mails] == ["Small Change: 1 unread"]
        assert b"List-Unsubscribe: <https://play.example/" in box.raw[-1]
        now, later = served.services.tables.now, later + DAY_MS
        monkeypatch.setattr(served.services.tables, "now", lambda: now() + later)
        table_for_two(ann, bo, time="1d+3d")
        box.refusal = "550 nobody"
        for delay in (WAIT_MS, *Mails.delays_ms):
            assert "Ann@example.org" in ann.web.get("/account").text
            later += delay + 1000
            sweep(served)
        assert "E-mails to your address come back" in ann.web.get("/notifications").text
        assert "Ann@example.org" not in ann.web.get("/account").text


def test_mails_have_only_what_is_new_and_stop_after_some_without_a_visit(
    served: Served, box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Person(served) as ann, Person(served) as bo, Person(served) as other:
        confirm_mail(ann, box)
        tables, now = [], served.services.tables.now
        for day in range(1, MAX_UNSEEN_MAILS + 3):
            monkeypatch.setattr(served.services.tables, "now", lambda: now() + 2 * day * DAY_MS)  # noqa: B023
            tables.append(table_for_two(ann, bo, time="14d+14d"))
            sweep(served, WAIT_MS)
        sent = [mail.get_content() for mail in box.mails]
        assert len(sent) == MAX_UNSEEN_MAILS
        for id, text in zip(tables, sent, strict=False):
            assert [one for one in tables if one in text] == [id]
        assert ["until your next visit" in text for text in sent] == [False] * (MAX_UNSEEN_MAILS - 1) + [True]
        monkeypatch.setattr(accounts, "now_ms", lambda: 2**50)
        other.post("/account/sign-in", name="Ann", password="long enough")
        other.post("/account/sign-out")
        last = table_for_two(ann, bo, time="14d+14d")
        sweep(served, 2 * DAY_MS)
        assert last in box.mails[-1].get_content()


def test_time_that_runs_out_is_mailed_three_hours_after_another_mail(served: Served, box: Mailbox) -> None:
    tables = served.services.tables
    with Person(served) as ann, Person(served) as bo:
        confirm_mail(ann, box)
        id = table_for_two(ann, bo, time="1d+3d")
        sweep(served, WAIT_MS)
        warning = TimeWarning(id, served.live_table(id).history.seats[0], 0, tables.now() + WAIT_MS + 1000)
        served.call(tables.store.write("", lambda c: write_warning(c, warning)))
        sweep(served, WAIT_MS + 2 * HOUR_MS)
        assert len(box.mails) == 1
        sweep(served, WAIT_MS + 3 * HOUR_MS + 60_000)
        assert "Your time is running out." in box.mails[-1].get_content()


def test_an_address_gets_few_mails_that_nobody_asked_for(served: Served, box: Mailbox) -> None:
    fields = {"mail": "stranger@example.org"}
    for i in range(9):
        with Person(served) as someone:
            sign_up(someone, f"Someone {i}")
            someone.post("/notifications/mail", **fields)
    assert len(box.mails) <= 2 * 3, "three a day, should the day change meanwhile"
    assert not any("Someone" in mail.get_content() for mail in box.mails), "a stranger may read it"


def test_thirty_strangers_get_few_mails_from_one_address(served: Served, box: Mailbox) -> None:
    for i in range(15):
        with Person(served) as someone:
            sign_up(someone, f"Someone {i}")
            for n in range(2):
                someone.post("/notifications/mail", mail=f"stranger{i}{n}@example.org")
    assert len(box.mails) <= 2 * MAX_CONFIRMATIONS_OF_NETWORK


def test_an_erased_account_is_written_to_no_more(served: Served, box: Mailbox) -> None:
    with Person(served) as ann:
        sign_up(ann, "Ann")
        ann.post("/notifications/mail", mail="ann@example.org")
        assert ann.web.get("/account/export.json").json()["contact"]["mail"] == "ann@example.org"
        key = re.search(r"confirm/([\w-]+)", box.mails[0].get_content())
        assert key
        assert ann.post("/account/erase", name="Ann").status_code == 303
    store = served.services.tables.store
    assert served.call(store.read(lambda c: contacts.contact_by_key(c, key[1]))) is None
